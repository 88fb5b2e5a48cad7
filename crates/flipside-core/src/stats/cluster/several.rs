//! The bootstrap over clusters for several statistics of the same resamples.

use super::super::Error;
use super::super::draw::Stream;
use super::super::number::{check_finite, check_length, check_level};
use super::super::quantile::of_sorted;
use super::resample::Resamples;

/// Percentile intervals of several statistics over the same resampled clusters.
///
/// `statistics` is given the indices of the clusters of a resample, with repetitions; the first call has each index once. It returns one value per statistic, in one order, `None` where it does not exist. An interval is `None`
/// if its statistic does not exist on more than half of the resamples. The draws are those of
/// [`bootstrap`](super::bootstrap) from the same stream.
///
/// # Errors
/// As [`bootstrap`](super::bootstrap); [`Error::Length`] if a call returns another number of values than the first.
///
/// Source: Efron & Tibshirani 1993, section 4.3 of the statistics page.
pub fn bootstrap_several(
    clusters: usize,
    draws: u32,
    level: f64,
    stream: &mut Stream,
    mut statistics: impl FnMut(&[usize]) -> Vec<Option<f64>>,
) -> Result<Vec<Option<(f64, f64)>>, Error> {
    check_level(level)?;
    for (what, found) in [("clusters", clusters as u64), ("draws", u64::from(draws))] {
        if found < 2 {
            return Err(Error::TooFew {
                what,
                found,
                least: 2,
            });
        }
    }
    let mut chosen: Vec<usize> = (0..clusters).collect();
    let count = statistics(&chosen).len();
    let mut found: Vec<Vec<f64>> = vec![Vec::with_capacity(draws as usize); count];
    let resamples = Resamples::new(clusters, stream);
    for _ in 0..draws {
        resamples.draw(stream, &mut chosen);
        let values = statistics(&chosen);
        check_length("statistics", values.len(), count)?;
        for (values, value) in found.iter_mut().zip(values) {
            if let Some(value) = value {
                check_finite("statistic", value)?;
                values.push(value);
            }
        }
    }
    let tail = (1.0 - level) / 2.0;
    let interval = |values: &mut Vec<f64>| {
        if values.len() < 2 || values.len() * 2 < draws as usize {
            return Ok(None);
        }
        values.sort_by(f64::total_cmp);
        Ok(Some((
            of_sorted(values, tail)?,
            of_sorted(values, 1.0 - tail)?,
        )))
    };
    found.iter_mut().map(interval).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::draw::Part;
    use super::super::bootstrap;
    use super::*;

    fn stream() -> Stream {
        Stream::new(&[Part::U64(3), Part::Text("test")])
    }

    #[test]
    fn several_statistics_have_the_intervals_that_each_has_alone() {
        let values = [0.0, 0.5, 1.0, 0.25, 0.75, 0.1, 0.9, 0.2];
        let mean = |chosen: &[usize]| {
            let sum: f64 = chosen.iter().map(|&place| values[place]).sum();
            Some(sum / f64::from(u32::try_from(chosen.len()).unwrap()))
        };
        let first = |chosen: &[usize]| Some(values[chosen[0]]);
        let both = bootstrap_several(8, 200, 0.95, &mut stream(), |chosen| {
            vec![mean(chosen), None, first(chosen)]
        });
        let both = both.unwrap();
        for (place, alone) in [
            (0, bootstrap(8, 200, 0.95, &mut stream(), mean)),
            (2, bootstrap(8, 200, 0.95, &mut stream(), first)),
        ] {
            let alone = alone.unwrap().unwrap().estimate;
            assert_eq!(both[place], Some((alone.lower, alone.upper)));
        }
        assert_eq!(both[1], None);
    }

    #[test]
    fn one_cluster_is_nothing_to_resample() {
        let found = bootstrap_several(1, 200, 0.95, &mut stream(), |_| Vec::new());
        assert_eq!(
            found,
            Err(Error::TooFew {
                what: "clusters",
                found: 1,
                least: 2
            })
        );
    }
}
