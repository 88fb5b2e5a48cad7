//! Position preference: where answers stand, tested as the orders asked allow.

mod balanced;
mod by_order;
mod grid;
mod recall;
mod rows;

use crate::case::Case;
use crate::measure::accuracy::LEVEL;
use crate::measure::pair::Said;
use crate::measure::sight::unseen;
use crate::measure::table::Table;
use crate::measure::units::{by_unit, share_interval, signs, totals};
use crate::order::Order;
use crate::stats::cluster::betting_interval_over;
use crate::stats::{multiple, order_set, position};
use crate::summary::{
    EndPreference, NeverChosen, PositionDesign, PositionPairs, PositionPreference, PositionShare,
    PositionSummary, PositionTest, PositionUniformity,
};
use rows::Row;

/// Above this number of options positions are only counted.
const MOST_OPTIONS: usize = 1_000;

/// A preference is named from here on.
const EVIDENCE: f64 = 0.05;

/// Shares of answers in each position.
pub(super) type Shares = Vec<f64>;
/// One case's.
pub(super) type CaseShares<'a> = (&'a Case, Shares);

/// Position preference of a run; `None` where no case was to be asked in another order.
///
/// Source: the statistics page, 7. Which test is used follows from the orders planned, never from the answers.
///
/// `cluster` names the field by whose values cases depend on each other, if any.
pub(crate) fn position(table: &Table<'_>, cluster: Option<&str>) -> Option<PositionSummary> {
    let by_options = rows::rows(table);
    let mut found: Vec<(PositionPreference, Vec<CaseShares<'_>>)> = by_options
        .iter()
        .map(|(&options, rows)| preference(rows, options, table.plan.seed, cluster))
        .collect();
    if found.is_empty() {
        return None;
    }
    let tested: Vec<f64> = found.iter().filter_map(|(each, _)| each.p).collect();
    let mut adjusted = multiple::benjamini_hochberg(&tested)
        .unwrap_or_default()
        .into_iter();
    for (each, _) in &mut found {
        each.p_adjusted = each.p.and_then(|_| adjusted.next());
        each.preferred = preferred(each);
    }
    Some(PositionSummary {
        primacy: end_preference(&found, cluster, |_| 0),
        recency: end_preference(&found, cluster, |options| options - 1),
        by_options: found.into_iter().map(|(each, _)| each).collect(),
        by_order: by_order::by_order(table),
    })
}

fn preference<'a>(
    rows: &[Row<'a>],
    options: usize,
    seed: u64,
    cluster: Option<&str>,
) -> (PositionPreference, Vec<CaseShares<'a>>) {
    let asks = || rows.iter().flat_map(|row| &row.asks);
    let said = |wanted: fn(&Said) -> bool| asks().filter(|ask| wanted(&ask.said)).count() as u64;
    let mut chosen = vec![0_u64; options];
    asks()
        .filter_map(rows::Placed::position)
        .for_each(|place| chosen[place] += 1);
    let sets: Option<Vec<_>> = rows.iter().map(Row::balanced_set).collect();
    let drawn = rows.iter().all(|row| row.drawn.is_some());
    let (mut uniformity, mut balance, mut reason) = (None, None, None);
    let (design, shares) = match sets {
        _ if options > MOST_OPTIONS => {
            reason = Some(format!("more than {MOST_OPTIONS} options"));
            (PositionDesign::Other, Vec::new())
        }
        Some(sets) => {
            let (test, shares) = balanced::balanced(rows, &sets, options, cluster);
            balance = Some(test);
            (PositionDesign::BalancedSet, shares)
        }
        None if drawn => {
            let (test, shares) = uniform(rows, options, seed, cluster);
            uniformity = test;
            if uniformity.is_none() {
                reason = Some("no case has an answer in its random order".to_owned());
            }
            (PositionDesign::RandomOrder, shares)
        }
        None => {
            reason = Some(
                "the orders asked do not show every option in every position equally often, so that \
                 what is preferred may be content; `balanced` or `random:1` tells"
                    .to_owned(),
            );
            (PositionDesign::Other, described(rows, options))
        }
    };
    let pairs = reverse_pairs(rows, options, cluster);
    let answers = chosen.iter().sum();
    let independent = uniformity.as_ref().filter(|_| cluster.is_none());
    let independent = independent.map(|test| test.counts.iter().sum());
    let flip_rate = |of: Result<f64, crate::stats::Error>| of.expect("two options or more");
    let test = leading([
        (
            PositionTest::ReversePairs,
            pairs.as_ref().and_then(|pairs| pairs.p),
            options == 2,
        ),
        (
            PositionTest::Balanced,
            balance.as_ref().and_then(|test| test.p),
            true,
        ),
        (
            PositionTest::Uniformity,
            uniformity.as_ref().and_then(|test| test.p),
            true,
        ),
        // A balanced set says more than its reversal.
        (
            PositionTest::ReversePairs,
            pairs.as_ref().and_then(|pairs| pairs.p),
            balance.is_none(),
        ),
    ]);
    let found = PositionPreference {
        options: options as u64,
        cases: rows.len() as u64,
        asks: asks().count() as u64,
        answers,
        no_decision: said(|said| *said == Said::Nothing),
        missing: said(|said| matches!(said, Said::Missing | Said::Unasked)),
        grid: grid::grid(rows, options),
        never_chosen: never_chosen(&chosen, answers, independent),
        chosen,
        design,
        shares: case_shares(&shares, options, design, cluster),
        uniformity,
        balanced: balance,
        reverse_pairs: pairs,
        reason,
        p: test.map(|(_, p)| p),
        p_of: test.map(|(of, _)| of),
        p_adjusted: None,
        preferred: Vec::new(),
        recall: recall::recall(rows, options, cluster, |ask| ask.order.is_own()),
        recall_all_orders: recall::recall(rows, options, cluster, |_| true),
        constant_position_flip_rate: flip_rate(order_set::picker_flip_rate(options as u64)),
        random_flip_rate: flip_rate(order_set::random_flip_rate(options as u64)),
        unseen: unseen(options, &asks().map(|ask| ask.order).collect::<Vec<_>>()),
    };
    (found, shares)
}

/// The first test that is wanted and has a p value.
fn leading<const N: usize>(
    tests: [(PositionTest, Option<f64>, bool); N],
) -> Option<(PositionTest, f64)> {
    let mut wanted = tests.into_iter().filter(|(_, _, wanted)| *wanted);
    wanted.find_map(|(of, p, _)| Some((of, p?)))
}

/// Uniformity of one random ask per case.
///
/// In a random order every position has the same chance whatever is preferred for its content, so that with clusters the
/// mean shares of each are tested as balanced sets are, where cases of one cluster may depend on each other.
///
/// Source: the statistics page, 7, first and second item; on which ask, [`Row::random_ask`].
fn uniform<'a>(
    rows: &[Row<'a>],
    options: usize,
    seed: u64,
    cluster: Option<&str>,
) -> (Option<PositionUniformity>, Vec<CaseShares<'a>>) {
    let mut counts = vec![0_u64; options];
    let (mut own_orders, mut left_out) = (0, 0);
    let mut shares = Vec::new();
    for row in rows {
        let ask = row.random_ask(seed);
        let Some((ask, place)) = ask.and_then(|ask| Some((ask, ask.position()?))) else {
            left_out += 1;
            continue;
        };
        own_orders += u64::from(ask.order.is_own());
        counts[place] += 1;
        let mut share = vec![0.0; options];
        share[place] = 1.0;
        shares.push((row.case, share));
    }
    let test = position::uniformity(&counts).ok().map(|test| {
        let few = few_expected(&counts);
        let units = cluster.map(|_| unit_means(&shares, cluster));
        let p = match &units {
            Some(units) => match position::balanced_test(units) {
                Ok(position::BalancedTest::Tested { p, .. }) => Some(p),
                _ => None,
            },
            None if few => test.p_exact,
            None => Some(test.p_chi_square),
        };
        let alone = cluster.is_none();
        PositionUniformity {
            counts,
            own_orders,
            left_out,
            chi_square: test.chi_square,
            g: test.g,
            df: test.df,
            p_chi_square: alone.then_some(test.p_chi_square),
            p_g: alone.then_some(test.p_g),
            p_exact: test.p_exact.filter(|_| alone),
            p,
            clusters: units.map(|units| units.len() as u64),
        }
    });
    (test, shares)
}

/// Whether fewer answers are expected per position than the chi-square needs.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub(super) fn few_expected(counts: &[u64]) -> bool {
    let total: u64 = counts.iter().sum();
    (total as f64) < position::FEWEST_EXPECTED * counts.len() as f64
}

