//! Rows that list the options as offered.

use flipside_formats::import::Supplements;

use super::{Folder, cases, lines, read};

#[test]
fn rows_of_one_id_are_one_decision_in_several_orders() {
    let text = concat!(
        r#"{"id":"c1","order":["a","b","c"],"choice":"b","probabilities":{"a":0.2,"b":0.7,"c":0.1},"gold":"b","model":"m","lang":"en"}"#,
        "\n",
        r#"{"id":"c2","order":["x","y"],"choice":"x","model":"m"}"#,
        "\n",
        r#"{"id":"c1","order":["c","b","a"],"choice":"a","model":"m"}"#,
        "\n",
        r#"{"id":"c1","order":["b","c","a"],"choice":"b","model":"m"}"#,
        "\n",
        r#"{"id":"c1","order":["b","a","c"],"choice":"b","model":"m"}"#,
        "\n",
        r#"{"id":"c1","order":["a","c","b"],"choice":null,"error":"timed out","model":"m"}"#,
        "\n",
        r#"{"case":3,"order":["x","y"],"choice":"z","system":"n"}"#,
        "\n",
    );
    insta::assert_snapshot!(lines(&Folder::new().read("rows.jsonl", text)));
}

#[test]
fn the_case_of_an_id_says_what_its_own_order_is() {
    let folder = Folder::new();
    let case = r#"{"id":"c1","state":"s","options":{"b":"B","a":"A"},"rules":"r"}"#;
    let supplements = Supplements {
        cases: cases(&folder.write("cases.jsonl", case)),
        ..Supplements::default()
    };
    let rows = folder.write(
        "rows.jsonl",
        r#"{"id":"c1","order":["a","b"],"choice":"b"}"#,
    );
    insta::assert_snapshot!(lines(&read(&rows, &supplements)));
}
