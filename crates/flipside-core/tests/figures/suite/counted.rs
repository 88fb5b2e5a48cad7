//! What known models come to, and what is counted apart.

use flipside_core::digest::Digest;
use flipside_core::measure::Said;
use flipside_core::stats::Method;
use flipside_core::suite::figures::{
    Answered, FamilyRows, RowAnswer, RowCounts, SuiteFlips, SuiteRows, SuiteShare,
};
use flipside_core::suite::{KeyVariant, RowOrder, SuiteRow};

use super::{FAMILIES, answers, at, cases, figures, place, rows};
use crate::made::id;

fn count(share: &SuiteShare) -> (u64, u64) {
    (share.hits, share.of)
}

fn flips(flips: &SuiteFlips) -> (u64, u64) {
    count(&flips.share)
}

#[test]
fn a_model_that_takes_the_first_place_flips_in_every_order_that_reverses_something() {
    let rows = rows();
    let said = answers(&rows, |_| 0);
    let found = figures(&rows, &said);
    assert_eq!(flips(&found.order), (180, 180));
    assert_eq!(found.order.vacuous, 60);
    assert_eq!(
        flips(found.order_with_vacuous.as_ref().unwrap()),
        (180, 240)
    );
    assert_eq!(flips(found.keys.as_ref().unwrap()), (0, 180));
    for pair in ["p0-p1", "p0-p2", "p1-p2"] {
        assert_eq!(flips(&found.phrasing[pair]), (0, 160), "{pair}");
    }
    assert_eq!(flips(found.question.as_ref().unwrap()), (0, 60));
    // Identity 0 stands first forward: accepted in base cases 0, 4 and 8 of three families, six rows each. Identity 3 stands
    // first reversed: base cases 3 and 7. `false`, in both orders: 5 base cases of 12 rows.
    assert_eq!(count(&found.accuracy_forward), (9 * 6 + 30, 240));
    assert_eq!(count(&found.accuracy_reversed), (6 * 6 + 30, 240));
    assert_eq!(count(&found.accuracy), (150, 480));
    assert_eq!(count(&found.baseline), (14, 40));
    assert_eq!(found.accuracy_semantic.as_ref().map(count), Some((45, 180)));
    assert_eq!(found.accuracy_abstract.as_ref().map(count), Some((45, 180)));
    // Nothing but hits in 30 base cases, two-sided 95 %: 0.025^(1/30).
    let [lower, upper] = found.order.share.interval.unwrap();
    assert!(
        (lower - 0.884_296_691_778).abs() < 1e-9 && (upper - 1.0).abs() < 1e-12,
        "{lower}"
    );
    assert_eq!(
        found.order.share.interval_method,
        Some(Method::KornGraubard)
    );
    // The published way takes 180 pairs as independent: 180/(180 + z^2), z = 1.959964.
    let [lower, _] = found.order.share.wilson.unwrap();
    assert!((lower - 0.979_104_502_078).abs() < 1e-9, "{lower}");
}

#[test]
fn families_stand_apart_and_a_family_without_an_axis_says_so() {
    let rows = rows();
    let said = answers(&rows, |_| 0);
    let found = Answered::new(&cases(&rows), &said).by_family();
    let names: Vec<&str> = found.keys().map(String::as_str).collect();
    assert_eq!(names, FAMILIES.map(|(name, _)| name));
    for name in ["news_topic", "support_department", "urgency"] {
        let family = &found[name];
        assert_eq!(flips(&family.order), (60, 60), "{name}");
        assert_eq!(family.order_with_vacuous, None, "{name}");
        assert_eq!(flips(family.keys.as_ref().unwrap()), (0, 60), "{name}");
        assert_eq!(flips(&family.phrasing["p0-p1"]), (0, 40), "{name}");
        assert_eq!(count(&family.baseline), (3, 10), "{name}");
        assert_eq!(family.question, None, "{name}");
    }
    let gate = &found["safety_gate"];
    assert_eq!(flips(&gate.order), (0, 0));
    assert_eq!(
        (gate.order.share.rate, gate.order.share.interval),
        (None, None)
    );
    assert_eq!(gate.order.vacuous, 60);
    assert_eq!(flips(gate.order_with_vacuous.as_ref().unwrap()), (0, 60));
    assert_eq!(
        (gate.keys.as_ref(), gate.accuracy_semantic.as_ref()),
        (None, None)
    );
    assert_eq!(flips(gate.question.as_ref().unwrap()), (0, 60));
    let about = SuiteRows::of("made.jsonl", &Digest::of(b""), &cases(&rows));
    // 60 noul rows ask what their forward forms do.
    assert_eq!((about.rows, about.bases, about.requests), (480, 40, 420));
    let ten = FamilyRows {
        bases: 10,
        rows: 120,
    };
    assert!(about.families.into_values().all(|family| family == ten));
}

