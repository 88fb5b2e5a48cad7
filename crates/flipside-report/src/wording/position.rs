//! Position preference in words.

use std::fmt::Write;

use flipside_core::drift_gate::digits;
use flipside_core::summary::{
    AcceptedPositions, BalancedMethod, EndPreference, Line, OrderPlaces, PositionBalanced,
    PositionDesign, PositionPairs, PositionPreference, PositionRecall, PositionTest,
    PositionUniformity, Unseen,
};

use super::number::{count, p_value, percent, percent_of, points, range};
use super::split::over_clusters;
use super::text::{foreign, list, plural};

/// Lists longer than this are cut.
const LISTED: usize = 12;

/// Shares of the ends and of what is preferred, and what can be concluded: `first 45.0%, last 10.0% of 240 answers (even
/// would be 33.3%); prefers the first, p 0.00123`. `several`: whether there are other numbers of options.
pub fn preference(found: &PositionPreference, several: bool) -> String {
    let (counts, all) = basis(found);
    let share = |place: usize| percent_of(counts.get(place).copied().unwrap_or(0), all);
    let last = counts.len().saturating_sub(1);
    let group = if several {
        format!("{} options: ", count(found.options))
    } else {
        String::new()
    };
    let answers = plural(all, "answer", "answers");
    let mut chosen = (0..=last).filter(|&place| counts.get(place) > Some(&0));
    let shares = if let (Some(place), None) = (chosen.next(), chosen.next()) {
        format!("always {} in {answers}", the(place, last))
    } else {
        let mut places = vec![0, last];
        places.extend(found.preferred.iter().map(|&place| usize::from(place)));
        places.sort_unstable();
        places.dedup();
        let each: Vec<String> = places
            .iter()
            .map(|&place| format!("{} {}", place_name(place, last), share(place)))
            .collect();
        format!("{} of {answers}", each.join(", "))
    };
    let even = percent_of(1, found.options);
    format!("{group}{shares} (even is {even}); {}", conclusion(found))
}

/// The answers that the test is about, by position, else all of them.
fn basis(found: &PositionPreference) -> (Vec<u64>, u64) {
    let counts = match (&found.uniformity, &found.balanced, found.p_of) {
        (Some(test), _, Some(PositionTest::Uniformity)) => test.counts.clone(),
        (_, Some(test), Some(PositionTest::Balanced)) => test.counts.clone(),
        _ => found.chosen.clone(),
    };
    let all = counts.iter().sum();
    (counts, all)
}

/// Whether position is preferred, and how that is known.
fn conclusion(found: &PositionPreference) -> String {
    let adjusted = if found.p == found.p_adjusted {
        "p"
    } else {
        "adjusted p"
    };
    let p = found
        .p_adjusted
        .map(|p| format!("{adjusted} {}", p_value(p)));
    let pairs = found
        .reverse_pairs
        .as_ref()
        .filter(|_| found.p_of == Some(PositionTest::ReversePairs));
    let by = pairs.map_or_else(String::new, |pairs| {
        format!(
            " (reversal: {} to {})",
            count(pairs.first_both),
            count(pairs.last_both)
        )
    });
    match (&found.preferred[..], p) {
        ([], Some(p)) => format!("no preference shown, {p}{by}"),
        (preferred, Some(p)) => format!("prefers {}, {p}{by}", named(preferred, found)),
        (_, None) => untested(found),
    }
}

/// What there is to say without a p value.
fn untested(found: &PositionPreference) -> String {
    match (&found.balanced, found.design) {
        (Some(test), _) => test
            .reason
            .as_deref()
            .map_or_else(|| "not tested".to_owned(), foreign),
        (None, PositionDesign::Other) => "no test: content is mixed in, ask `balanced`".to_owned(),
        _ => "not tested".to_owned(),
    }
}

fn place_name(place: usize, last: usize) -> String {
    match place {
        0 => "first".to_owned(),
        place if place == last => "last".to_owned(),
        place => format!("position {}", place + 1),
    }
}

/// `the first`, `the last` or `position 2`.
fn the(place: usize, last: usize) -> String {
    let name = place_name(place, last);
    if place == 0 || place == last {
        format!("the {name}")
    } else {
        name
    }
}

fn named(places: &[u16], found: &PositionPreference) -> String {
    let last = found.chosen.len().saturating_sub(1);
    let each: Vec<String> = places
        .iter()
        .map(|&place| the(usize::from(place), last))
        .collect();
    list(&each)
}

