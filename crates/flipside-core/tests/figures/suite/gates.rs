//! Limits on the figures of a suite.

use flipside_core::gate::{GateSpec, Subject};
use flipside_core::measure::Said;
use flipside_core::suite::KeyVariant;
use flipside_core::suite::figures::{
    AboutModel, AnswerSource, RowAnswer, SuiteModel, SuiteReport, SuiteRows, limits,
};
use flipside_core::summary::Verdict;

use super::{answers, cases, place, rows};
use crate::made::id;

fn parsed(text: &str) -> Vec<(Subject, f64)> {
    limits(&GateSpec::parse_list(text).unwrap()).unwrap()
}

fn model(answers: &[RowAnswer], gates: &str, asked: bool) -> SuiteModel {
    let source = if asked {
        AnswerSource::Asked {
            requested: None,
            endpoint: None,
            served: Vec::new(),
        }
    } else {
        AnswerSource::Read {
            file: "answers.jsonl".to_owned(),
            sha256: String::new(),
        }
    };
    let about = AboutModel {
        name: "m".to_owned(),
        source,
        stopped: None,
    };
    SuiteModel::of(about, &cases(&rows()), answers, &parsed(gates))
}

fn verdicts(answers: &[RowAnswer], gates: &str) -> Vec<(Verdict, bool, Option<String>)> {
    let lines = model(answers, gates, false).gates.into_iter();
    lines
        .map(|line| (line.verdict, line.held, line.decided_by))
        .collect()
}

#[test]
fn a_limit_is_held_against_its_own_figure_and_names_the_comparison_that_decides() {
    let rows = rows();
    // Flips at every rename, and nowhere else; right in the 240 semantic and first-question rows.
    let said = answers(&rows, |row| {
        let by = usize::from(matches!(
            row.keys,
            KeyVariant::Abstract | KeyVariant::SecondQuestion
        ));
        place(row, id((row.accept.index() + by) % row.canonical.len()))
    });
    let found = verdicts(
        &said,
        "order<=5%,keys<=5%,phrasing<=5%,phrasing.p0-p1<=0%,phrasing.q0-q1<=99%,fit>=50%",
    );
    let expected = [
        (Verdict::Stable, true, None),
        (Verdict::CauseOpen, false, None),
        (Verdict::CauseOpen, false, Some("q0-q1".to_owned())),
        (Verdict::Stable, true, None),
        (Verdict::CauseOpen, false, None),
        (Verdict::Fits, true, None),
    ];
    assert_eq!(found, expected);
    assert_eq!(verdicts(&said, "fit>=51%")[0].0, Verdict::NotATask);
    assert_eq!(
        verdicts(&said, "phrasing.p0-p9<=5%")[0].0,
        Verdict::NotMeasured
    );
    assert_eq!(verdicts(&said, "keys<=100%")[0].0, Verdict::Stable);
}

#[test]
fn missing_rows_leave_a_limit_open_and_count_as_missing() {
    let rows = rows();
    let mut said = answers(&rows, |row| place(row, row.accept));
    // Both rows of 18 pairs of orders, none of which is another pair's: 10 % of 180.
    for base in 0..18 {
        said[base * 12].said = Said::Missing;
        said[base * 12 + 2].said = Said::Unasked;
    }
    let found = verdicts(
        &said,
        "order<=9%,order<=10%,missing<=7%,missing<=7.5%,fit>=93%,fit>=92%",
    );
    let words: Vec<Verdict> = found.into_iter().map(|(verdict, ..)| verdict).collect();
    // 36 of 480 rows are 7.5 %; 444 of 480 right are 92.5 %.
    let expected = [
        Verdict::Undecided,
        Verdict::Stable,
        Verdict::OverLimit,
        Verdict::WithinLimit,
        Verdict::Undecided,
        Verdict::Fits,
    ];
    assert_eq!(words, expected);
}

#[test]
fn exit_codes_are_those_of_runs() {
    let rows = rows();
    let right = answers(&rows, |row| place(row, row.accept));
    let first = answers(&rows, |_| 0);
    let mut short = right.clone();
    short[7] = RowAnswer::UNASKED;
    let gate = "order<=5%";
    let exits = [
        model(&right, gate, true).exit,
        model(&first, gate, true).exit,
        model(&short, gate, true).exit,
        // Nothing is asked of a file, so that there is nothing to go on with.
        model(&short, "fit>=90%", false).exit,
    ];
    assert_eq!(exits, [0, 1, 3, 0]);
    assert!(!model(&short, gate, false).complete);
    let rows = SuiteRows::of("r", &flipside_core::digest::Digest::of(b""), &cases(&rows));
    let models = vec![model(&right, gate, true), model(&first, gate, true)];
    assert_eq!(SuiteReport::new("0.1.0", rows, models).exit, 1);
}

#[test]
fn gates_that_say_nothing_about_a_suite_are_refused_together() {
    let specs =
        GateSpec::parse_list("same<=1%,none:order,order.reverse<=5%,drift.js.p95<=0.02,batch<=5%");
    let errors = limits(&specs.unwrap()).unwrap_err();
    let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
    let known = "a suite has no such figure; its gates are `fit>=90%` (of all rows), `order<=5%`, `keys<=5%`, \
                 `phrasing<=5%`, `phrasing.p0-p1<=5%`, `phrasing.q0-q1<=5%` and `missing<=1%`";
    let expected = [
        format!("`same`: {known}"),
        "`none:order`: a suite has no gate that is not asked for".to_owned(),
        format!("`order.reverse`: {known}"),
        format!("`drift.js.p95`: {known}"),
        format!("`batch`: {known}"),
    ];
    assert_eq!(texts, expected);
}
