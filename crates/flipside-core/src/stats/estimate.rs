//! A number with its interval, level, count and method: the only form in which a rate leaves `stats`.

use super::Error;
use super::number::{check_level, finite};

/// How an interval was computed. The names are those of the JSON output.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Method {
    /// Wilson score interval of one share.
    Wilson,
    /// Clopper-Pearson exact interval of one share.
    ClopperPearson,
    /// Clopper-Pearson on the effective number of cases, for clusters.
    KornGraubard,
    /// Newcombe's method 10 for the difference of two shares of the same cases.
    NewcombePaired,
    /// Newcombe's hybrid score interval for the difference of two shares of different cases.
    NewcombeIndependent,
    /// Tango's score interval for the difference of two shares of the same cases.
    Tango,
    /// Square-and-add from two given intervals and their correlation.
    Mover,
    /// Percentiles of a bootstrap over clusters.
    ClusterBootstrap,
    /// Mixture betting interval for means of values in 0..=1.
    Betting,
    /// Beta-binomial confidence sequence: valid at any stopping time.
    ConfidenceSequence,
    /// F distribution of an analysis of variance.
    Anova,
}

/// A number and how sure we are of it.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Estimate {
    /// The point estimate.
    pub value: f64,
    /// Lower end of the interval.
    pub lower: f64,
    /// Upper end of the interval.
    pub upper: f64,
    /// Two-sided coverage that the interval is built for, strictly between 0 and 1.
    pub level: f64,
    /// Independent units behind it.
    pub n: u64,
    /// Where the interval comes from.
    pub method: Method,
}

impl Estimate {
    /// An estimate whose numbers are finite and whose ends are in order.
    ///
    /// # Errors
    /// [`Error::Level`] if `level` is out of range, [`Error::NotFinite`] if a number is not finite,
    /// [`Error::OutOfRange`] if `lower` is above `upper`.
    pub fn new(
        value: f64,
        (lower, upper): (f64, f64),
        level: f64,
        n: u64,
        method: Method,
    ) -> Result<Self, Error> {
        check_level(level)?;
        finite("value", value)?;
        finite("lower", lower)?;
        finite("upper", upper)?;
        if lower > upper {
            return Err(Error::OutOfRange {
                what: "lower",
                value: lower,
                expected: "a number at or under `upper`",
            });
        }
        Ok(Self {
            value,
            lower,
            upper,
            level,
            n,
            method,
        })
    }

    /// Width of the interval.
    pub fn width(&self) -> f64 {
        self.upper - self.lower
    }

    /// Whether `value` lies in the interval, ends included.
    pub fn covers(&self, value: f64) -> bool {
        self.lower <= value && value <= self.upper
    }
}
