//! Clusters: the golden values through the wiring, what they withhold, and laws.

use flipside_core::summary::{Summary, Verdict};
use proptest::prelude::*;

use super::{Told, groups, near, reverse, summary};

/// Cases of clusters, by the flips of each.
fn clusters(flips: &[&[bool]]) -> Vec<Told> {
    let mut told = Vec::new();
    for (cluster, cases) in flips.iter().enumerate() {
        for &flips in *cases {
            told.push(Told::new(told.len(), flips).field("base", format!("b{cluster}")));
        }
    }
    told
}

fn over(told: &[Told], strict: bool, gates: &str) -> Summary {
    summary(told, &groups(Some("base"), &[]), strict, gates)
}

#[test]
fn ten_clusters_of_three_with_six_flips_have_the_golden_bounds() {
    let none: &[bool] = &[false; 3];
    let all: &[bool] = &[true; 3];
    let one: &[bool] = &[true, false, false];
    let two: &[bool] = &[true, true, false];
    let told = clusters(&[all, none, none, one, none, none, none, two, none, none]);
    let found = over(&told, true, "order<=60%");
    let figure = &reverse(&found).figure;
    let spread = figure.clusters.as_ref().unwrap();
    assert_eq!(
        (figure.flips, figure.pairs, spread.clusters),
        (Some(6), 30, 10)
    );
    near(spread.standard_error, 0.113_311_544_747);
    near(spread.design_effect, 2.407_407_407_41);
    near(spread.effective, 10.186_154_776);
    near(figure.lower, 0.037_647_264_626_9);
    near(figure.upper, 0.503_508_561_048);
    assert_eq!(spread.reason, None);
    assert_eq!(figure.verdict, Verdict::Stable);
    // With one other order, a case with any flip is a case that flips in it.
    let any_flip = &found.orders.as_ref().unwrap().agreement.any_flip;
    assert_eq!((any_flip.count, any_flip.of), (6, 30));
    assert_eq!(
        (any_flip.lower, any_flip.upper, any_flip.interval),
        (figure.lower, figure.upper, figure.interval)
    );
    let clustering = found.cluster.as_ref().unwrap();
    assert_eq!((clustering.clusters, clustering.largest), (10, 3));
}

#[test]
fn no_flip_of_120_in_40_base_cases_shows_what_40_cases_show() {
    let none: &[bool] = &[false; 3];
    let told = clusters(&[none; 40]);
    let found = over(&told, true, "order<=5%,same<=5%");
    for figure in [
        &reverse(&found).figure,
        &found.control.as_ref().unwrap().figure,
    ] {
        near(figure.upper, 0.072_157_520_112);
        let spread = figure.clusters.as_ref().unwrap();
        assert_eq!(spread.design_effect, None);
        assert!(spread.reason.is_some());
        // 59 clean units show 5 % (the statistics page, 6.2).
        assert_eq!(spread.more_clusters, Some(19));
    }
    assert_eq!(reverse(&found).figure.verdict, Verdict::Inconclusive);
    assert_eq!(reverse(&found).more_pairs, None);
    let any_flip = &found.orders.as_ref().unwrap().agreement.any_flip;
    near(any_flip.upper, 0.072_157_520_112);
    let apart = summary(&told, &groups(None, &[]), true, "order<=5%");
    near(reverse(&apart).figure.upper, 0.024_655_3);
    assert_eq!(reverse(&apart).figure.verdict, Verdict::Stable);
    assert_eq!(
        (&apart.cluster, &reverse(&apart).figure.clusters),
        (&None, &None)
    );
}

#[test]
fn one_flip_among_clusters_shows_no_more_than_none_does() {
    let none: &[bool] = &[false; 3];
    let one: &[bool] = &[true, false, false];
    let mut rows = [none; 40];
    rows[7] = one;
    let found = over(&clusters(&rows), true, "order<=5%");
    let figure = &reverse(&found).figure;
    // Korn and Graubard alone give 0.040 here, since one flip looks independent.
    assert!(figure.clusters.as_ref().unwrap().design_effect.unwrap() < 1.02);
    near(figure.upper, 0.072_157_520_112);
    assert_eq!(figure.verdict, Verdict::Inconclusive);
}

