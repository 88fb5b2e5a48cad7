//! Which cases and orders meet, what is left out under which name, and what is refused.

use flipside_core::case::{CaseId, QuestionKind};
use flipside_core::compare::{AnswerSet, CaseAnswers, CaseCounts, LeftOut, Wanted, compare};
use flipside_core::json::Json;
use flipside_core::order::{OptionId, Order};

use super::sets::{
    PLAIN, case, chose, compared, failed, other, own, refused, reversed, served, set, three,
};

fn one(id: &str, choice: u16) -> CaseAnswers {
    CaseAnswers {
        case: case(id, 3, &[0]),
        asks: vec![own(3, chose(choice)), reversed(3, chose(choice))],
    }
}

#[test]
fn cases_in_one_run_or_of_other_content_are_left_out_and_counted_apart() {
    let mut changed = one("changed", 1);
    changed.case.state = Json::String("another state".to_owned());
    let mut relabelled = one("relabelled", 0);
    relabelled.case.accept = vec![OptionId(2)].into();
    let baseline = set(vec![
        one("both", 0),
        one("changed", 1),
        one("relabelled", 0),
        one("gone", 0),
        one("gone too", 0),
    ]);
    let variant = set(vec![one("new", 0), relabelled, changed, one("both", 1)]);
    let comparison = compared(&baseline, &variant);
    assert_eq!(
        comparison.cases,
        CaseCounts {
            common: 2,
            labelled: 1,
            other_labels: 1,
            only_baseline: 2,
            only_variant: 1,
            other_content: 1,
            ..CaseCounts::default()
        }
    );
    let own = &comparison.orders["own"];
    assert_eq!((own.answers.share.count, own.answers.share.of), (1, 2));
    assert_eq!(
        own.accuracy.unwrap().of,
        1,
        "other labels are not in accuracy"
    );
}

#[test]
fn cases_named_by_file_and_line_meet_by_content() {
    let unnamed = |id: &str, content: &str, choice| {
        let mut answers = one(content, choice);
        answers.case.id = CaseId(id.to_owned());
        answers.case.named = false;
        answers
    };
    let baseline = set(vec![
        unnamed("a.jsonl:1", "x", 0),
        unnamed("a.jsonl:2", "y", 1),
    ]);
    let renamed = set(vec![
        unnamed("b.jsonl:1", "y", 1),
        unnamed("b.jsonl:2", "x", 0),
    ]);
    let shuffled = set(vec![
        unnamed("a.jsonl:1", "y", 1),
        unnamed("a.jsonl:2", "x", 0),
    ]);
    for variant in [renamed, shuffled] {
        let comparison = compared(&baseline, &variant);
        assert_eq!(comparison.cases.common, 2);
        assert_eq!(comparison.orders["own"].answers.share.count, 0);
    }
}

#[test]
fn every_ask_that_is_no_pair_is_counted_under_its_own_name() {
    let reverse = |outcome| vec![own(3, served(0, "m")), reversed(3, outcome)];
    let random = |order: Order| vec![own(3, chose(0)), other("random:1", order, chose(0))];
    let alone = || vec![own(3, chose(0))];
    let make = |asks: Vec<Vec<_>>| {
        let cases = asks
            .into_iter()
            .enumerate()
            .map(|(number, asks)| CaseAnswers {
                case: case(&format!("c{number}"), 3, &[0]),
                asks,
            });
        set(cases.collect())
    };
    let ok = || served(0, "m");
    let baseline = make(vec![
        reverse(ok()),
        reverse(failed()),
        reverse(ok()),
        reverse(failed()),
        reverse(served(0, "n")),
        reverse(ok()),
        alone(),
        random(Order::rotate(3, 1)),
        random(Order::rotate(3, 1)),
    ]);
    let mut variant = make(vec![
        reverse(ok()),
        reverse(ok()),
        reverse(failed()),
        reverse(failed()),
        reverse(ok()),
        alone(),
        reverse(ok()),
        random(Order::rotate(3, 1)),
        random(Order::rotate(3, 2)),
    ]);
    let comparison = compared(&baseline, &variant);
    let expected = LeftOut {
        failed_baseline: 1,
        failed_variant: 1,
        failed_both: 1,
        only_baseline: 1,
        only_variant: 1,
        other_version: 1,
        ..LeftOut::default()
    };
    assert_eq!(comparison.orders["reverse"].left_out, expected);
    let flips = comparison.orders["reverse"].flips.unwrap();
    assert_eq!((flips.of, flips.missing), (1, 4));
    let random = &comparison.orders["random:1"];
    assert_eq!(random.left_out.other_order, 1);
    assert_eq!(random.flips.unwrap().of, 1);
    // The same variant, not finished: what it lacks may still come.
    variant.about.complete = false;
    let comparison = compared(&baseline, &variant);
    let expected = LeftOut {
        only_baseline: 0,
        unasked_variant: 1,
        ..expected
    };
    assert_eq!(comparison.orders["reverse"].left_out, expected);
    assert_eq!(comparison.orders["reverse"].flips.unwrap().missing, 5);
}

