//! Tables in which only choices were kept.

use flipside_formats::import::{Recording, Supplements};

use super::{Folder, cases, lines, read};

/// A recording as lines, without what tells a file from another.
fn same(recording: &Recording) -> String {
    lines(recording)
}

#[test]
fn choices_by_key_are_compared_and_nothing_else() {
    let folder = Folder::new();
    // A byte-order mark, line ends of another system, a blank line, a cell with a comma, one that is empty.
    let csv = "\u{feff}id,chosen,gold,lang\r\nq1,\"a, b\",c,en\r\n\r\nq2,x,x,de\r\nq3,,y,de\r\nq4,,,de\r\n";
    let table = folder.read("table.csv", csv);
    insta::assert_snapshot!(lines(&table));
    assert_eq!(
        table.decisions[1].case.source.line, 4,
        "the blank line counts"
    );
    let rows = concat!(
        r#"{"id":"q1","chosen":"a, b","gold":"c","lang":"en"}"#,
        "\n",
        r#"{"id":"q2","chosen":"x","gold":"x","lang":"de"}"#,
        "\n",
        r#"{"id":"q3","chosen":null,"gold":"y","lang":"de"}"#,
        "\n",
        r#"{"id":"q4","chosen":"","lang":"de"}"#,
        "\n",
    );
    assert_eq!(same(&folder.read("table.jsonl", rows)), same(&table));
}

#[test]
fn cases_give_choices_by_key_their_options() {
    let folder = Folder::new();
    let of = |text: &str| cases(&folder.write("cases.jsonl", text));
    let path = folder.write("table.csv", "id,chosen,gold\nq1,a,b\nq2,z,a\n");
    let case =
        r#"{"id":"ID","state":"s","options":{"b":"B","a":"A","c":"C"},"rules":"r","accept":["b"]}"#;
    let both = format!("{}\n{}", case.replace("ID", "q1"), case.replace("ID", "q2"));
    let listed = Supplements {
        options_from: of(&both),
        ..Supplements::default()
    };
    insta::assert_snapshot!("options_from", lines(&read(&path, &listed)));
    let whole = Supplements {
        cases: of(&both),
        ..Supplements::default()
    };
    insta::assert_snapshot!("cases", lines(&read(&path, &whole)));
}

const ORDERS: &str = "\
system,id,order,n_options,chosen_canonical,chosen_position,chosen_key,p_chosen,gold_canonical,track
m,q1,original,2,1,1,yes,0.61,1,A
m,q1,reversed,2,2,1,no,0.5,1,A
m,q2,reversed,4,4,1,d,0.9,,A
m,q3,original,3,,,,,2,B
m,q3,reversed,3,2,2,b,,2,B
";

#[test]
fn choices_by_place_are_two_orders_of_one_decision() {
    let folder = Folder::new();
    insta::assert_snapshot!(lines(&folder.read("orders.csv", ORDERS)));
    // An id of two systems is two decisions.
    let two = format!("{ORDERS}n,q1,original,2,1,1,yes,0.61,1,A\n");
    let table = folder.read("orders.csv", &two);
    let ids: Vec<&str> = table
        .decisions
        .iter()
        .map(|one| one.case.id.0.as_str())
        .collect();
    assert_eq!(ids, ["m/q1", "m/q2", "m/q3", "n/q1"]);
    assert_eq!(table.about.model, "m, n");
}

#[test]
fn a_table_is_unpacked_by_its_bytes() {
    use std::io::Write;
    let folder = Folder::new();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(ORDERS.as_bytes()).unwrap();
    let path = folder.path("orders.csv");
    fs_err::write(&path, packed.finish().unwrap()).unwrap();
    let packed = read(&path, &Supplements::default());
    assert_eq!(lines(&packed), lines(&folder.read("plain.csv", ORDERS)));
}

#[test]
fn the_probability_of_one_of_two_options_is_that_of_the_other() {
    let wide = "id,gold,choice_original,p_yes_original,choice_reversed,p_yes_reversed,lang\n\
                q1,no,yes,0.61,no,0.4975,en\n\
                q2,yes,,,yes,1,en\n\
                q3,yes,no,0.9,yes,0.8,en\n";
    insta::assert_snapshot!(lines(&Folder::new().read("wide.csv", wide)));
}
