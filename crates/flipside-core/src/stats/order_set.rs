//! Sets of orders as plain numbers: Williams rows, how many orders there are, what pickers score, the noise floor.

use super::Error;
use super::draw::Stream;
use super::number::{check_count, check_hits, check_unit, length, real};

/// Rows of a Williams set for `options` options: row by row, the option shown at each position.
///
/// Every option stands in every position equally often, and every ordered pair of neighbours occurs equally often.
/// `options` rows for an even number, twice as many for an odd one; the single row `[0]` for one option.
///
/// # Errors
/// [`Error::Empty`] if `options` is 0.
///
/// Source: Williams 1949; zigzag 0, 1, K-1, 2, K-2, ... plus the row number modulo K, and for odd K the rows reversed
/// (goldens `order_plan`).
pub fn williams(options: usize) -> Result<Vec<Vec<usize>>, Error> {
    if options == 0 {
        return Err(Error::Empty { what: "options" });
    }
    let zigzag: Vec<usize> = (0..options)
        .map(|place| {
            if place % 2 == 1 {
                place.div_ceil(2)
            } else {
                (options - place / 2) % options
            }
        })
        .collect();
    let mut rows: Vec<Vec<usize>> = (0..options)
        .map(|shift| {
            zigzag
                .iter()
                .map(|option| (option + shift) % options)
                .collect()
        })
        .collect();
    if options > 1 && options % 2 == 1 {
        let reversed: Vec<Vec<usize>> = rows
            .iter()
            .map(|row| row.iter().rev().copied().collect())
            .collect();
        rows.extend(reversed);
    }
    Ok(rows)
}

/// Number of orders other than the own one, `K! - 1`; `None` above 64 bits (from 21 options on). 0 for no option.
pub fn other_orders(options: usize) -> Option<u64> {
    (1..=options as u64)
        .try_fold(1_u64, u64::checked_mul)
        .map(|orders| orders - 1)
}

/// How many other orders are asked when `requested` are wanted: never more than there are.
///
/// Source: section 1 of the statistics page (goldens `order_plan`).
pub fn planned_orders(options: usize, requested: u64) -> u64 {
    other_orders(options).map_or(requested, |available| available.min(requested))
}

/// Two sets of recorded orders that share none: indices of the first, then of the second.
pub type Split = (Vec<usize>, Vec<usize>);

/// `splits` random pairs of disjoint sets of `k` out of `m` recorded orders, to compare a repair with a second run of itself.
///
/// `None` if `2k > m`: not measurable, with `2k - m` orders missing. Each split shuffles all indices and takes the first
/// `k` and the next `k`, so a split costs `m - 1` draws.
///
/// # Errors
/// [`Error::Empty`] if `k` is 0.
///
/// Source: section 15.1 of the statistics page, which asks for at least 50 splits.
pub fn disjoint_splits(
    m: usize,
    k: usize,
    splits: usize,
    stream: &mut Stream,
) -> Result<Option<Vec<Split>>, Error> {
    if k == 0 {
        return Err(Error::Empty { what: "k" });
    }
    if k.saturating_mul(2) > m {
        return Ok(None);
    }
    let mut orders: Vec<usize> = (0..m).collect();
    let drawn = (0..splits).map(|_| {
        stream.shuffle(&mut orders);
        (orders[..k].to_vec(), orders[k..2 * k].to_vec())
    });
    Ok(Some(drawn.collect()))
}

/// Flip rate of a constant-position picker over all pairs of different orders: `1 - ((K-1)! - 1)/(K! - 1)`.
///
/// # Errors
/// [`Error::TooFew`] under two options: there is no other order.
///
/// Source: section 3 of the statistics page (goldens `position_picker`).
pub fn picker_flip_rate(options: u64) -> Result<f64, Error> {
    check_options(options)?;
    // (K-1)! - 1 over K! - 1, with the factorials divided out, so that no number of options overflows.
    let reciprocal = 1.0 / (1..options.min(171)).map(real).product::<f64>();
    Ok(1.0 - (1.0 - reciprocal) / (real(options) - reciprocal))
}

/// Flip rate of a model that answers at random: `1 - 1/K`.
///
/// # Errors
/// [`Error::TooFew`] under two options.
pub fn random_flip_rate(options: u64) -> Result<f64, Error> {
    check_options(options)?;
    Ok(1.0 - 1.0 / real(options))
}

