//! Figures across all orders in words.

mod labels;

use flipside_core::summary::{
    Agreement, CaseMean, CaseShare, Coefficient, NoiseFloor, OrderPair, Orders, Range,
};

use super::number::{count, percent, points, range};
use super::text::{foreign, list, name, plural};

/// One figure: its name, its value, and what stands beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The name.
    pub name: String,
    /// The value, or `-`.
    pub value: String,
    /// Denominator, interval and notes, or why there is no value.
    pub rest: String,
}

pub(super) fn told(
    name: impl Into<String>,
    value: impl Into<String>,
    rest: impl Into<String>,
) -> Told {
    Told {
        name: name.into(),
        value: value.into(),
        rest: rest.into(),
    }
}

fn nothing(name: &str, reason: Option<&String>) -> Told {
    told(
        name,
        "-",
        reason.map(|reason| foreign(reason)).unwrap_or_default(),
    )
}

/// The disagreement over all pairs of orders; `None` where cases were asked in two orders only, whose one pair has a line.
pub fn all_pairs(orders: &Orders) -> Option<Told> {
    let mean = &orders.agreement.pairwise_disagreement;
    let (value, _) = mean.value.zip(several(&orders.agreement))?;
    let interval = mean
        .interval
        .map(|interval| format!("95% CI {} ", range(interval)));
    let floor = match &orders.noise_floor[..] {
        [floor] => floor_text(floor).map(|text| format!("; {text}")),
        _ => None,
    };
    Some(told(
        "all pairs",
        format!("{} differ", percent(value)),
        format!(
            "{}over {}{}",
            interval.unwrap_or_default(),
            plural(mean.cases, "case", "cases"),
            floor.unwrap_or_default()
        ),
    ))
}

/// The any-flip share with what it shows in general; `None` as for [`all_pairs`].
pub fn any_flip(orders: &Orders) -> Option<(Told, String)> {
    let asked = several(&orders.agreement)?;
    let flips = &orders.agreement.any_flip;
    let open = match orders.agreement.any_flip_open {
        0 => String::new(),
        open => format!(", {} open (an order missing)", count(open)),
    };
    let told = told(
        "any flip",
        format!("{}/{} flipped", count(flips.count), count(flips.of)),
        format!("over {}{open}", spoken(asked, "orders")),
    );
    Some((told, in_general(flips)))
}

/// How many orders cases were answered in, where that is more than two.
fn several(agreement: &Agreement) -> Option<Range> {
    agreement.orders.filter(|orders| orders.most > 2)
}

/// Every figure across orders, a line each.
pub fn across_orders(orders: &Orders) -> Vec<Told> {
    let lost = [
        (orders.missing, "missing"),
        (orders.unasked, "unasked"),
        (orders.no_decision, "without a decision"),
    ];
    let lost = counted(&lost);
    let mut lines = vec![told(
        "asked",
        plural(orders.cases, "case", "cases"),
        format!("in {}{lost}", spoken(orders.planned, "orders")),
    )];
    lines.extend(agreement(&orders.agreement));
    let several_sizes = orders.noise_floor.len() > 1;
    for floor in &orders.noise_floor {
        lines.extend(noise_floor(floor, several_sizes));
    }
    lines.extend(labels::accuracy(&orders.accuracy));
    lines.extend(labels::calibration(&orders.calibration));
    lines.extend(labels::variance(&orders.variance));
    lines
}

pub(super) fn spoken(range: Range, what: &str) -> String {
    if range.least == range.most {
        format!("{} {what}", count(range.most))
    } else {
        format!("{} to {} {what}", count(range.least), count(range.most))
    }
}

/// `, 2 missing, 1 unasked`: what there is any of.
fn counted(named: &[(u64, &str)]) -> String {
    let some = named.iter().filter(|(n, _)| *n > 0);
    let texts: Vec<String> = some
        .map(|(n, what)| format!(", {} {what}", count(*n)))
        .collect();
    texts.concat()
}

/// A number that is no share, with three decimals.
fn decimal(value: f64) -> String {
    let text = format!("{value:.3}");
    if text == "-0.000" {
        "0.000".to_owned()
    } else {
        text
    }
}

fn decimals([low, high]: [f64; 2]) -> String {
    format!("{} to {}", decimal(low), decimal(high))
}

fn mean_text(mean: &CaseMean) -> String {
    let over = format!("mean over {}", plural(mean.cases, "case", "cases"));
    match mean.interval {
        Some(interval) => format!("{over} (95% CI {})", range(interval)),
        None => over,
    }
}

/// The bound that has something to say: an upper bound of 1 says nothing.
pub(super) fn in_general(share: &CaseShare) -> String {
    match (share.lower, share.upper) {
        (_, Some(upper)) if upper < 1.0 => format!("up to {} in general", percent(upper)),
        (Some(lower), _) => format!("at least {} in general", percent(lower)),
        _ => "nothing to compare".to_owned(),
    }
}

fn mean_line(name: &str, mean: &CaseMean) -> Told {
    match mean.value {
        Some(value) => told(name, percent(value), mean_text(mean)),
        None => nothing(name, mean.reason.as_ref()),
    }
}

fn share_line(name: &str, share: &CaseShare, rest: &str) -> Told {
    let (Some(rate), Some(interval)) = (share.rate, share.interval) else {
        return nothing(name, share.reason.as_ref());
    };
    let counted = format!(
        "{}/{} ({})",
        count(share.count),
        count(share.of),
        percent(rate)
    );
    let bounds = match (share.lower, share.upper) {
        (Some(lower), Some(upper)) => format!(", {} in general", range([lower, upper])),
        _ => String::new(),
    };
    told(
        name,
        counted,
        format!("95% CI {}{bounds}{rest}", range(interval)),
    )
}

