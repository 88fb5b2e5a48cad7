//! The noise floor over all pairs of orders.

use flipside_core::stats::order_set::picker;

use super::support::{Said, near, orders, rows};

/// The public six-order sweep: 9 of 40 cases are not unanimous. The answers are ours, chosen so that the flip counts of
/// the 15 pairs are those of its measurement page. Orders stand as there: 0 to 5.
const SWEEP: [&str; 9] = [
    "aaaabb", "aaabaa", "aabbbb", "abbaaa", "abbabb", "abbbaa", "abbbbb", "abbbbb", "abbbca",
];

/// Its counts by pair of orders: 01, 02, .. 45.
const COUNTS: [u64; 15] = [6, 7, 6, 6, 5, 1, 4, 5, 5, 3, 4, 4, 5, 5, 1];

fn sweep() -> Vec<String> {
    let mut texts: Vec<String> = SWEEP.iter().map(|text| (*text).to_owned()).collect();
    texts.resize(40, "cccccc".to_owned());
    texts
}

fn three_options(texts: &[String]) -> Vec<super::support::Row> {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    rows(3, &texts)
}

#[test]
fn the_public_six_order_sweep_comes_out_under_its_own_names() {
    let found = orders(&three_options(&sweep()), "all");
    let [floor] = &found.noise_floor[..] else {
        panic!("one number of options");
    };
    let flips: Vec<u64> = floor.pairs.iter().map(|pair| pair.flips).collect();
    assert_eq!(flips, COUNTS);
    assert!(floor.pairs.iter().all(|pair| pair.pairs == 40));
    let first = &floor.pairs[0];
    assert_eq!((&*first.first, &*first.second), ("own", "all:1"));
    near(first.rate, 6.0 / 40.0);
    near(first.accuracy_ceiling, 1.0 - 0.075);
    assert_eq!((floor.order_pairs, floor.pairs_left_out), (15, 0));
    near(floor.mean, 0.111_666_666_667);
    near(floor.sd, 0.041_699_986_677_3);
    assert_eq!(floor.range, Some([0.025, 0.175]));
    // One model: 22.5 % of its cases flip in some order, 11.2 % of its pairs of answers differ.
    let agreement = &found.agreement;
    near(agreement.pairwise_disagreement.value, 0.111_666_666_667);
    assert_eq!((agreement.any_flip.count, agreement.any_flip.of), (9, 40));
    near(agreement.any_flip.rate, 0.225);
    let allowed = agreement.allowed.unwrap();
    near(Some(allowed.least), 0.075);
    near(Some(allowed.most), 0.18);
    assert!(allowed.holds);
}

#[test]
fn the_published_pair_of_the_sweep_has_six_pairs_under_it() {
    // The pair published there is order 0 against order 5, so order 5 is asked first.
    let moved: Vec<String> = sweep()
        .iter()
        .map(|text| {
            let letters: Vec<char> = text.chars().collect();
            [0, 5, 1, 2, 3, 4]
                .map(|place| letters[place])
                .iter()
                .collect()
        })
        .collect();
    let found = orders(&three_options(&moved), "all");
    let published = found.noise_floor[0].published.as_ref().unwrap();
    near(Some(published.rate), 5.0 / 40.0);
    assert_eq!(published.pairs_below, 6);
}

#[test]
fn a_picker_of_the_middle_shows_on_four_of_five_pairs_and_on_no_reversal() {
    // own, acb, bac, bca, cab, cba: the option in the middle.
    let found = orders(&rows(3, &["bcacab"; 12]), "all");
    let floor = &found.noise_floor[0];
    let middle = picker(3, 1).unwrap();
    near(floor.mean, middle.all_pairs);
    near(floor.mean, 0.8);
    near(floor.position_picker, 0.8);
    near(floor.random_answerer, 2.0 / 3.0);
    let reversal = &floor.pairs[4];
    assert_eq!((&*reversal.second, reversal.flips), ("all:5", 0));
    near(found.agreement.pairwise_disagreement.value, 0.8);
}

#[test]
fn each_number_of_options_has_its_own_pairs_of_orders() {
    let mut cases = rows(3, &["aaaaaa", "aaaaab"]);
    let mut two = rows(2, &["ab", "aa", "aa"]);
    for row in &mut two {
        row.name += 10;
    }
    cases.extend(two);
    let found = orders(&cases, "all");
    let shape: Vec<_> = found
        .noise_floor
        .iter()
        .map(|floor| (floor.options, floor.cases, floor.order_pairs))
        .collect();
    assert_eq!(shape, [(2, 3, 1), (3, 2, 15)]);
    near(found.noise_floor[0].mean, 1.0 / 3.0);
    near(found.noise_floor[1].mean, 5.0 / 2.0 / 15.0);
    assert_eq!(found.planned.least, 2);
    assert_eq!(
        found.agreement.allowed, None,
        "cases differ in their number of answers"
    );
}

#[test]
fn an_order_that_two_names_mean_counts_once_and_drawn_ones_say_so() {
    let found = orders(&rows(3, &["aaaabbb"; 4]), "reverse,all");
    let floor = &found.noise_floor[0];
    assert_eq!(
        floor.orders,
        ["own", "reverse", "all:1", "all:2", "all:3", "all:4"]
    );
    assert_eq!(floor.drawn_per_case, Vec::<String>::new());
    let found = orders(&rows(4, &["aab"; 4]), "random:2");
    assert_eq!(
        found.noise_floor[0].drawn_per_case,
        ["random:1", "random:2"]
    );
}

#[test]
fn pairs_with_a_missing_answer_or_none_decided_stand_beside_the_rate() {
    let found = orders(&rows(3, &["aab", "a!b", "a?a", "--a"]), "rotate");
    let pair = &found.noise_floor[0].pairs[0];
    assert_eq!(
        (pair.flips, pair.pairs, pair.missing, pair.no_decision),
        (0, 1, 2, 1)
    );
    let other = &found.noise_floor[0].pairs[1];
    assert_eq!((other.flips, other.pairs), (3, 4));
    assert_eq!((found.missing, found.unasked, found.no_decision), (1, 1, 2));
}

#[test]
fn more_orders_than_a_person_reads_are_in_the_figures_and_not_in_the_list() {
    let found = orders(&rows(4, &["aaaaaaaaaaaaaaaaaaaaaaab"; 3]), "all");
    let floor = &found.noise_floor[0];
    assert_eq!((floor.pairs.len(), floor.pairs_left_out), (0, 276));
    near(floor.mean, 23.0 / 276.0);
}

#[test]
fn without_an_answered_order_beside_the_own_one_there_is_nothing() {
    use super::support::summary;
    assert_eq!(summary(&rows(3, &["a", "b"]), "", "k").orders, None);
    assert_eq!(
        summary(&rows(3, &["a??", "b??"]), "rotate", "k").orders,
        None
    );
    assert_eq!(summary(&rows(3, &["aa", "bb"]), "same:1", "k").orders, None);
    let mut lost = rows(3, &["a", "b"]);
    for row in &mut lost {
        row.said.extend([Said::Failed, Said::Failed]);
    }
    let found = orders(&lost, "rotate");
    assert_eq!(found.noise_floor[0].mean, None);
    assert!(found.noise_floor[0].reason.is_some());
    assert_eq!(found.agreement.pairwise_disagreement.value, None);
    assert_eq!(found.agreement.too_few_answers, 2);
}
