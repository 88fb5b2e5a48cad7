//! Counts per position against equal shares, valid with one randomly ordered ask per case.

use super::super::Error;
use super::super::number::{MOST, length, real};
use super::super::special::raw_chi_square_upper;

/// Under this expected count the chi-square approximations are not used.
pub const FEWEST_EXPECTED: f64 = 5.0;

/// Partitions of the total that the exact test looks at before it gives up.
const MOST_PARTITIONS: u32 = 3_000_000;

/// Tests of equal shares.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Uniformity {
    /// Pearson's chi-square.
    pub chi_square: f64,
    /// Degrees of freedom.
    pub df: u64,
    /// Its p value.
    pub p_chi_square: f64,
    /// The likelihood ratio G.
    pub g: f64,
    /// Its p value.
    pub p_g: f64,
    /// Exact multinomial p value: computed when fewer than 5 are expected per position and the enumeration is feasible.
    pub p_exact: Option<f64>,
}

/// Tests whether `counts` of answers per position come from equal shares.
///
/// At least two positions and one answer. Under [`FEWEST_EXPECTED`] answers per position, report `p_exact`.
///
/// # Errors
/// [`Error::TooFew`] under two positions, [`Error::Empty`] without answers, [`Error::TooMany`] above 10^12.
///
/// Source: section 7 of the statistics page. Compared with scipy (goldens `position_uniformity`).
pub fn uniformity(counts: &[u64]) -> Result<Uniformity, Error> {
    let total = check(counts)?;
    let (positions, answers) = (length(counts.len()), real(total));
    let expected = answers / positions;
    let chi_square = counts
        .iter()
        .map(|&count| (real(count) - expected).powi(2))
        .sum::<f64>()
        / expected;
    let g = 2.0
        * counts
            .iter()
            .filter(|&&count| count > 0)
            .map(|&count| real(count) * (real(count) / expected).ln())
            .sum::<f64>();
    let g = g.max(0.0);
    let df = counts.len() as u64 - 1;
    Ok(Uniformity {
        chi_square,
        df,
        p_chi_square: raw_chi_square_upper(chi_square, real(df)),
        g,
        p_g: raw_chi_square_upper(g, real(df)),
        p_exact: if expected < FEWEST_EXPECTED {
            exact_uniform(counts)?
        } else {
            None
        },
    })
}

fn check(counts: &[u64]) -> Result<u64, Error> {
    if counts.len() < 2 {
        return Err(Error::TooFew {
            what: "counts",
            found: counts.len() as u64,
            least: 2,
        });
    }
    let total = counts
        .iter()
        .fold(0_u64, |sum, &count| sum.saturating_add(count));
    super::super::number::check_count("counts", total)?;
    Ok(total)
}

/// Exact multinomial p value of equal shares: the chance of counts at most as likely as these.
///
/// `None` if there are too many ways to split the total; for up to 5 positions that is beyond 250 answers, for 10 beyond
/// about 60.
///
/// # Errors
/// As [`uniformity`].
///
/// Source: the exact multinomial test, by enumeration of partitions. Compared with full enumeration in Python.
pub fn exact_uniform(counts: &[u64]) -> Result<Option<f64>, Error> {
    let total = check(counts)?;
    // Every part is at most the total, whose factorials are looked up.
    let Some(size) = usize::try_from(total.min(MOST))
        .ok()
        .filter(|&size| size <= 100_000)
    else {
        return Ok(None);
    };
    let most = size.max(counts.len());
    let mut ln_factorial = Vec::with_capacity(most + 1);
    let mut log = 0.0;
    ln_factorial.push(0.0);
    for k in 1..=most {
        log += length(k).ln();
        ln_factorial.push(log);
    }
    let mut walk = Walk {
        ln_all: ln_factorial[size] - real(total) * length(counts.len()).ln(),
        positions: counts.len(),
        // Likelihoods that agree to nine digits are ties.
        most_ln: 0.0,
        ln_factorial,
        sum: 0.0,
        left: MOST_PARTITIONS,
    };
    let mut seen = 0.0;
    for &count in counts {
        seen += walk.ln_factorial[usize::try_from(count).unwrap_or(size)];
    }
    walk.most_ln = walk.ln_all - seen + 1e-9;
    let root = Node {
        rest: size,
        last: size,
        places: counts.len(),
        below: 0.0,
        repeats: 0.0,
        run: 0,
    };
    let finished = walk.split(root);
    Ok(finished.then_some(walk.sum.min(1.0)))
}

/// Walks the partitions of a total into at most `positions` parts, largest part first.
struct Walk {
    ln_all: f64,
    positions: usize,
    most_ln: f64,
    ln_factorial: Vec<f64>,
    sum: f64,
    left: u32,
}

/// A partition begun.
#[derive(Clone, Copy)]
struct Node {
    /// Still to be split.
    rest: usize,
    /// The part before, which no later part exceeds.
    last: usize,
    /// Parts that may still come.
    places: usize,
    /// Log factorials of the parts so far.
    below: f64,
    /// Log factorials of how often each part occurs, but for the present run.
    repeats: f64,
    /// How often `last` occurs so far.
    run: usize,
}

impl Walk {
    /// Adds the partitions under `node`. Returns whether the budget sufficed.
    fn split(&mut self, node: Node) -> bool {
        if node.rest == 0 {
            // The empty positions are parts of size 0.
            let arrangements = self.ln_factorial[self.positions]
                - node.repeats
                - self.ln_factorial[node.run]
                - self.ln_factorial[node.places];
            let ln_likelihood = self.ln_all - node.below;
            if ln_likelihood <= self.most_ln {
                self.sum += (ln_likelihood + arrangements).exp();
            }
            self.left = self.left.saturating_sub(1);
            return self.left > 0;
        }
        if node.places == 0 {
            return true;
        }
        // The largest of the remaining parts holds at least its share of the rest.
        for part in (node.rest.div_ceil(node.places)..=node.last.min(node.rest)).rev() {
            let (repeats, run) = if part == node.last {
                (node.repeats, node.run + 1)
            } else {
                (node.repeats + self.ln_factorial[node.run], 1)
            };
            let next = Node {
                rest: node.rest - part,
                last: part,
                places: node.places - 1,
                below: node.below + self.ln_factorial[part],
                repeats,
                run,
            };
            if !self.split(next) {
                return false;
            }
        }
        true
    }
}