/// Each case's shares over all its decided answers.
fn described<'a>(rows: &[Row<'a>], options: usize) -> Vec<CaseShares<'a>> {
    let of_row = |row: &Row<'a>| {
        let places: Vec<usize> = row.asks.iter().filter_map(rows::Placed::position).collect();
        (!places.is_empty()).then(|| (row.case, shares_of(&places, options)))
    };
    rows.iter().filter_map(of_row).collect()
}

/// The share of each position among `places`.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub(super) fn shares_of(places: &[usize], options: usize) -> Shares {
    let mut counts = vec![0_u64; options];
    for &place in places {
        counts[place] += 1;
    }
    let all = places.len() as f64;
    counts.into_iter().map(|count| count as f64 / all).collect()
}

/// The mean shares of each independent unit, sorted: sums must depend on neither the order of cases nor names.
///
/// A cluster counts once, by the mean of its cases: where no position is preferred, the shares of every case are even in
/// expectation, and so is every such mean.
pub(super) fn unit_means(shares: &[CaseShares<'_>], cluster: Option<&str>) -> Vec<Shares> {
    let compare = |a: &Shares, b: &Shares| {
        let mut each = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
        each.find(|order| order.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
    };
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    let mean = |mut unit: Vec<&Shares>| -> Shares {
        unit.sort_by(|a, b| compare(a, b));
        let n = unit.len() as f64;
        let of_place = |place: usize| unit.iter().map(|row| row[place]).sum::<f64>() / n;
        (0..unit[0].len()).map(of_place).collect()
    };
    let units = by_unit(cluster, shares.iter().map(|(case, row)| (*case, row)));
    let mut means: Vec<Shares> = units.into_iter().map(mean).collect();
    means.sort_by(compare);
    means
}

/// Means over cases with their intervals; empty without a case.
fn case_shares(
    shares: &[CaseShares<'_>],
    options: usize,
    design: PositionDesign,
    cluster: Option<&str>,
) -> Vec<PositionShare> {
    let one_ask = design == PositionDesign::RandomOrder;
    let of_place = |place: usize| {
        let values = || shares.iter().map(|(case, row)| (*case, row[place]));
        let totals = totals(cluster, values());
        let found = betting_interval_over(&totals, 1.0 - LEVEL).ok()?;
        let interval = if one_ask {
            share_interval(cluster, values().map(|(case, value)| (case, value > 0.0)))?
        } else {
            [found.lower, found.upper]
        };
        Some(PositionShare {
            value: found.value,
            interval,
        })
    };
    (0..options).filter_map(of_place).collect()
}

/// Positions without an answer. With `independent` answers, one per case, the chance of that is known.
fn never_chosen(chosen: &[u64], offered: u64, independent: Option<u64>) -> Vec<NeverChosen> {
    if offered == 0 {
        return Vec::new();
    }
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    let chance = independent.map(|n| (1.0 - 1.0 / chosen.len() as f64).powf(n as f64));
    (0..)
        .zip(chosen)
        .filter(|(_, count)| **count == 0)
        .map(|(position, _)| NeverChosen {
            position,
            offered,
            chance,
        })
        .collect()
}

/// Flips between the own order and its reversal that stayed at one end.
///
/// Source: the statistics page, 7, reverse pairs.
///
/// Where neither end is preferred, the two orders of every case of a cluster can change places at once, which changes the
/// ends that flips stay at.
fn reverse_pairs(rows: &[Row<'_>], options: usize, cluster: Option<&str>) -> Option<PositionPairs> {
    let reverse = Order::reverse(options);
    // A few draws that happen to be the reversal are no reversal that was asked.
    let asked: Option<Vec<_>> = rows
        .iter()
        .map(|row| Some((row.case, row.own()?, row.asked_in(&reverse)?)))
        .collect();
    let (mut pairs, mut flips, mut first, mut last) = (0, 0, 0, 0);
    let mut ends = Vec::new();
    for (case, own, reversed) in asked? {
        let (Some(a), Some(b)) = (own.position(), reversed.position()) else {
            continue;
        };
        pairs += 1;
        // The reversal shows in position `b` what the own order shows in `options - 1 - b`.
        flips += u64::from(a + b != options - 1);
        first += u64::from(a == 0 && b == 0);
        last += u64::from(a == options - 1 && b == options - 1);
        let both = |place: usize| a == place && b == place;
        ends.push((case, (both(0), both(options - 1))));
    }
    let over = cluster.map(|field| signs(field, ends));
    let test = position::reverse_pairs(first, last);
    Some(PositionPairs {
        pairs,
        flips,
        first_both: first,
        last_both: last,
        index: test.index,
        p: test.index.map(|_| over.map_or(test.p, |(_, p)| p)),
        clusters: over.map(|(signs, _)| signs),
        blind_to_symmetric: options > 2,
    })
}

/// Mean over cases of the share at one end minus `1/K`, its interval through the map of all possible values to 0..=1.
///
/// Source: the statistics page, 7 (primacy, recency) and 4.4.
fn end_preference(
    found: &[(PositionPreference, Vec<CaseShares<'_>>)],
    cluster: Option<&str>,
    place: impl Fn(usize) -> usize,
) -> Option<EndPreference> {
    #[expect(
        clippy::cast_precision_loss,
        reason = "option counts are far below 2^52"
    )]
    let chance = |options: usize| 1.0 / options as f64;
    let used = || found.iter().flat_map(|(_, rows)| rows);
    let length = |(_, row): &CaseShares<'_>| row.len();
    let (fewest, most) = (used().map(length).min()?, used().map(length).max()?);
    let (low, high) = (-chance(fewest), 1.0 - chance(most));
    let values: Vec<(&Case, f64)> = used()
        .map(|(case, row)| {
            let away = row[place(row.len())] - chance(row.len());
            (*case, ((away - low) / (high - low)).clamp(0.0, 1.0))
        })
        .collect();
    let number = values.len() as u64;
    let totals = totals(cluster, values);
    let mean = betting_interval_over(&totals, 1.0 - LEVEL).ok()?;
    let back = |value: f64| low + value * (high - low);
    let balanced = |design| design != PositionDesign::Other;
    Some(EndPreference {
        value: back(mean.value),
        interval: [back(mean.lower), back(mean.upper)],
        cases: number,
        content_balanced: found
            .iter()
            .filter(|(_, rows)| !rows.is_empty())
            .all(|(each, _)| balanced(each.design)),
    })
}

/// The positions that the evidence favours: those whose interval lies above an equal share, else the one with most.
fn preferred(found: &PositionPreference) -> Vec<u16> {
    if found.p_adjusted.is_none_or(|p| p >= EVIDENCE) {
        return Vec::new();
    }
    let last = u16::try_from(found.options - 1).unwrap_or(u16::MAX);
    if let (Some(PositionTest::ReversePairs), Some(pairs)) = (found.p_of, &found.reverse_pairs) {
        return vec![if pairs.index > Some(0.0) { 0 } else { last }];
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "option counts are far below 2^52"
    )]
    let even = 1.0 / found.options as f64;
    let places = || (0u16..).zip(&found.shares);
    let above: Vec<u16> = places()
        .filter(|(_, share)| share.interval[0] > even)
        .map(|(place, _)| place)
        .collect();
    if !above.is_empty() {
        return above;
    }
    // The first of equals.
    let most = places().reduce(|best, next| {
        if next.1.value > best.1.value {
            next
        } else {
            best
        }
    });
    most.map(|(place, _)| place).into_iter().collect()
}
