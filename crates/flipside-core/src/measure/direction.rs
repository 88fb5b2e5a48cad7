//! Which way flips went, between keys that several cases share.

use std::collections::BTreeMap;

use crate::case::Case;
use crate::measure::named::{LISTED, Name, name, names};
use crate::measure::pair::{PairOutcome, Said, pair};
use crate::measure::table::CasePair;
use crate::measure::units::signs;
use crate::stats::multiple;
use crate::stats::paired::sign_test;
use crate::summary::{Direction, KeyPair};

/// A flip between two named options: from the first, or to it.
struct Flip<'a> {
    case: &'a Case,
    from_first: bool,
}

/// The flips of one variant by key, every pair of keys in the list; [`adjust`] completes it. `None` where no key is offered in two
/// compared cases.
///
/// Options are named by those that were chosen, also where others are declared to be the same answer.
///
/// Source: the exact form of `McNemar` 1947, the statistics page, 2.4 and 4.2. `cluster` names the field by whose values cases depend
/// on each other, if any.
pub(crate) fn direction(pairs: &[CasePair<'_>], cluster: Option<&str>) -> Option<Direction> {
    let mut offered: BTreeMap<Name<'_>, Vec<usize>> = BTreeMap::new();
    let mut flips: BTreeMap<(Name<'_>, Name<'_>), Vec<Flip<'_>>> = BTreeMap::new();
    let (mut all, mut place_keys, mut unshared) = (0, 0, 0);
    for (place, each) in pairs.iter().enumerate() {
        let outcome = pair(each.own, each.variant);
        let flipped = matches!(outcome, PairOutcome::Flip { .. });
        if !flipped && outcome != PairOutcome::Same {
            continue;
        }
        for (name, _) in names(each.case) {
            offered.entry(name).or_default().push(place);
        }
        let Some((from, to)) = chosen(each).filter(|_| flipped) else {
            continue;
        };
        all += 1;
        match (name(each.case, from), name(each.case, to)) {
            (Some(from), Some(to)) => {
                let from_first = from < to;
                let key = if from_first { (from, to) } else { (to, from) };
                flips.entry(key).or_default().push(Flip {
                    case: each.case,
                    from_first,
                });
            }
            // An option that was added has no name either, in a case whose others have.
            _ if names(each.case).next().is_none() => place_keys += 1,
            _ => unshared += 1,
        }
    }
    if offered.values().all(|cases| cases.len() < 2) {
        return None;
    }
    let mut found = Vec::new();
    for ((first, second), flips) in flips {
        let cases = common(&offered[&first], &offered[&second]);
        if cases < 2 {
            unshared += flips.len() as u64;
        } else {
            found.push(key_pair([first, second], &flips, cases, cluster));
        }
    }
    Some(Direction {
        flips: all,
        place_keys,
        unshared,
        pairs: found,
        pairs_left_out: 0,
    })
}

/// Adjusts the p values of all variants of one axis together, then keeps the pairs with most flips of each.
pub(crate) fn adjust(mut variants: Vec<&mut Direction>) {
    let pairs = variants.iter().flat_map(|found| &found.pairs);
    let p: Vec<f64> = pairs.map(|pair| pair.p).collect();
    let Ok(holm) = multiple::holm(&p) else {
        return;
    };
    let pairs = variants.iter_mut().flat_map(|found| &mut found.pairs);
    for (pair, holm) in pairs.zip(holm) {
        pair.holm_p = holm;
    }
    for found in variants {
        found.pairs.sort_by(|a, b| {
            let flips = |pair: &KeyPair| pair.forth + pair.back;
            let name = |pair: &KeyPair| (pair.question, pair.from.clone(), pair.to.clone());
            flips(b).cmp(&flips(a)).then_with(|| name(a).cmp(&name(b)))
        });
        let beyond = found.pairs.split_off(found.pairs.len().min(LISTED));
        found.pairs_left_out = beyond.len() as u64;
    }
}

/// The options chosen in a pair, by their own identities, where both answers decided.
fn chosen(pair: &CasePair<'_>) -> Option<(crate::order::OptionId, crate::order::OptionId)> {
    let decided = |said| matches!(said, Said::Chose { .. });
    let (own, variant) = pair.answers?;
    let both = decided(pair.own) && decided(pair.variant);
    own.choice.zip(variant.choice).filter(|_| both)
}

/// How many places two ascending lists have in common.
fn common(one: &[usize], other: &[usize]) -> u64 {
    let (short, long) = if one.len() < other.len() {
        (one, other)
    } else {
        (other, one)
    };
    let in_long = |place: &&usize| long.binary_search(place).is_ok();
    short.iter().filter(in_long).count() as u64
}

fn key_pair(
    [first, second]: [Name<'_>; 2],
    flips: &[Flip<'_>],
    cases: u64,
    cluster: Option<&str>,
) -> KeyPair {
    let from_first = flips.iter().filter(|flip| flip.from_first).count() as u64;
    let to_first = flips.len() as u64 - from_first;
    // The first in byte order stands first among equals.
    let turned = to_first > from_first;
    let (from, to) = if turned {
        (second, first)
    } else {
        (first, second)
    };
    let ways = flips.iter().map(|flip| {
        let forth = flip.from_first != turned;
        (flip.case, (forth, !forth))
    });
    let (forth, back) = (from_first.max(to_first), from_first.min(to_first));
    let over = cluster.map(|field| signs(field, ways));
    let p = over.map_or_else(|| sign_test(forth, back), |(_, p)| p);
    KeyPair {
        question: from.0,
        from: from.1.into_owned(),
        to: to.1.into_owned(),
        cases,
        forth,
        back,
        p,
        holm_p: p,
        clusters: over.map(|(signs, _)| signs),
    }
}