#[test]
fn controls_are_not_compared() {
    let with_control = |choice| {
        let mut answers = one("c", 0);
        answers.asks.push(flipside_core::compare::RecordedAsk {
            variant: flipside_core::perturb::Variant::same(1).into(),
            order: Order::own(3),
            outcome: chose(choice),
        });
        set(vec![answers])
    };
    let comparison = compared(&with_control(0), &with_control(1));
    assert_eq!(
        comparison.orders.keys().collect::<Vec<_>>(),
        ["own", "reverse"]
    );
    assert_eq!(comparison.all_orders.answers.unwrap().count, 0);
}

#[test]
fn what_must_not_be_compared_is_refused_with_what_differs() {
    let base = three(&[(Some(0), chose(0), chose(0))]);
    let mut older = base.clone();
    older.about.method = Some(2);
    assert_eq!(
        refused(&base, &older).to_string(),
        "the baseline was measured by method 1 and the variant by method 2, whose rules of ties and thresholds differ"
    );
    older.about.method = None;
    assert_eq!(compared(&base, &older).cases.common, 1);
    assert_eq!(
        refused(&base, &set(vec![one("x", 0), one("y", 0)])).to_string(),
        "no case is in both: 1 only in the baseline, 2 only in the variant, 0 with one id and different content"
    );
    let mut score = base.clone();
    score.cases[0].case.question.kind = QuestionKind::Score;
    assert_eq!(
        refused(&base, &score).to_string(),
        "no case can be compared: the baseline asks `choice` questions and the variant `score` questions under the same ids"
    );
    let mut rotated = base.clone();
    rotated.cases[0].asks[1] = other("rotate:1", Order::rotate(3, 1), chose(0));
    assert_eq!(
        refused(&base, &rotated).to_string(),
        "no other order was asked by both: the baseline asked `reverse`, the variant `rotate:1`"
    );
    let mut plain = base.clone();
    plain.cases[0].asks.truncate(1);
    assert_eq!(
        refused(&plain, &base).to_string(),
        "no other order was asked by both: the baseline asked none, the variant `reverse`"
    );
    let silent = three(&[(Some(0), failed(), failed())]);
    assert_eq!(
        refused(&base, &silent).to_string(),
        "no case was answered by both in the same order"
    );
}

fn only(baseline: &AnswerSet, variant: &AnswerSet, orders: &[&str]) -> Result<Vec<String>, String> {
    let orders: Vec<String> = orders.iter().map(|name| (*name).to_owned()).collect();
    let wanted = Wanted {
        orders: &orders,
        ..PLAIN
    };
    let comparison = compare(baseline, variant, &wanted).map_err(|refusal| refusal.to_string())?;
    Ok(comparison.orders.keys().cloned().collect())
}

#[test]
fn named_orders_are_compared_alone_and_the_own_order_always_is() {
    let mut base = three(&[(Some(0), chose(0), chose(0))]);
    let rotated = other("rotate:1", Order::rotate(3, 1), chose(0));
    base.cases[0].asks.push(rotated);
    let keys = |names: &[&str]| Ok(names.iter().map(|name| (*name).to_owned()).collect());
    assert_eq!(
        only(&base, &base, &[]),
        keys(&["own", "reverse", "rotate:1"])
    );
    assert_eq!(
        only(&base, &base, &["rotate:1"]),
        keys(&["own", "rotate:1"])
    );
    assert_eq!(only(&base, &base, &["own"]), keys(&["own"]));
    assert_eq!(
        only(&base, &base, &["own", "rotate:2"]),
        Err("order `rotate:2` was not asked by both; `own`, `reverse`, `rotate:1` was".to_owned())
    );
    // A plain run against one with other orders: the own order alone can be compared.
    let mut plain = base.clone();
    plain.cases[0].asks.truncate(1);
    assert_eq!(only(&plain, &base, &["own"]), keys(&["own"]));
}

#[test]
fn options_declared_to_be_one_answer_are_one_and_other_declarations_do_not_meet() {
    let declared = |equal: &[[u16; 2]], own_answer, reversed_answer| {
        let mut answers = one("c", 0);
        let class = |ids: &[u16; 2]| ids.map(OptionId).to_vec();
        answers.case.equal = equal.iter().map(class).collect();
        answers.case = answers.case.checked().unwrap();
        answers.asks = vec![
            own(3, chose(own_answer)),
            reversed(3, chose(reversed_answer)),
        ];
        set(vec![answers, one("other", 0)])
    };
    let baseline = declared(&[[0, 2]], 0, 2);
    let variant = declared(&[[0, 2]], 2, 1);
    let comparison = compared(&baseline, &variant);
    assert_eq!(comparison.orders["own"].answers.share.count, 0);
    assert_eq!(comparison.orders["own"].accuracy.unwrap().variant.count, 2);
    let flips = comparison.orders["reverse"].flips.unwrap();
    assert_eq!((flips.baseline.count, flips.variant.count), (0, 1));
    let any = comparison.all_orders.any_flip.shares.unwrap();
    assert_eq!((any.baseline.count, any.variant.count), (0, 1));
    let undeclared = declared(&[], 0, 2);
    let comparison = compared(&baseline, &undeclared);
    assert_eq!(
        (comparison.cases.common, comparison.cases.other_content),
        (1, 1)
    );
}