#[test]
fn fewer_than_ten_clusters_are_never_stable() {
    let none: &[bool] = &[false; 40];
    for (count, word) in [(9, Verdict::Undecided), (10, Verdict::Stable)] {
        for strict in [false, true] {
            let found = over(
                &clusters(&vec![none; count]),
                strict,
                "order<=90%,same<=90%",
            );
            let figure = &reverse(&found).figure;
            assert_eq!(figure.verdict, word, "{count} {strict}");
            let why = (count < 10).then(|| "9 clusters, 10 are needed".to_owned());
            assert_eq!(figure.reason, why);
            let quiet = if count < 10 {
                Verdict::Undecided
            } else {
                Verdict::Quiet
            };
            assert_eq!(found.control.as_ref().unwrap().figure.verdict, quiet);
        }
    }
    let one = over(&clusters(&[none]), true, "order<=90%");
    let figure = &reverse(&one).figure;
    assert_eq!((figure.lower, figure.upper), (Some(0.0), Some(1.0)));
    assert_eq!(figure.verdict, Verdict::Inconclusive);
}

#[test]
fn a_missing_pair_is_a_flip_on_the_way_to_stable_and_none_on_the_way_to_sensitive() {
    let none: &[bool] = &[false; 3];
    let mut told = clusters(&[none; 40]);
    told[4].chose[1] = None;
    let found = over(&told, true, "order<=5%");
    let figure = &reverse(&found).figure;
    near(figure.upper, 0.072_157_520_112);
    assert_eq!((figure.lower, figure.missing), (Some(0.0), 1));
    assert_eq!(figure.clusters.as_ref().unwrap().more_clusters, None);
    for case in &mut told {
        case.chose[1] = None;
    }
    let lost = over(&told, true, "order<=5%");
    let figure = &reverse(&lost).figure;
    assert_eq!((figure.lower, figure.upper), (Some(0.0), Some(1.0)));
    assert_eq!((figure.rate, figure.interval), (None, None));
}

#[test]
fn fit_is_bounded_over_clusters_too() {
    let none: &[bool] = &[false; 3];
    let labelled = |rows: &[&[bool]]| {
        let mut told = clusters(rows);
        for case in &mut told {
            case.accept = Some(0);
        }
        told
    };
    let found = over(&labelled(&[none; 40]), true, "fit>=90%");
    // 1 - 0.072158: as many as 40 clusters show.
    near(found.fit.figure.lower, 1.0 - 0.072_157_520_112);
    assert_eq!(found.fit.figure.verdict, Verdict::Fits);
    let few = over(&labelled(&[none; 9]), true, "fit>=50%");
    assert_eq!(few.fit.figure.verdict, Verdict::FitInconclusive);
    assert_eq!(
        few.fit.figure.reason.as_deref(),
        Some("9 clusters, 10 are needed")
    );
}

/// Up to 15 clusters of up to 5 cases: what each pair says, none for a lost one.
fn drawn() -> impl Strategy<Value = Vec<Vec<Option<bool>>>> {
    let said = prop_oneof![4 => Just(Some(false)), 2 => Just(Some(true)), 1 => Just(None)];
    proptest::collection::vec(proptest::collection::vec(said, 1..6), 2..16)
}

