//! Gates as they are written in `--gate`.

use crate::drift_gate::{DriftStat, FORMS};
use crate::foreign::Foreign;
use crate::perturb::Axis;

/// What a gate is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// The share of accepted own-order answers.
    Fit,
    /// The share of flipped pairs of every variant asked on an axis, or of one.
    Axis(Axis, Option<String>),
    /// The share of cases whose control flipped.
    Same,
    /// The share of asks that brought no valid answer.
    Missing,
    /// How far probabilities moved, in the worst order asked.
    Drift(DriftStat),
}

impl Subject {
    /// The name as it is written in `--gate`.
    pub fn name(&self) -> String {
        match self {
            Self::Fit => "fit".to_owned(),
            Self::Axis(axis, None) => axis.name().to_owned(),
            Self::Axis(axis, Some(variant)) => format!("{}.{variant}", axis.name()),
            Self::Same => "same".to_owned(),
            Self::Missing => "missing".to_owned(),
            Self::Drift(stat) => stat.name(),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        match text {
            "fit" => Some(Self::Fit),
            "same" => Some(Self::Same),
            "missing" => Some(Self::Missing),
            _ if text.starts_with("drift.") => DriftStat::parse(text).map(Self::Drift),
            _ => {
                let (axis, variant) = match text.split_once('.') {
                    Some((axis, variant)) => (axis, Some(variant)),
                    None => (text, None),
                };
                let variant = variant.map(|variant| (!variant.is_empty()).then_some(variant));
                let variant = match variant {
                    Some(None) => return None,
                    Some(Some(variant)) => Some(variant.to_owned()),
                    None => None,
                };
                Axis::parse(axis).map(|axis| Self::Axis(axis, variant))
            }
        }
    }

    fn example(&self) -> String {
        match self {
            Self::Fit => "fit>=90%".to_owned(),
            Self::Drift(stat) => format!("{}<=0.02", stat.name()),
            _ => format!("{}<=5%", self.name()),
        }
    }
}

/// One entry of `--gate`.
#[derive(Clone, Debug, PartialEq)]
pub enum GateSpec {
    /// A limit: at least for `fit`, at most for everything else.
    Limit(Subject, f64),
    /// No gate on this subject.
    None(Subject),
}

/// Why text is no gate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GateError {
    /// A known subject with a limit that cannot be read.
    #[error("`{}`: expected a limit such as `{example}`", Foreign(found))]
    Limit {
        /// What was written.
        found: String,
        /// A limit that can be read.
        example: String,
    },
    /// No such subject.
    #[error(
        "`{}`: expected a gate on `fit`, `AXIS`, `AXIS.VARIANT`, `same`, `missing` or `drift.MEASURE.STAT`",
        Foreign(found)
    )]
    Subject {
        /// What was written.
        found: String,
    },
    /// No such figure of drift.
    #[error("`{}`: expected {FORMS}", Foreign(found))]
    Drift {
        /// What was written.
        found: String,
    },
}

impl GateSpec {
    /// Reads a comma-separated list, collecting every error.
    ///
    /// # Errors
    /// One [`GateError`] per bad entry.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, Vec<GateError>> {
        let (mut gates, mut errors) = (Vec::new(), Vec::new());
        for entry in text.split(',') {
            match Self::parse(entry.trim()) {
                Ok(gate) => gates.push(gate),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() {
            Ok(gates)
        } else {
            Err(errors)
        }
    }

    fn parse(entry: &str) -> Result<Self, GateError> {
        let no_subject = || {
            let found = entry.to_owned();
            if entry.trim_start_matches("none:").starts_with("drift") {
                GateError::Drift { found }
            } else {
                GateError::Subject { found }
            }
        };
        if let Some(name) = entry.strip_prefix("none:") {
            return Subject::parse(name).map(Self::None).ok_or_else(no_subject);
        }
        let end = entry.find(['<', '>', '=']).unwrap_or(entry.len());
        let subject = Subject::parse(entry[..end].trim_end()).ok_or_else(no_subject)?;
        let sign = if subject == Subject::Fit { ">=" } else { "<=" };
        let limit = entry[end..]
            .strip_prefix(sign)
            .and_then(|text| match &subject {
                Subject::Drift(stat) => stat.limit(text.trim()),
                _ => share(text.trim()),
            });
        match limit {
            Some(limit) => Ok(Self::Limit(subject, limit)),
            None => Err(GateError::Limit {
                found: entry.to_owned(),
                example: subject.example(),
            }),
        }
    }
}

/// A share written as `5%` or `0.05`, between 0 and 1.
pub fn share(text: &str) -> Option<f64> {
    let (number, unit) = match text.strip_suffix('%') {
        Some(number) => (number.trim_end(), 100.0),
        None => (text, 1.0),
    };
    let plain = number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let value = number.parse::<f64>().ok()? / unit;
    (plain && (0.0..=1.0).contains(&value)).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_read_in_all_their_forms() {
        let gates =
            GateSpec::parse_list("order<=10%,fit>=0.9,order.rotate:2<=2%,missing<=1%,none:order")
                .unwrap();
        assert_eq!(
            gates[0],
            GateSpec::Limit(Subject::Axis(Axis::Order, None), 0.1)
        );
        assert_eq!(gates[1], GateSpec::Limit(Subject::Fit, 0.9));
        assert_eq!(
            gates[2],
            GateSpec::Limit(
                Subject::Axis(Axis::Order, Some("rotate:2".to_owned())),
                0.02
            )
        );
        assert_eq!(gates[4], GateSpec::None(Subject::Axis(Axis::Order, None)));
    }

    #[test]
    fn bad_gates_are_refused_together() {
        let errors = GateSpec::parse_list(
            "order<5,fit<=80%,order<=5,order<=-1%,shift<=1,,none:x,order.<=5%",
        )
        .unwrap_err();
        let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
        let subjects = "expected a gate on `fit`, `AXIS`, `AXIS.VARIANT`, `same`, `missing` or \
                        `drift.MEASURE.STAT`";
        assert_eq!(
            texts,
            [
                "`order<5`: expected a limit such as `order<=5%`".to_owned(),
                "`fit<=80%`: expected a limit such as `fit>=90%`".to_owned(),
                "`order<=5`: expected a limit such as `order<=5%`".to_owned(),
                "`order<=-1%`: expected a limit such as `order<=5%`".to_owned(),
                format!("`shift<=1`: {subjects}"),
                format!("``: {subjects}"),
                format!("`none:x`: {subjects}"),
                format!("`order.<=5%`: {subjects}"),
            ]
        );
    }
}
