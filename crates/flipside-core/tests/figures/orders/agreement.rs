//! D, U, modal share, kappa, and what the next asks should buy.

use flipside_core::stats::Method;

use super::support::{near, orders, rows};

#[test]
fn one_case_has_the_agreement_of_its_golden() {
    for (text, disagreement, modal) in [
        ("aaaaaa", 0.0, 1.0),
        ("aaaaab", 1.0 / 3.0, 5.0 / 6.0),
        ("aabbcc", 0.8, 1.0 / 3.0),
        ("aaabbb", 0.6, 0.5),
    ] {
        let found = orders(&rows(3, &[text]), "all").agreement;
        near(found.pairwise_disagreement.value, disagreement);
        near(found.modal_share.value, modal);
        assert_eq!(
            found.any_flip.count,
            u64::from(disagreement > 0.0),
            "{text}"
        );
    }
}

#[test]
fn not_deciding_is_an_answer_and_two_of_them_are_no_pair() {
    // One decision and two without: both pairs with the decision differ, the third is none.
    let found = orders(&rows(3, &["a--", "---", "aa-", "aaa"]), "rotate").agreement;
    assert_eq!((found.cases, found.no_decision), (3, 1));
    near(found.pairwise_disagreement.value, (1.0 + 2.0 / 3.0) / 3.0);
    assert_eq!((found.any_flip.count, found.any_flip.of), (2, 3));
    near(found.modal_share.value, (2.0 / 3.0 + 2.0 / 3.0 + 1.0) / 3.0);
    assert_eq!(
        found.allowed, None,
        "the upper bound knows no pairs left out"
    );
}

#[test]
fn a_missing_order_leaves_a_unanimous_case_open_and_the_bounds_know() {
    let found = orders(&rows(3, &["aa!", "ab?", "aaa", "a!!", "bbb"]), "rotate").agreement;
    let flips = &found.any_flip;
    assert_eq!((flips.count, flips.of), (1, 4));
    assert_eq!((found.any_flip_open, found.too_few_answers), (1, 1));
    // One of five for certain; at worst three of five. One-sided exact bounds at 5 %.
    near(flips.lower, 1.0 - 0.95_f64.powf(0.2));
    let upper = flips.upper.unwrap();
    let cdf: f64 = [(1.0, 0), (5.0, 1), (10.0, 2), (10.0, 3)]
        .iter()
        .map(|(ways, hits)| ways * upper.powi(*hits) * (1.0 - upper).powi(5 - hits))
        .sum();
    near(Some(cdf), 0.05);
}

#[test]
fn d_is_bootstrapped_where_ten_cases_disagree_and_bet_on_where_fewer_do() {
    let nine: Vec<&str> = ["aab"; 9].into_iter().chain(["aaa"; 31]).collect();
    let few = orders(&rows(3, &nine), "rotate")
        .agreement
        .pairwise_disagreement;
    assert_eq!((few.method, few.seed), (Some(Method::Betting), None));
    let ten: Vec<&str> = ["aab"; 10].into_iter().chain(["aaa"; 30]).collect();
    let many = orders(&rows(3, &ten), "rotate")
        .agreement
        .pairwise_disagreement;
    assert_eq!(
        (many.method, many.seed),
        (Some(Method::ClusterBootstrap), Some(5))
    );
    near(many.value, 1.0 / 6.0);
    // The mean of 40 values of 0 and 2/3 with a share of 1/4: the normal interval is 0.167 -+ 0.0895.
    let [low, high] = many.interval.unwrap();
    assert!(
        (low - 0.0772).abs() < 0.02 && (high - 0.2561).abs() < 0.02,
        "{low} {high}"
    );
    let all = orders(&rows(3, &["abc"; 40]), "rotate")
        .agreement
        .pairwise_disagreement;
    assert_eq!(
        all.method,
        Some(Method::Betting),
        "no resample differs from another"
    );
    let [low, high] = all.interval.unwrap();
    assert!(low < 0.95 && high == 1.0, "{low} {high}");
    let none = orders(&rows(3, &["aaa"; 50]), "rotate")
        .agreement
        .pairwise_disagreement;
    let [low, high] = none.interval.unwrap();
    assert_eq!(low, 0.0);
    assert!(
        (high - 0.102_927).abs() < 1e-6,
        "the golden of 50 zeros: {high}"
    );
}

