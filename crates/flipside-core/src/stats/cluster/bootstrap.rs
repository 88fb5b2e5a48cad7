//! The bootstrap over clusters, for quantities without a formula.

use super::super::draw::Stream;
use super::super::number::{check_finite, check_level, length, real};
use super::super::quantile::of_sorted;
use super::super::{Error, Estimate, Method};
use super::Cluster;
use super::resample::Resamples;

/// Resamples drawn unless a caller has a reason for another number.
pub const DRAWS: u32 = 2_000;

/// Under this many flips a rate is not bootstrapped: with none, every resample is 0 and the interval collapses.
pub const FEWEST_FLIPS: u64 = 10;

/// A statistic with its percentile interval over clusters.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Bootstrap {
    /// The statistic of the data, its percentile interval, and the number of clusters.
    pub estimate: Estimate,
    /// Standard deviation over the resamples.
    pub standard_error: f64,
    /// Resamples drawn.
    pub draws: u32,
    /// Resamples on which the statistic does not exist; they are left out.
    pub undefined: u32,
}

/// Percentile interval of `statistic` over resampled clusters.
///
/// `statistic` is given the indices of the clusters of a resample, with repetitions; the first call has each index once. It
/// returns `None` where it does not exist. `None` if it does not exist on the data or on more than half of the resamples.
/// Draws come from `stream`, `clusters` of them per resample, in order; above 5,000 clusters, whole random groups of them are
/// drawn, which say the same of a large file. Percentiles are linear between order statistics. Not for a rate with fewer than [`FEWEST_FLIPS`] flips.
///
/// # Errors
/// [`Error::TooFew`] under two clusters or draws, [`Error::Level`] for the level, [`Error::OutOfRange`] if the statistic is
/// not finite.
///
/// Source: Efron & Tibshirani 1993, section 4.3 of the statistics page (golden `bootstrap` by full enumeration).
pub fn bootstrap(
    clusters: usize,
    draws: u32,
    level: f64,
    stream: &mut Stream,
    mut statistic: impl FnMut(&[usize]) -> Option<f64>,
) -> Result<Option<Bootstrap>, Error> {
    check_level(level)?;
    if clusters < 2 {
        return Err(Error::TooFew {
            what: "clusters",
            found: clusters as u64,
            least: 2,
        });
    }
    if draws < 2 {
        return Err(Error::TooFew {
            what: "draws",
            found: u64::from(draws),
            least: 2,
        });
    }
    let mut chosen: Vec<usize> = (0..clusters).collect();
    let Some(value) = statistic(&chosen) else {
        return Ok(None);
    };
    check_finite("statistic", value)?;
    let mut found = Vec::with_capacity(draws as usize);
    let resamples = Resamples::new(clusters, stream);
    for _ in 0..draws {
        resamples.draw(stream, &mut chosen);
        if let Some(value) = statistic(&chosen) {
            check_finite("statistic", value)?;
            found.push(value);
        }
    }
    if found.len() < 2 || found.len() * 2 < draws as usize {
        return Ok(None);
    }
    found.sort_by(f64::total_cmp);
    let tail = (1.0 - level) / 2.0;
    let ends = (of_sorted(&found, tail)?, of_sorted(&found, 1.0 - tail)?);
    let count = length(found.len());
    let mean = found.iter().sum::<f64>() / count;
    let square = found
        .iter()
        .map(|value| (value - mean).powi(2))
        .sum::<f64>()
        / (count - 1.0);
    let undefined = draws - u32::try_from(found.len()).unwrap_or(draws);
    Ok(Some(Bootstrap {
        estimate: Estimate::new(
            value,
            ends,
            level,
            clusters as u64,
            Method::ClusterBootstrap,
        )?,
        standard_error: square.sqrt(),
        draws,
        undefined,
    }))
}

/// The rate over a resample of clusters; `None` if the resample is empty.
///
/// Indices beyond the list are passed over.
pub fn ratio(clusters: &[Cluster], chosen: &[usize]) -> Option<f64> {
    let (hits, n) = chosen
        .iter()
        .filter_map(|&index| clusters.get(index))
        .fold((0.0, 0.0), |(hits, n), cluster| {
            (hits + real(cluster.hits), n + real(cluster.n))
        });
    (n > 0.0).then(|| hits / n)
}

/// Every equally likely resample of `clusters` clusters: `clusters^clusters` of them, for at most 7.
///
/// # Errors
/// [`Error::Empty`] for 0, [`Error::TooMany`] above 7.
pub fn every_resample(clusters: usize) -> Result<impl Iterator<Item = Vec<usize>>, Error> {
    if clusters == 0 {
        return Err(Error::Empty { what: "clusters" });
    }
    if clusters > 7 {
        return Err(Error::TooMany {
            what: "clusters",
            found: clusters as u64,
            most: 7,
        });
    }
    let resamples = (0..clusters).fold(1_usize, |product, _| product * clusters);
    Ok((0..resamples).map(move |number| {
        (0..clusters)
            .scan(number, |rest, _| {
                let index = *rest % clusters;
                *rest /= clusters;
                Some(index)
            })
            .collect()
    }))
}
