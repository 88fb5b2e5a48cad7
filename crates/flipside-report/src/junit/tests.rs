use super::*;
use crate::example::{self, Variants};

fn rendered(summary: &Summary) -> String {
    let run = Run {
        name: "runs/a",
        started: Some("2026-12-01T03:00:00Z"),
        summary,
    };
    render(&[run])
}

/// How often an element begins.
fn elements(text: &str, name: &str) -> usize {
    text.matches(&format!("<{name} ")).count()
}

#[test]
fn gates_have_a_suite_of_their_own_and_every_axis_a_test_per_case() {
    let summary = example::first(&[Variants::Reverse, Variants::Same(1)]);
    let text = rendered(&summary);
    let cases = summary.cases.len();
    assert_eq!(elements(&text, "testsuite"), 3);
    assert_eq!(elements(&text, "testcase"), 2 * cases + summary.gates.len());
    let suites: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("  <testsuite "))
        .collect();
    let open = summary.gates.iter().filter(|gate| !gate.held).count();
    let parts = [
        ("gates", summary.gates.len(), open),
        (
            "order",
            cases,
            usize::try_from(summary.axes["order"]["reverse"].figure.flips.unwrap()).unwrap(),
        ),
        ("same", cases, 0),
    ];
    for (line, (part, tests, failures)) in suites.iter().zip(parts) {
        let name = format!("<testsuite name=\"first {part}\" package=\"first\"");
        assert!(line.contains(&name), "{line}");
        let counts =
            format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\"");
        assert!(line.contains(&counts), "{line}");
        assert!(line.contains("timestamp=\"2026-12-01T03:00:00\""), "{line}");
    }
    assert!(
        text.contains("<failure type=\"flip\" message=\"reverse: from "),
        "{text}"
    );
}

#[test]
fn what_is_missing_is_an_error_and_what_was_not_asked_is_skipped() {
    let summary = example::troubled();
    let text = rendered(&summary);
    let order: Vec<&str> = text
        .split("<testsuite ")
        .filter(|suite| suite.contains(" order\""))
        .collect();
    let [order] = &order[..] else {
        panic!("{text}")
    };
    let of = |id: &str| {
        let id = format!("name=\"{id}\"");
        let after = order
            .split("<testcase ")
            .find(|test| test.contains(&id))
            .unwrap();
        after.to_owned()
    };
    let first = of(&summary.cases[0].id);
    assert!(
        first.contains(
            "<error type=\"missing\" message=\"own order: malformed reply: the reply chose `refunds`"
        ),
        "{first}"
    );
    // Case 17 was not asked under rotate:1, and did not flip under reverse.
    let unasked = of(&summary.cases[17].id);
    assert!(
        unasked.contains("<skipped message=\"not asked\"/>"),
        "{unasked}"
    );
    // Case 3 never decided.
    let declined = of(&summary.cases[3].id);
    assert!(
        declined.contains("<skipped message=\"neither answer decided\"/>"),
        "{declined}"
    );
    // Case 19 has one option.
    let single = of(&summary.cases[19].id);
    assert!(
        single.contains("<skipped message=\"the change changes nothing in this case\"/>"),
        "{single}"
    );
    assert!(
        text.contains("<error type=\"not complete\" message=\"not complete, "),
        "{text}"
    );
}

#[test]
fn two_runs_of_one_model_are_told_apart() {
    let summary = example::first(&[Variants::Reverse]);
    let run = |name| Run {
        name,
        started: None,
        summary: &summary,
    };
    let text = render(&[run("a"), run("b")]);
    assert!(
        text.contains("name=\"first in a order\"") && text.contains("name=\"first in b order\"")
    );
    assert!(!text.contains("timestamp"), "when it began is not known");
}

#[test]
fn hostile_text_stays_text() {
    let mut summary = example::hostile();
    summary.cases[0].id = "<failure/>]]>\"&".to_owned();
    let text = rendered(&summary);
    assert!(
        text.contains("name=\"&lt;failure/&gt;]]&gt;&quot;&amp;\""),
        "{text}"
    );
    assert!(!text.contains("<failure/>"));
    assert!(
        text.chars().all(|c| c == '\n' || !c.is_control()),
        "no control characters"
    );
    assert!(!text.contains('\u{202e}'));
}

#[test]
fn only_a_time_in_utc_is_a_time_stamp() {
    assert_eq!(
        without_zone("2026-12-01T03:00:00Z"),
        Some("2026-12-01T03:00:00")
    );
    assert_eq!(without_zone("2026-12-01T03:00:00+01:00"), None);
    assert_eq!(without_zone("2026-12-01 03:00:00Z"), None);
    assert_eq!(without_zone("x\"/>Z"), None);
}
