//! Slices: hand-worked tables, what is split by, and laws.

use flipside_core::groups::GroupError;
use flipside_core::plan::distinct;
use flipside_core::summary::{Slice, Split, SplitKind, Summary};
use proptest::prelude::*;

use super::{Told, groups, near, summary};

fn split<'a>(summary: &'a Summary, name: &str) -> &'a Split {
    let found = summary.splits.by.iter().find(|split| split.name == name);
    found.unwrap_or_else(|| panic!("no split by {name}"))
}

fn slice<'a>(split: &'a Split, value: &str) -> &'a Slice {
    let found = split
        .values
        .iter()
        .find(|known| known.value == value)
        .unwrap();
    &found.axes["order"]["reverse"]
}

/// 10 cases of level 1, of which 3 flip, 10 of level 2 and 10 of level 10, of which none does.
fn levels() -> Vec<Told> {
    (0..30)
        .map(|id| Told::new(id, id < 3).field("level", [1, 2, 10][id / 10]))
        .collect()
}

#[test]
fn every_value_stands_beside_all_others_with_scipys_p_value() {
    let found = summary(&levels(), &groups(None, &["level"]), false, "order<=5%");
    let split = split(&found, "level");
    assert_eq!((split.kind, split.cases_without), (SplitKind::Field, 0));
    let values: Vec<&str> = split
        .values
        .iter()
        .map(|value| value.value.as_str())
        .collect();
    assert_eq!(values, ["1", "2", "10"], "numbers by size");
    let one = slice(split, "1");
    assert_eq!(
        (one.hits, one.pairs, one.rest_hits, one.rest_pairs),
        (3, 10, 0, 20)
    );
    near(one.rate, 0.3);
    // C(10,3) / C(30,3) = 120 / 4060: every other table is more probable.
    near(one.p, 120.0 / 4060.0);
    // Wilson 95 % of 3 in 10, as in any table of it.
    near(one.interval.map(|[lower, _]| lower), 0.107_791_267);
    near(one.interval.map(|[_, upper]| upper), 0.603_221_853);
    // 0 of 10 against 3 of 20: all tables but that with 1 flip of 10, C(10,1) C(20,2) = 1900, are at most as probable.
    let others = 2160.0 / 4060.0;
    near(slice(split, "2").p, others);
    assert_eq!(slice(split, "2").p, slice(split, "10").p);
    // Three tests of the field; the bare/described split has one value and none.
    assert_eq!(found.splits.tests, 3);
    near(one.adjusted_p, 3.0 * 120.0 / 4060.0);
    near(slice(split, "2").adjusted_p, others);
    assert!(!one.flagged);
}

#[test]
fn options_without_texts_are_always_a_slice_of_their_own() {
    let told: Vec<Told> = (0..20)
        .map(|id| {
            let mut case = Told::new(id, id < 8);
            case.text = id >= 10;
            case
        })
        .collect();
    let found = summary(&told, &groups(None, &[]), false, "order<=5%");
    let split = split(&found, "described");
    let (bare, described) = (slice(split, "bare"), slice(split, "described"));
    assert_eq!((bare.hits, bare.pairs, described.hits), (8, 10, 0));
    // (C(10,8) C(10,0) + C(10,0) C(10,8)) / C(20,8) = 90 / 125970, one test for both values.
    near(bare.p, 90.0 / 125_970.0);
    assert_eq!(found.splits.tests, 1);
    assert_eq!(
        (bare.adjusted_p, bare.p),
        (described.adjusted_p, described.p)
    );
    assert!(bare.flagged && described.flagged);
    assert_eq!(
        found.splits.by.len(),
        1,
        "one number of options, one kind of question, no served model"
    );
}

#[test]
fn numbers_of_options_and_served_models_are_split_by_where_there_are_several() {
    let told: Vec<Told> = (0..8)
        .map(|id| {
            let mut case = Told::new(id, false);
            case.options = 2 + id % 2;
            case.served = [[Some("v1"), Some("v2"), None][id % 3]; 3];
            case
        })
        .collect();
    let found = summary(&told, &groups(None, &[]), false, "order<=5%");
    let kinds: Vec<SplitKind> = found.splits.by.iter().map(|split| split.kind).collect();
    assert_eq!(
        kinds,
        [SplitKind::Described, SplitKind::Options, SplitKind::Model]
    );
    let model = split(&found, "model");
    assert_eq!((model.cases_without, slice(model, "v1").pairs), (2, 3));
}

#[test]
fn fit_is_split_where_cases_are_labelled() {
    let told: Vec<Told> = (0..20)
        .map(|id| {
            let mut case = Told::new(id, false).field("desk", ["a", "b"][id % 2]);
            case.accept = (id < 18).then_some(u16::from(id % 2 == 1 && id < 14));
            case
        })
        .collect();
    let found = summary(&told, &groups(None, &["desk"]), false, "order<=5%");
    let split = split(&found, "desk");
    let fit: Vec<_> = split
        .values
        .iter()
        .map(|value| value.fit.as_ref().unwrap())
        .collect();
    assert_eq!((fit[0].hits, fit[0].pairs), (9, 9));
    assert_eq!((fit[1].hits, fit[1].pairs), (2, 9));
    // scipy.stats.fisher_exact([[9, 0], [2, 7]]): (C(9,9) C(9,2) + C(9,2) C(9,9)) / C(18,11).
    near(fit[0].p, 72.0 / 31_824.0);
}