/// What a picker of one fixed position scores against the own order.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Picker {
    /// Share of reversals that flip it: 0 or 1.
    pub reverse: f64,
    /// Share of rotations by one that flip it: 1.
    pub rotate_1: f64,
    /// Share of all pairs of different orders that flip it.
    pub all_pairs: f64,
}

/// Flip rates of a picker of `position` (from 0) among `options` options.
///
/// # Errors
/// [`Error::TooFew`] under two options, [`Error::Hits`] if there is no such position.
///
/// Source: section 3.1 of the statistics page (goldens `position_picker`).
pub fn picker(options: u64, position: u64) -> Result<Picker, Error> {
    let all_pairs = picker_flip_rate(options)?;
    check_hits(position + 1, options)?;
    let stays = position == options - 1 - position;
    Ok(Picker {
        reverse: if stays { 0.0 } else { 1.0 },
        rotate_1: 1.0,
        all_pairs,
    })
}

fn check_options(options: u64) -> Result<(), Error> {
    if options < 2 {
        return Err(Error::TooFew {
            what: "options",
            found: options,
            least: 2,
        });
    }
    check_count("options", options)
}

/// Flip rates over all pairs of orders: the noise floor of picking one pair.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct NoiseFloor {
    /// Mean flip rate over the pairs.
    pub mean: f64,
    /// Population standard deviation over the pairs. Not a sampling error.
    pub sd: f64,
    /// Smallest rate of a pair.
    pub smallest: f64,
    /// Largest rate of a pair.
    pub largest: f64,
    /// Pairs with a rate strictly under the published pair's.
    pub below_published: u64,
}

/// Noise floor from the flip counts of all pairs of orders, each over the same `items` cases.
///
/// `published` is the index of the pair that is reported elsewhere.
///
/// # Errors
/// [`Error::Empty`] without pairs or items, [`Error::Hits`] if a count is above `items`, [`Error::Length`] if there is no
/// such pair.
///
/// Source: section 3 of the statistics page. Compared with a public record (goldens `noise_floor`).
pub fn noise_floor(flips: &[u64], items: u64, published: usize) -> Result<NoiseFloor, Error> {
    let Some(&(mut smallest)) = flips.first() else {
        return Err(Error::Empty { what: "flips" });
    };
    let Some(&reference) = flips.get(published) else {
        return Err(Error::Length {
            what: "flips",
            found: flips.len(),
            expected: published + 1,
        });
    };
    let mut largest = smallest;
    for &count in flips {
        check_hits(count, items)?;
        smallest = smallest.min(count);
        largest = largest.max(count);
    }
    let (pairs, cases) = (length(flips.len()), real(items));
    let mean = flips.iter().map(|&count| real(count)).sum::<f64>() / pairs;
    let square = flips
        .iter()
        .map(|&count| (real(count) - mean).powi(2))
        .sum::<f64>()
        / pairs;
    Ok(NoiseFloor {
        mean: mean / cases,
        sd: square.sqrt() / cases,
        smallest: real(smallest) / cases,
        largest: real(largest) / cases,
        below_published: flips.iter().filter(|&&count| count < reference).count() as u64,
    })
}

/// Noise floor from the flip rates of all pairs of orders, whatever number of cases each was taken over.
///
/// `published` is the index of the pair that is reported elsewhere.
///
/// # Errors
/// [`Error::Empty`] without rates, [`Error::OutOfRange`] if one is not from 0 to 1, [`Error::Length`] if there is no such
/// pair.
///
/// Source: section 3 of the statistics page. Over equal numbers of cases it is [`noise_floor`].
pub fn noise_of_rates(rates: &[f64], published: usize) -> Result<NoiseFloor, Error> {
    check_count("rates", rates.len() as u64)?;
    for &rate in rates {
        check_unit("rates", rate)?;
    }
    let Some(&reference) = rates.get(published) else {
        return Err(Error::Length {
            what: "rates",
            found: rates.len(),
            expected: published + 1,
        });
    };
    let pairs = length(rates.len());
    let mean = rates.iter().sum::<f64>() / pairs;
    let square = rates.iter().map(|rate| (rate - mean).powi(2)).sum::<f64>() / pairs;
    Ok(NoiseFloor {
        mean,
        sd: square.sqrt(),
        smallest: rates.iter().copied().fold(1.0, f64::min),
        largest: rates.iter().copied().fold(0.0, f64::max),
        below_published: rates.iter().filter(|rate| **rate < reference).count() as u64,
    })
}