fn agreement(agreement: &Agreement) -> Vec<Told> {
    let over = agreement
        .orders
        .map(|orders| format!(", over {}", spoken(orders, "orders")))
        .unwrap_or_default();
    let left_out = [
        (agreement.any_flip_open, "unanimous with an order missing"),
        (
            agreement.too_few_answers,
            "left out with fewer than two answers",
        ),
        (agreement.no_decision, "left out without a decision"),
    ];
    let left_out = counted(&left_out);
    let mut lines = vec![
        mean_line("pairwise disagreement D", &agreement.pairwise_disagreement),
        share_line(
            "any-flip U",
            &agreement.any_flip,
            &format!("{over}{left_out}"),
        ),
    ];
    lines.extend(agreement.allowed.map(|allowed| {
        let holds = if allowed.holds {
            "D lies between 2U/m and U Dmax, as it must"
        } else {
            "D lies outside 2U/m and U Dmax: please report this"
        };
        told("allowed D", range([allowed.least, allowed.most]), holds)
    }));
    lines.push(mean_line("modal share", &agreement.modal_share));
    let adjusted = &agreement.chance_adjusted;
    lines.push(coefficient(
        "Brennan-Prediger kappa",
        &adjusted.brennan_prediger,
    ));
    lines.push(coefficient("Fleiss kappa", &adjusted.fleiss));
    lines
}

fn coefficient(name: &str, found: &Coefficient) -> Told {
    let Some(value) = found.value else {
        return nothing(name, found.reason.as_ref());
    };
    let over = plural(found.cases, "case", "cases");
    let agreed = found.observed.zip(found.chance).map(|(observed, chance)| {
        format!(
            ": {} agree, {} by chance",
            percent(observed),
            percent(chance)
        )
    });
    let interval = match (found.interval, &found.reason) {
        (Some(interval), _) => format!(" (95% CI {})", decimals(interval)),
        (None, Some(reason)) => format!(" ({})", foreign(reason)),
        (None, None) => String::new(),
    };
    let rest = format!("over {over}{interval}{}", agreed.unwrap_or_default());
    told(name, decimal(value), rest)
}

/// `15 order pairs: sd 4.2, range 2.5-17.5%`.
fn floor_text(floor: &NoiseFloor) -> Option<String> {
    let (sd, ends) = floor.sd.zip(floor.range)?;
    let pairs = plural(floor.order_pairs, "order pair", "order pairs");
    let sd = points(sd);
    let sd = sd.trim_start_matches('+');
    Some(format!("{pairs}: sd {sd}, range {}", range(ends)))
}

fn noise_floor(floor: &NoiseFloor, several_sizes: bool) -> Vec<Told> {
    let of = if several_sizes {
        format!(", {}", plural(floor.options, "option", "options"))
    } else {
        String::new()
    };
    let title = format!("noise floor{of}");
    let Some((mean, text)) = floor.mean.zip(floor_text(floor)) else {
        return vec![nothing(&title, floor.reason.as_ref())];
    };
    let published = floor.published.as_ref().map(|pair| {
        format!(
            "; {} of them under {} against {} ({})",
            count(pair.pairs_below),
            name(&pair.first),
            name(&pair.second),
            percent(pair.rate)
        )
    });
    let without = match floor.order_pairs_without_rate {
        0 => String::new(),
        n => format!("; {} without a case", plural(n, "more pair", "more pairs")),
    };
    let drawn: Vec<String> = floor
        .drawn_per_case
        .iter()
        .map(|order| name(order))
        .collect();
    let drawn = if drawn.is_empty() {
        String::new()
    } else {
        format!("; each case draws its own {}", list(&drawn))
    };
    let rest = format!(
        "mean of {text}{}{without}{drawn}",
        published.unwrap_or_default()
    );
    let mut lines = vec![told(title, percent(mean), rest)];
    lines.extend(floor.position_picker.zip(floor.random_answerer).map(
        |(position, random)| {
            told(
                format!("for comparison{of}"),
                percent(position),
                format!(
                    "of all order pairs flip a model that always takes one position, {} one that answers at random",
                    percent(random)
                ),
            )
        },
    ));
    lines.extend(floor.pairs.iter().map(|pair| order_pair(pair, &of)));
    if floor.pairs_left_out > 0 {
        let pairs = plural(floor.pairs_left_out, "order pair", "order pairs");
        lines.push(told(
            format!("flip rate{of}"),
            "-",
            format!("{pairs} not listed"),
        ));
    }
    lines
}

fn order_pair(pair: &OrderPair, of: &str) -> Told {
    let title = format!(
        "flip rate {} / {}{of}",
        name(&pair.first),
        name(&pair.second)
    );
    let lost = [
        (pair.missing, "missing"),
        (pair.no_decision, "without a decision"),
    ];
    let lost = counted(&lost);
    let Some((rate, interval)) = pair.rate.zip(pair.interval) else {
        return told(title, "-", format!("nothing to compare{lost}"));
    };
    let ceiling = pair
        .accuracy_ceiling
        .map(|most| format!(", accuracy averaged over both at most {}", percent(most)));
    told(
        title,
        format!(
            "{}/{} ({})",
            count(pair.flips),
            count(pair.pairs),
            percent(rate)
        ),
        format!(
            "95% CI {}{}{lost}",
            range(interval),
            ceiling.unwrap_or_default()
        ),
    )
}
