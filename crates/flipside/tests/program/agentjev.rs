//! Requests of the `AgentJev` service as cases.

use crate::support::{count, folder, probe};

/// A request of one question with so many candidates.
fn request(number: usize, candidates: usize) -> String {
    let options: Vec<String> = (0..candidates)
        .map(|option| format!(r#""o{option}":"the {option}. way to go on with {number}""#))
        .collect();
    format!(
        r#"{{"id":"r{number}","state":{{"ticket":{number}}},"questions":[{{"id":"q","type":"choice","question":"What next?","options":{{{}}}}}]}}"#,
        options.join(",")
    )
}

#[test]
fn forty_five_questions_of_four_and_twelve_of_five_have_the_counts_of_the_published_study() {
    let requests: Vec<String> = (0..57)
        .map(|number| request(number, if number < 45 { 4 } else { 5 }))
        .collect();
    let (_guard, path) = folder(&(requests.join("\n") + "\n"));
    let words = [
        "cases.jsonl",
        "--model",
        "first",
        "--order",
        "all",
        "--axis",
        "drop",
        "--no-confirm",
    ];
    let (ran, summary) = probe(&path, &words);
    assert_eq!(count(&summary, "/counts/cases"), Some(57), "{}", ran.err);
    // 45 * 4! + 12 * 5! permutations, of which each question's own is one.
    let orders = summary["axes"]["order"].as_object().unwrap();
    let others: u64 = orders
        .values()
        .map(|line| line["asked"].as_u64().unwrap())
        .sum();
    assert_eq!(others + 57, 2_520);
    let drop = |field: &str| {
        count(
            &summary,
            &format!("/composition/drop/single_options/{field}"),
        )
    };
    assert_eq!(
        (drop("left_out"), drop("exchanged")),
        (Some(780), Some(900))
    );
    assert_eq!(
        (drop("left_out_answered"), drop("exchanged_answered")),
        (Some(780), Some(900))
    );
}

#[test]
fn a_statement_is_asked_in_the_one_order_that_the_service_has() {
    let statement = r#"{"id":"a","state":"s","questions":[{"id":"b","type":"boolean","question":"It is late.","criteria":{"false":"early","true":"late"}}]}"#;
    let (_guard, path) = folder(&format!("{}\n{statement}\n", request(1, 3)));
    let (ran, summary) = probe(
        &path,
        &[
            "cases.jsonl",
            "--model",
            "first",
            "--order",
            "reverse",
            "--no-confirm",
        ],
    );
    let line = |field: &str| count(&summary, &format!("/axes/order/reverse/{field}"));
    assert_eq!(
        (line("applicable"), line("vacuous"), line("asked")),
        (Some(1), Some(1), Some(1))
    );
    assert_eq!(line("vacuous_reasons/fixed-order"), Some(1));
    let told: Vec<&str> = ran.out.split_whitespace().collect();
    let why = "1 vacuous (the order is fixed by what the question is for)";
    assert!(told.join(" ").contains(why), "{}", ran.out);
}
