//! What holds for every pairing.

use flipside_core::case::{Case, Key};
use flipside_core::json::Json;
use flipside_core::record::Outcome;
use flipside_core::summary::Summary;
use proptest::prelude::*;

use super::{case, chose, reversed, summary};

/// Cases of `sizes` options, each key and text its own.
fn cases(sizes: &[usize]) -> Vec<Case> {
    let case = |(number, size): (usize, &usize)| {
        let names: Vec<(String, String)> = (0..*size)
            .map(|option| (format!("k{option}"), format!("text {option} of {number}")))
            .collect();
        let options: Vec<(&str, &str)> = names
            .iter()
            .map(|(key, text)| (key.as_str(), text.as_str()))
            .collect();
        case(number, &options)
    };
    sizes.iter().enumerate().map(case).collect()
}

fn last(case: &Case) -> u16 {
    u16::try_from(case.options.len()).unwrap() - 1
}

/// Both sides of a reversal: by case what the baseline chose and what the variant chose, by identity.
type Sides = (Vec<(Case, Outcome)>, Vec<(Case, Outcome)>);

fn sides(cases: &[Case], picks: &[(u16, u16)]) -> Sides {
    let each = cases.iter().zip(picks).map(|(case, (own, other))| {
        let (own, other) = (own % (last(case) + 1), other % (last(case) + 1));
        let place = last(case) - other;
        (
            (case.clone(), chose(own)),
            (reversed(case.clone()), chose(place)),
        )
    });
    each.unzip()
}

fn drawn() -> impl Strategy<Value = (Vec<Case>, Vec<(u16, u16)>)> {
    let one = (2usize..6, (0u16..6, 0u16..6));
    prop::collection::vec(one, 1..12).prop_map(|drawn| {
        let (sizes, picks): (Vec<usize>, Vec<(u16, u16)>) = drawn.into_iter().unzip();
        (cases(&sizes), picks)
    })
}

/// Everything but the cases, in whose order nothing may hang.
fn figures(summary: &Summary) -> String {
    let mut summary = summary.clone();
    summary.cases.clear();
    summary.plan.digest.clear();
    format!("{summary:?}")
}

fn flips(summary: &Summary, axis: &str, name: &str) -> (u64, u64) {
    let figure = &summary.axes[axis][name].figure;
    (figure.flips.unwrap(), figure.pairs)
}

proptest! {
    #[test]
    fn one_place_always_flips_in_every_case_and_one_content_in_none((cases, picks) in drawn()) {
        let n = cases.len() as u64;
        // The first place on both sides: identity 0 and identity n - 1.
        let first = |case: &Case| (case.clone(), chose(0));
        let by_place = summary(
            cases.iter().map(first).collect(),
            cases.iter().map(|case| (reversed(case.clone()), chose(0))).collect(),
        );
        prop_assert_eq!(flips(&by_place, "order", "reverse"), (n, n));
        prop_assert_eq!(by_place.axes["order"]["reverse"].position_following, n);
        let same: Vec<(u16, u16)> = picks.iter().map(|(own, _)| (*own, *own)).collect();
        let (baseline, variant) = sides(&cases, &same);
        prop_assert_eq!(flips(&summary(baseline, variant), "order", "reverse"), (0, n));
    }

    #[test]
    fn rows_in_another_order_change_no_figure((cases, picks) in drawn(), by in 0usize..12) {
        let (baseline, variant) = sides(&cases, &picks);
        let told = figures(&summary(baseline.clone(), variant.clone()));
        let (mut moved, mut backwards) = (baseline, variant);
        let by = by % moved.len();
        moved.rotate_left(by);
        backwards.reverse();
        prop_assert_eq!(figures(&summary(moved, backwards)), told);
    }

    #[test]
    fn other_keys_on_one_side_change_no_flip_where_texts_are_unique((cases, picks) in drawn()) {
        let (baseline, variant) = sides(&cases, &picks);
        let named = flips(&summary(baseline.clone(), variant.clone()), "order", "reverse");
        let mut renamed = variant;
        for (case, _) in &mut renamed {
            // Keys of the other options, so that going by key would be wrong everywhere.
            let keys: Vec<Key> = case.options.iter().map(|option| option.key.clone()).collect();
            for (option, key) in case.options.iter_mut().zip(keys.iter().rev()) {
                option.key = key.clone();
            }
        }
        prop_assert_eq!(flips(&summary(baseline, renamed), "order", "reverse"), named);
    }

    #[test]
    fn other_names_of_the_options_on_both_sides_change_nothing((cases, picks) in drawn()) {
        let told = |cases: &[Case]| {
            let (baseline, variant) = sides(cases, &picks);
            figures(&summary(baseline, variant))
        };
        let mut others = cases.clone();
        for option in others.iter_mut().flat_map(|case| &mut case.options) {
            option.key.0 = option.key.0.replace('k', "q");
            let text = option.text.as_ref().and_then(Json::as_str).unwrap();
            option.text = Some(Json::String(format!("in other words, {text}")));
        }
        let rename = |text: String| text.replace("\"k", "\"q");
        prop_assert_eq!(rename(told(&cases)), told(&others));
    }
}