#[test]
fn each_axis_finds_the_model_that_hangs_on_it_alone() {
    let rows = rows();
    let turn = |row: &SuiteRow, by: usize| {
        let options = row.canonical.len();
        place(row, id((row.accept.index() + by) % options))
    };
    let found = |decide: &dyn Fn(&SuiteRow) -> usize| {
        let said = answers(&rows, decide);
        let found = figures(&rows, &said);
        let phrasing = ["p0-p1", "p0-p2", "p1-p2"].map(|pair| found.phrasing[pair].share.hits);
        let question = found.question.unwrap().share.hits;
        (
            found.order.share.hits,
            found.keys.unwrap().share.hits,
            phrasing,
            question,
        )
    };
    let keys = |row: &SuiteRow| turn(row, usize::from(row.keys == KeyVariant::Abstract));
    assert_eq!(found(&keys), (0, 180, [0; 3], 0));
    let question = |row: &SuiteRow| turn(row, usize::from(row.keys == KeyVariant::SecondQuestion));
    assert_eq!(found(&question), (0, 0, [0; 3], 60));
    let last_phrasing = |row: &SuiteRow| turn(row, usize::from(row.phrasing == 2));
    assert_eq!(found(&last_phrasing), (0, 0, [0, 160, 160], 0));
    let reversed = |row: &SuiteRow| turn(row, usize::from(row.order == RowOrder::Reversed));
    assert_eq!(found(&reversed), (180, 0, [0; 3], 0));
}

#[test]
fn missing_undecided_tied_and_unasked_rows_have_their_own_names() {
    let rows = rows();
    let mut said = answers(&rows, |row| place(row, row.accept));
    // Rows 0 and 2 of base case 0 are its forward and reversed row of the first phrasing with semantic keys; 1 and 3 with
    // abstract keys.
    said[0].said = Said::Missing;
    said[1].said = Said::Nothing;
    said[3].said = Said::Nothing;
    // Base case 1: unasked, and a tie that moves by two places.
    said[12].said = Said::Unasked;
    let wrong = id((place(&rows[15].suite.row, rows[15].suite.row.accept) + 2) % 4);
    said[15].said = Said::Chose {
        id: wrong,
        tied: true,
    };
    let found = figures(&rows, &said);
    let accuracy = &found.accuracy;
    assert_eq!(
        (accuracy.missing, accuracy.unasked, accuracy.no_decision),
        (1, 1, 2)
    );
    assert_eq!(count(accuracy), (480 - 5, 478));
    let order = &found.order;
    // Out of 180: one pair missing, one unasked, one in which neither decided; one flip, of a tie.
    assert_eq!(flips(order), (1, 177));
    let share = &order.share;
    assert_eq!((share.missing, share.unasked, share.no_decision), (1, 1, 1));
    assert_eq!((order.tie_flips, order.no_decision_flips), (1, 0));
    let keys = found.keys.as_ref().unwrap();
    // 0-1 and 12-13 are lost; 2-3 flips to an answer that did not decide; 14-15 flips.
    assert_eq!(flips(keys), (2, 178));
    assert_eq!((keys.share.missing, keys.share.unasked), (1, 1));
    assert_eq!((keys.no_decision_flips, keys.tie_flips), (1, 1));
    let counts = Answered::new(&cases(&rows), &said).counts();
    let expected = RowCounts {
        rows: 480,
        answered: 478,
        no_decision: 2,
        failed: 1,
        unasked: 1,
        tied: 1,
        repeated: 0,
    };
    assert_eq!(counts, expected);
}