#[test]
fn kappas_have_the_values_of_their_goldens() {
    let texts = ["aaaaaa", "bbbbbb", "aaaaab", "cccccc", "aaabbb"];
    let found = orders(&rows(3, &texts), "all").agreement.chance_adjusted;
    near(found.fleiss.value, 0.704_225_352_113);
    near(found.fleiss.observed, 0.813_333_333_333);
    assert_eq!(found.fleiss.interval, None);
    // D is 0, 1/3, .6 over five cases: observed 1 - 14/75, chance 1/3.
    near(found.brennan_prediger.value, 1.0 - (14.0 / 75.0) * 1.5);
    let constant = orders(&rows(3, &["aaa"; 4]), "rotate")
        .agreement
        .chance_adjusted;
    assert_eq!(constant.fleiss.value, None);
    assert_eq!(
        constant.fleiss.reason.as_deref(),
        Some("one key takes every answer")
    );
    near(constant.brennan_prediger.value, 1.0);
}

#[test]
fn cases_with_other_keys_have_no_fleiss_kappa_and_still_a_chance() {
    let mut cases = rows(3, &["aaaaaa", "aabbcc"]);
    let mut four = rows(4, &["aaaaaaaaaaaaaaaaaaaaaaaa"]);
    four[0].name = 9;
    cases.extend(four);
    let found = orders(&cases, "all").agreement;
    assert_eq!(found.chance_adjusted.fleiss.value, None);
    assert_eq!(
        found.chance_adjusted.fleiss.reason.as_deref(),
        Some("cases choose among different keys")
    );
    // Observed 1 - .8/3, chance (1/3 + 1/3 + 1/4)/3.
    near(found.chance_adjusted.brennan_prediger.value, 0.616);
    assert_eq!(
        (found.orders.unwrap().least, found.orders.unwrap().most),
        (6, 24)
    );
}

/// Eight cases by three other orders, flips against the own one: the golden `star_8x3`.
const STAR: [&str; 8] = [
    "aaaa", "aaaa", "abbb", "aaba", "aaaa", "abba", "aaaa", "aaaa",
];

#[test]
fn three_stars_of_eight_cases_have_their_variance_components() {
    let small = orders(&rows(4, &STAR), "rotate").variance;
    assert_eq!(small.rho, None);
    assert_eq!(
        small.reason.as_deref(),
        Some("needs 20 cases compared in 3 other orders: 8 in 3")
    );
    let found = orders(&rows(4, &STAR.repeat(3)), "rotate").variance;
    // The golden's sums of squares, three times: 9.5 between on 23, 4 within on 48.
    let (between, within) = (9.5 / 23.0, 4.0 / 48.0);
    let spread = (between - within) / 3.0;
    near(found.flip_rate, 0.25);
    near(found.within, within);
    near(found.between, spread);
    near(found.rho, spread / (spread + within));
    near(found.best_orders, (within / spread).sqrt());
    assert!(!found.all_orders);
    assert_eq!(found.rho_interval, None, "nine cases flip");
    let [cases, orders] = &found.choices[..] else {
        panic!("two ways to spend the asks");
    };
    assert_eq!((cases.cases, cases.orders, cases.asks), (48, 2, 96));
    near(
        Some(cases.standard_error),
        ((spread + within) / 48.0).sqrt(),
    );
    assert_eq!((orders.cases, orders.orders, orders.asks), (24, 4, 96));
    near(
        Some(orders.standard_error),
        ((spread + within / 3.0) / 24.0).sqrt(),
    );
}

#[test]
fn a_run_in_which_nothing_flips_has_no_variance_to_divide() {
    let found = orders(&rows(4, &["aaaa"; 24]), "rotate").variance;
    assert_eq!((found.flip_rate, found.rho), (Some(0.0), None));
    assert!(found.choices.is_empty() && found.reason.is_some());
}

#[test]
fn a_case_without_all_its_pairs_is_left_out_of_the_table() {
    let mut texts = STAR.repeat(3);
    texts[0] = "aa!a";
    texts[1] = "--aa";
    let found = orders(&rows(4, &texts), "rotate").variance;
    assert_eq!((found.cases, found.left_out), (22, 2));
}