/// Answers by position, and positions that none came from: `58, 25, 0 of 83 by position; position 3 never chosen`.
pub fn chosen(found: &PositionPreference) -> String {
    let mut parts = vec![format!(
        "{} of {} by position",
        listed(found.chosen.iter().map(|&n| count(n))),
        plural(found.answers, "answer", "answers")
    )];
    let lost = [
        (found.missing, "missing"),
        (found.no_decision, "without a decision"),
    ];
    parts.extend(
        lost.iter()
            .filter(|(n, _)| *n > 0)
            .map(|(n, what)| format!("{} {what}", count(*n))),
    );
    if let Some(never) = found.never_chosen.first() {
        let places = found
            .never_chosen
            .iter()
            .map(|never| (u32::from(never.position) + 1).to_string());
        let chance = never
            .chance
            .map(|chance| format!(", by even chance {} for each", p_value(chance)));
        parts.push(format!(
            "never chosen: position {} (offered {}{})",
            listed(places),
            plural(never.offered, "time", "times"),
            chance.unwrap_or_default()
        ));
    }
    parts.join("; ")
}

/// Where the answers of one order stood: `first 71, last 329 of 400 answers (even choice would put 200 at each end)`, with one number
/// of options, three or more, by position too.
pub fn ends(found: &OrderPlaces) -> String {
    let by_position = match &found.by_options[..] {
        [only] if only.options > 2 => {
            let counts = listed(only.counts.iter().map(|&n| count(n)));
            format!("; {counts} by position")
        }
        _ => String::new(),
    };
    format!(
        "first {}, last {} of {} (even choice would put {} at each end){by_position}",
        count(found.first),
        count(found.last),
        plural(found.answers, "answer", "answers"),
        digits(found.expected)
    )
}

/// Mean share per position with its interval; empty without one.
pub fn shares(found: &PositionPreference) -> Option<String> {
    let each = found
        .shares
        .iter()
        .map(|share| format!("{} ({})", percent(share.value), range(share.interval)));
    (!found.shares.is_empty()).then(|| {
        let content = match found.design {
            PositionDesign::Other => ", content mixed in",
            _ => "",
        };
        format!("{} mean over cases (95% CI){content}", listed(each))
    })
}

/// Up to a dozen items with commas.
fn listed(items: impl ExactSizeIterator<Item = String>) -> String {
    let all = items.len();
    let mut shown: Vec<String> = items.take(LISTED).collect();
    if all > shown.len() {
        shown.push("…".to_owned());
    }
    shown.join(", ")
}

/// The test over balanced sets.
pub fn balanced(test: &PositionBalanced) -> String {
    let mut parts = Vec::new();
    match (test.f, test.df, test.p) {
        (Some(f), Some([a, b]), Some(p)) => parts.push(format!(
            "Hotelling F {f:.2} on {} and {}, p {}",
            count(a),
            count(b),
            p_value(p)
        )),
        (_, _, Some(p)) if test.method == BalancedMethod::Betting => {
            parts.push(format!("by bets on each position, p {}", p_value(p)));
        }
        _ => {}
    }
    parts.extend(test.reason.as_deref().map(foreign));
    parts.push(format!(
        "{}{} with all {} answered",
        plural(test.cases, "case", "cases"),
        test.clusters
            .map(|clusters| format!(" in {}", plural(clusters, "cluster", "clusters")))
            .unwrap_or_default(),
        plural(test.orders, "order", "orders")
    ));
    if test.left_out > 0 {
        parts.push(format!(
            "{} left out with an order missing",
            count(test.left_out)
        ));
    }
    if test.no_decision > 0 {
        parts.push(format!(
            "{} left out without a decision",
            count(test.no_decision)
        ));
    }
    parts.join("; ")
}

/// The test of one random order per case.
pub fn uniformity(test: &PositionUniformity) -> String {
    let exact = match (test.clusters, test.p_exact, test.p) {
        (Some(clusters), _, Some(p)) => format!(
            ", p {} by Hotelling's F over {}",
            p_value(p),
            plural(clusters, "cluster", "clusters")
        ),
        (Some(_), _, None) => ", no test: too few clusters, or too much alike".to_owned(),
        (None, Some(p), _) => format!(", exact p {}", p_value(p)),
        (None, None, None) => {
            ", too few for the chi-square and too many for the exact test".to_owned()
        }
        (None, None, Some(_)) => String::new(),
    };
    let p = |p: Option<f64>| {
        p.map(|p| format!(" (p {})", p_value(p)))
            .unwrap_or_default()
    };
    let mut text = format!(
        "chi-square {:.2}{}, G {:.2}{} on {}{exact}; {} of one ask per case",
        test.chi_square,
        p(test.p_chi_square),
        test.g,
        p(test.p_g),
        test.df,
        listed(test.counts.iter().map(|&n| count(n))),
    );
    if test.own_orders > 0 {
        let _ = write!(
            text,
            ", {} of them in the own order",
            count(test.own_orders)
        );
    }
    if test.left_out > 0 {
        let _ = write!(
            text,
            "; {} left out without an answer",
            count(test.left_out)
        );
    }
    text
}

/// Flips of the reversal that stayed at one end.
pub fn reverse_pairs(pairs: &PositionPairs) -> String {
    let test = match (pairs.index, pairs.p) {
        (Some(index), Some(p)) => format!(
            "; index {index:+.2}, exact sign test{} p {}",
            over_clusters(pairs.clusters.as_ref()),
            p_value(p)
        ),
        _ => String::new(),
    };
    let blind = if pairs.blind_to_symmetric {
        "; cannot see a preference for both ends or for the middle"
    } else {
        ""
    };
    format!(
        "first both times {}, last both times {} of {}{test}{blind}",
        count(pairs.first_both),
        count(pairs.last_both),
        plural(pairs.flips, "flip", "flips")
    )
}