#[test]
fn of_many_values_those_with_most_cases_are_kept_and_the_rest_counted() {
    let mut told: Vec<Told> = (0..60)
        .map(|id| Told::new(id, id == 0).field("n", id))
        .collect();
    told.extend((60..65).map(|id| Told::new(id, false).field("n", 59)));
    told.push(Told::new(65, false));
    let found = summary(&told, &groups(None, &["n"]), false, "order<=5%");
    let split = split(&found, "n");
    assert_eq!(
        (
            split.values.len(),
            split.values_left_out,
            split.cases_without
        ),
        (50, 10, 1)
    );
    assert_eq!(split.values.last().unwrap().cases, 6);
    let last = slice(split, "59");
    assert_eq!(
        (last.rest_pairs, last.rest_hits),
        (59, 1),
        "left out values are among the others"
    );
}

#[test]
fn nothing_is_tested_where_cases_come_in_clusters() {
    let told: Vec<Told> = (0..30)
        .map(|id| {
            Told::new(id, id < 6)
                .field("base", id / 3)
                .field("half", id % 2)
        })
        .collect();
    let found = summary(&told, &groups(Some("base"), &["half"]), false, "order<=5%");
    let split = split(&found, "half");
    assert!(split.reason.as_ref().unwrap().contains("not independent"));
    assert_eq!(found.splits.tests, 0);
    let half = slice(split, "0");
    assert_eq!((half.p, half.adjusted_p, half.flagged), (None, None, false));
    assert_eq!(half.pairs, 15);
    assert_eq!(found.cases[3].fields["base"], "1");
}

#[test]
fn groups_that_cannot_be_made_are_refused() {
    let mut told = levels();
    told[4].fields.clear();
    told[7].fields.clear();
    let cases = distinct(told.iter().map(Told::case).collect()).unwrap();
    let errors = groups(Some("level"), &["topic", "level"])
        .check(&cases)
        .unwrap_err();
    let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "test:5: case `c4` has no `level`, and 1 more case has none",
            "no case has the field `topic`"
        ]
    );
    assert_eq!(errors[1].help(), "the fields are `level`");
    // A duplicate with another value: which of the two counts would depend on the order of lines.
    let mut again = levels()[0].case();
    again.id.0 = "again".to_owned();
    again.fields.clear();
    let cases = distinct(vec![levels()[0].case(), again]).unwrap();
    assert_eq!(cases.duplicates[0].differs_in, ["level"]);
    assert!(groups(None, &[]).check(&cases).is_ok());
    let errors = groups(None, &["level"]).check(&cases).unwrap_err();
    assert!(matches!(errors[..], [GroupError::TwoValues { .. }]));
}

/// Step up by hand: the smallest `p n / rank` of this rank and those above.
fn adjusted(p: &[f64], at: usize) -> f64 {
    let mut sorted = p.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len() as f64;
    let ranked = sorted
        .iter()
        .enumerate()
        .filter(|(_, other)| **other >= p[at]);
    let steps = ranked.map(|(rank, other)| other * n / (rank + 1) as f64);
    steps.fold(1.0, f64::min)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn slices_add_up_and_are_adjusted_together(
        rows in proptest::collection::vec((0..5_u8, any::<bool>(), 0..3_u8, 0..4_u8), 2..40), by in 0..40_usize
    ) {
        let told: Vec<Told> = rows.iter().enumerate().map(|(id, &(topic, flips, level, lost))| {
            let mut case = Told::new(id, flips).field("topic", format!("t{topic}")).field("level", level);
            if lost == 0 {
                case.chose[1] = None;
            }
            case
        }).collect();
        let by_fields = groups(None, &["topic", "level"]);
        let found = summary(&told, &by_fields, false, "order<=5%");
        let line = &found.axes["order"]["reverse"].figure;
        let mut p = Vec::new();
        for split in &found.splits.by {
            let slices: Vec<&Slice> = split.values.iter().map(|value| &value.axes["order"]["reverse"]).collect();
            let sum = |of: fn(&Slice) -> u64| slices.iter().map(|slice| of(slice)).sum::<u64>();
            prop_assert_eq!(sum(|slice| slice.pairs), line.pairs);
            prop_assert_eq!(Some(sum(|slice| slice.hits)), line.flips);
            prop_assert_eq!(sum(|slice| slice.missing), line.missing);
            let once = if slices.len() == 2 { 1 } else { slices.len() };
            p.extend(slices.iter().take(once).filter_map(|slice| Some((slice.p?, slice.adjusted_p?))));
        }
        prop_assert_eq!(found.splits.tests, p.len() as u64);
        let raw: Vec<f64> = p.iter().map(|(p, _)| *p).collect();
        for (at, (_, found)) in p.iter().enumerate() {
            prop_assert!((adjusted(&raw, at) - found).abs() < 1e-12);
        }
        let mut moved = told;
        let by = by % moved.len();
        moved.rotate_left(by);
        prop_assert_eq!(summary(&moved, &by_fields, false, "order<=5%").splits, found.splits);
    }

    #[test]
    fn a_vacuous_case_changes_no_slice_but_its_count(flips in proptest::collection::vec(any::<bool>(), 4..20)) {
        let mut told: Vec<Told> = flips
            .iter()
            .enumerate()
            .map(|(id, &flips)| Told::new(id, flips).field("half", id % 2))
            .collect();
        let before = summary(&told, &groups(None, &["half"]), false, "order<=5%");
        let mut one = Told::new(99, false).field("half", 0);
        one.options = 1;
        told.push(one);
        let after = summary(&told, &groups(None, &["half"]), false, "order<=5%");
        let (a, b) = (slice(split(&before, "half"), "0"), slice(split(&after, "half"), "0"));
        prop_assert_eq!(b.vacuous, 1);
        prop_assert_eq!((a.hits, a.pairs, a.rate, a.p), (b.hits, b.pairs, b.rate, b.p));
    }
}
