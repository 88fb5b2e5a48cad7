//! Chances by enumeration. Nothing of the program is used here.

use super::real;

/// How often something happened in independent runs, and its exact chance where that can be enumerated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    pub(crate) hits: u32,
    pub(crate) runs: u32,
    pub(crate) exact: Option<f64>,
}

impl Share {
    pub(crate) fn new(hits: u32, runs: u32, exact: Option<f64>) -> Self {
        // Sums of masses end a rounding error off 0 or 1, and an empty one is minus zero.
        let exact = exact.map(|chance| chance.clamp(0.0, 1.0) + 0.0);
        Self { hits, runs, exact }
    }

    pub(crate) fn value(&self) -> f64 {
        f64::from(self.hits) / f64::from(self.runs)
    }

    /// Whether so many hits, or a count further out, have a chance of at least `unlikely` when one run hits with `chance`.
    pub(crate) fn agrees_with(&self, chance: f64, unlikely: f64) -> bool {
        self.at_most(chance) >= unlikely && self.at_least(chance) >= unlikely
    }

    /// The chance of at most so many hits, when one run hits with `chance`.
    pub(crate) fn at_most(&self, chance: f64) -> f64 {
        tail(0..=u64::from(self.hits), u64::from(self.runs), chance)
    }

    fn at_least(&self, chance: f64) -> f64 {
        let runs = u64::from(self.runs);
        tail(u64::from(self.hits)..=runs, runs, chance)
    }
}

fn tail(hits: std::ops::RangeInclusive<u64>, n: u64, rate: f64) -> f64 {
    let of = Binomial::new(n, rate);
    hits.map(|x| of.mass(x)).sum()
}

/// Binomial masses from sums of logarithms.
pub(crate) struct Binomial {
    n: u64,
    rate: f64,
    ln_factorial: Vec<f64>,
}

impl Binomial {
    pub(crate) fn new(n: u64, rate: f64) -> Self {
        Self {
            n,
            rate,
            ln_factorial: ln_factorials(n),
        }
    }

    pub(crate) fn mass(&self, x: u64) -> f64 {
        let place = |n: u64| self.ln_factorial[usize::try_from(n).expect("a small count")];
        let rest = self.n - x;
        let power = |base: f64, exponent: u64| {
            if exponent == 0 {
                0.0
            } else {
                real(exponent) * base.ln()
            }
        };
        let ln = place(self.n) - place(x) - place(rest)
            + power(self.rate, x)
            + power(1.0 - self.rate, rest);
        ln.exp()
    }

    /// Counts within nine standard deviations of the mean: what is left out has a chance under 1e-13.
    pub(crate) fn range(&self) -> std::ops::RangeInclusive<u64> {
        let mean = real(self.n) * self.rate;
        let reach = 9.0 * (mean * (1.0 - self.rate)).sqrt() + 9.0;
        let inside = |x: &u64| (real(*x) - mean).abs() <= reach;
        let first = (0..=self.n).find(inside).unwrap_or(0);
        let last = (0..=self.n).rfind(inside).unwrap_or(self.n);
        first..=last
    }
}

/// ln 0! to ln n!
fn ln_factorials(n: u64) -> Vec<f64> {
    let mut all = vec![0.0];
    for k in 1..=n {
        all.push(all[all.len() - 1] + real(k).ln());
    }
    all
}

/// Every count of three kinds among `n` units with chances `p`, the rest being of a fourth kind, with its mass.
///
/// Counts of each kind stay within nine standard deviations of their means.
pub(crate) fn multinomial(n: u64, p: [f64; 3], mut see: impl FnMut([u64; 3], f64)) {
    let rest_after = |used: f64| (1.0 - used).max(f64::MIN_POSITIVE);
    let first = Binomial::new(n, p[0]);
    for a in first.range() {
        let second = Binomial::new(n - a, (p[1] / rest_after(p[0])).min(1.0));
        for b in second.range() {
            let third = Binomial::new(n - a - b, (p[2] / rest_after(p[0] + p[1])).min(1.0));
            let mass = first.mass(a) * second.mass(b);
            if mass < 1e-14 {
                continue;
            }
            for c in third.range() {
                see([a, b, c], mass * third.mass(c));
            }
        }
    }
}