/// Recall by position: `80.0%, 60.0%, 50.0%; RStd 12.5%, 11.2% without sampling noise; chi-square 10.05 on 2, p 0.00658`.
pub fn recall(recall: &PositionRecall) -> String {
    let mut parts = Vec::new();
    if !recall.recalls.is_empty() {
        let each = recall
            .recalls
            .iter()
            .map(|share| share.map_or_else(|| "-".to_owned(), percent));
        parts.push(listed(each));
    }
    if let Some(rstd) = recall.rstd_percent {
        let interval = recall
            .rstd_interval_percent
            .map(|[lower, upper]| format!(" (95% CI {lower:.1}-{upper:.1})"));
        let corrected = recall
            .rstd_corrected_percent
            .map(|corrected| format!(", {corrected:.1} without sampling noise"));
        parts.push(format!(
            "RStd {rstd:.1}{}{}",
            interval.unwrap_or_default(),
            corrected.unwrap_or_default()
        ));
    }
    if let (Some(chi_square), Some(df)) = (recall.chi_square, recall.df) {
        let p = recall.p.map(|p| format!(", p {}", p_value(p)));
        parts.push(format!(
            "equal recalls: chi-square {chi_square:.2} on {df}{}",
            p.unwrap_or_default()
        ));
    }
    parts.extend(recall.reason.as_deref().map(foreign));
    if recall.answers > 0 {
        parts.push(plural(recall.answers, "answer", "answers"));
    }
    let lost = [
        (recall.no_decision, "without a decision"),
        (
            recall.several_accepted,
            "cases with several accepted options left out",
        ),
    ];
    parts.extend(
        lost.iter()
            .filter(|(n, _)| *n > 0)
            .map(|(n, what)| format!("{} {what}", count(*n))),
    );
    parts.join("; ")
}

/// What models that read nothing would flip on.
pub fn pickers(found: &PositionPreference) -> String {
    format!(
        "one position always would flip under {} of random other orders, a random answer under {}",
        percent(found.constant_position_flip_rate),
        percent(found.random_flip_rate)
    )
}

/// What the orders asked cannot see; `None` where that is nothing.
pub fn unseen(unseen: &Unseen) -> Option<String> {
    let mut parts = Vec::new();
    if unseen.symmetric {
        parts.push("a preference for both ends or for the middle".to_owned());
    }
    if unseen.neighbours {
        parts.push("an effect of the option before or after".to_owned());
    }
    if !unseen.fixed_positions.is_empty() {
        let places = unseen
            .fixed_positions
            .iter()
            .map(|&place| (u32::from(place) + 1).to_string());
        parts.push(format!("a preference for position {}", listed(places)));
    }
    (!parts.is_empty()).then(|| list(&parts))
}

/// Primacy or recency: `+66.7 points (95% CI +60.1 to +66.7) over 30 cases`.
pub fn end(found: &EndPreference) -> String {
    let content = if found.content_balanced {
        ""
    } else {
        ", content mixed in"
    };
    let [lower, upper] = found.interval;
    format!(
        "{} points (95% CI {} to {}) over {}{content}",
        points(found.value),
        points(lower),
        points(upper),
        plural(found.cases, "case", "cases")
    )
}

/// Flips where the choice moved: `8/8 flipped where the choice moved (95% CI 67.6-100.0%)`.
pub fn moved(line: &Line) -> String {
    match (line.moved_rate, line.moved_interval) {
        (Some(_), Some(interval)) => format!(
            "{}/{} flipped where the change moved the chosen option (95% CI {})",
            count(line.moved_flips),
            count(line.moved),
            range(interval)
        ),
        _ => "the change moved no chosen option".to_owned(),
    }
}

/// Where accepted options stand: `8, 0, 0 of 8 cases by position, exact p 0.000457 of an even spread`.
pub fn accepted(found: &AcceptedPositions) -> String {
    let text = format!(
        "{} of {} by position in the own order",
        listed(found.counts.iter().map(|&n| count(n))),
        plural(found.cases, "case", "cases")
    );
    let test = match (found.p, found.chi_square, found.df) {
        (Some(p), ..) if found.exact => Some(format!("even: exact p {}", p_value(p))),
        (Some(p), Some(chi_square), Some(df)) => Some(format!(
            "even: chi-square {chi_square:.2} on {df}, p {}",
            p_value(p)
        )),
        _ => None,
    };
    let reason = found
        .reason
        .as_deref()
        .map(|reason| format!("no test: {}", foreign(reason)));
    let several = (found.several_accepted > 0).then(|| {
        let cases = plural(found.several_accepted, "case", "cases");
        format!("{cases} with several accepted options left out")
    });
    let parts = [Some(text), test, reason, several];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}