#[test]
fn two_models_that_served_a_pair_are_no_flip() {
    let rows = rows();
    let mut said = answers(&rows, |row| place(row, row.accept));
    for (place, answer) in said.iter_mut().enumerate() {
        answer.served = Some(if place == 2 { "new" } else { "old" }.to_owned());
    }
    said[2].said = at((place(&rows[2].suite.row, rows[2].suite.row.accept) + 1) % 4).said;
    let found = figures(&rows, &said);
    assert_eq!(flips(&found.order), (0, 179));
    assert_eq!(
        (found.order.share.missing, found.order.other_version),
        (1, 1)
    );
    assert_eq!(Answered::new(&cases(&rows), &said).served(), ["old", "new"]);
}

#[test]
fn an_engine_that_answers_one_request_in_two_ways_shows_only_with_the_vacuous_pairs() {
    let rows = rows();
    let mut said = answers(&rows, |row| place(row, row.accept));
    // The reversed form of the last base case's first row asks what its forward form does.
    let twin = 39 * 12 + 2;
    assert!(rows[twin].suite.row.vacuous_order);
    said[twin] = at(1 - place(&rows[twin].suite.row, rows[twin].suite.row.accept));
    let found = figures(&rows, &said);
    assert_eq!(flips(&found.order), (0, 180));
    assert_eq!(flips(found.order_with_vacuous.as_ref().unwrap()), (1, 240));
}

#[test]
fn a_slice_with_one_row_of_each_base_case_has_wilsons_interval() {
    let rows = rows();
    let said = answers(&rows, |row| place(row, id(0)));
    let found = figures(&rows, &said);
    let slice = &found.baseline;
    assert_eq!(count(slice), (14, 40));
    assert_eq!(slice.interval_method, Some(Method::Wilson));
    assert_eq!(slice.interval, slice.wilson);
    // 14 of 40 by hand: p = 0.35, z = 1.959964, (p + z²/80 ± z·√(p(1-p)/40 + z²/6400))/(1 + z²/40).
    let [lower, upper] = slice.wilson.unwrap();
    assert!(
        (lower - 0.221_345).abs() < 1e-6 && (upper - 0.504_941).abs() < 1e-6,
        "{lower} {upper}"
    );
}

#[test]
fn latency_is_that_of_answers_whose_time_is_known() {
    let rows = rows();
    let mut said = answers(&rows, |row| place(row, row.accept));
    assert_eq!(figures(&rows, &said).latency, None);
    for (place, answer) in said.iter_mut().enumerate().take(20) {
        answer.ms = Some(f64::from(u32::try_from(place).unwrap()) + 1.0);
    }
    let latency = figures(&rows, &said).latency.unwrap();
    // Ten of 1 to 20 are at most 10, nineteen at most 19.
    assert!((latency.median_ms - 10.0).abs() < 1e-12 && (latency.p95_ms - 19.0).abs() < 1e-12);
    assert_eq!(latency.answers, 20);
    let again: RowAnswer = said[0].again();
    assert_eq!((again.ms, again.repeated), (None, true));
    assert_eq!(again.said, said[0].said);
}

#[test]
fn rows_that_ask_the_same_are_vacuous_on_every_axis() {
    let rows = rows();
    let mut cases = cases(&rows);
    // A wording of the last base case that says what the first one does: 4 rows, of 2 questions in 2 orders.
    for place in 39 * 12..39 * 12 + 4 {
        cases[place + 4].case.state = cases[place].case.state.clone();
    }
    let said = answers(&rows, |_| 0);
    let found = Answered::new(&cases, &said).figures();
    assert_eq!(
        (
            flips(&found.phrasing["p0-p1"]).1,
            found.phrasing["p0-p1"].vacuous
        ),
        (156, 4)
    );
    assert_eq!(
        (
            flips(&found.phrasing["p0-p2"]).1,
            found.phrasing["p0-p2"].vacuous
        ),
        (160, 0)
    );
}