/// The cases of drawn clusters, whose names `name` makes.
fn told(drawn: &[Vec<Option<bool>>], name: impl Fn(usize) -> String) -> Vec<Told> {
    let mut told: Vec<Told> = Vec::new();
    for (cluster, cases) in drawn.iter().enumerate() {
        for said in cases {
            let mut case = Told::new(told.len(), *said == Some(true)).field("base", name(cluster));
            if said.is_none() {
                case.chose[1] = None;
            }
            told.push(case);
        }
    }
    told
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]

    #[test]
    fn neither_the_order_of_cases_nor_names_of_clusters_change_a_figure(drawn in drawn(), by in 0..40_usize) {
        let cases = told(&drawn, |cluster| format!("b{cluster}"));
        let mut moved = told(&drawn, |cluster| format!("x{}", 99 - cluster));
        let by = by % moved.len();
        moved.rotate_left(by);
        let (a, b) = (over(&cases, true, "order<=30%"), over(&moved, true, "order<=30%"));
        prop_assert_eq!(a.axes, b.axes);
        prop_assert_eq!(a.control, b.control);
        prop_assert_eq!(a.fit, b.fit);
        prop_assert_eq!(a.splits, b.splits);
    }

    #[test]
    fn clusters_of_one_have_the_bounds_of_independent_cases(
        said in proptest::collection::vec(prop_oneof![Just(Some(false)), Just(Some(true)), Just(None)], 1..40)
    ) {
        let drawn: Vec<Vec<Option<bool>>> = said.into_iter().map(|said| vec![said]).collect();
        let cases = told(&drawn, |cluster| format!("b{cluster}"));
        let (a, b) = (over(&cases, true, "order<=30%"), summary(&cases, &groups(None, &[]), true, "order<=30%"));
        let (a, b) = (&reverse(&a).figure, &reverse(&b).figure);
        prop_assert_eq!((a.lower, a.upper, a.interval, a.rate), (b.lower, b.upper, b.interval, b.rate));
    }

    #[test]
    fn clusters_never_show_more_than_independent_cases_would(drawn in drawn()) {
        let cases = told(&drawn, |cluster| format!("b{cluster}"));
        let (a, b) = (over(&cases, true, "order<=30%"), summary(&cases, &groups(None, &[]), true, "order<=30%"));
        let (a, b) = (&reverse(&a).figure, &reverse(&b).figure);
        prop_assert!(a.lower.unwrap() <= b.lower.unwrap() + 1e-12);
        prop_assert!(a.upper.unwrap() >= b.upper.unwrap() - 1e-12);
        if let Some(rate) = a.rate {
            let [lower, upper] = a.interval.unwrap();
            prop_assert!(lower <= rate + 1e-12 && rate <= upper + 1e-12);
        }
    }

    #[test]
    fn losing_an_answer_never_makes_clusters_stable(drawn in drawn(), at in 0..80_usize, limit in 5..80_u32) {
        let known: Vec<Vec<Option<bool>>> =
            drawn.iter().map(|cases| cases.iter().map(|said| Some(said.unwrap_or(false))).collect()).collect();
        let cases = told(&known, |cluster| format!("b{cluster}"));
        let mut lost = cases.clone();
        let at = at % lost.len();
        lost[at].chose[1] = None;
        let gate = format!("order<={limit}%");
        for strict in [false, true] {
            let (before, after) = (over(&cases, strict, &gate), over(&lost, strict, &gate));
            let stable = |summary: &Summary| reverse(summary).figure.verdict == Verdict::Stable;
            prop_assert!(stable(&before) || !stable(&after));
        }
    }

    #[test]
    fn the_test_of_the_limit_agrees_with_the_lower_bound(drawn in drawn(), limit in 1..80_u32) {
        let cases = told(&drawn, |cluster| format!("b{cluster}"));
        let found = over(&cases, true, &format!("order<={limit}%"));
        let line = reverse(&found);
        let (p, lower) = (line.over_limit_p.unwrap(), line.figure.lower.unwrap());
        let limit = f64::from(limit) / 100.0;
        // At the bound itself both are rounded.
        if (lower - limit).abs() > 1e-9 {
            prop_assert_eq!(p < 0.05, lower > limit, "{} {}", p, lower);
        }
    }
}
