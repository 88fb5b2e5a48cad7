//! What a user demands of a difference.

use std::fmt;

/// What a margin is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// Own-order accuracy.
    Accuracy,
    /// The flip rate of every other order.
    Flips,
}

impl Subject {
    /// Every subject.
    pub const ALL: [Self; 2] = [Self::Accuracy, Self::Flips];

    /// The name in flags and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::Flips => "flips",
        }
    }
}

/// Margins by subject, as shares; `None` demands nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Demand {
    /// For own-order accuracy.
    pub accuracy: Option<f64>,
    /// For flip rates.
    pub flips: Option<f64>,
}

/// The forms that [`Demand::parse`] reads.
const FORMS: &str = "a share such as `2%`, or `accuracy=2%` or `flips=2%`";

/// Why text is no demand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DemandError(String);

impl fmt::Display for DemandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DemandError {}

impl Demand {
    /// Whether nothing is demanded.
    pub fn is_empty(&self) -> bool {
        self.accuracy.is_none() && self.flips.is_none()
    }

    /// The margin of `subject`.
    pub fn of(&self, subject: Subject) -> Option<f64> {
        match subject {
            Subject::Accuracy => self.accuracy,
            Subject::Flips => self.flips,
        }
    }

    /// Reads entries, each a comma-separated list: a share for both subjects, or `accuracy=SHARE` and `flips=SHARE`.
    ///
    /// A share is written as `2%` or `0.02`, under 1; 0 only where `zero` allows it.
    ///
    /// # Errors
    /// One [`DemandError`] per entry that is none, or that gives a subject a second margin.
    pub fn parse(entries: &[String], zero: bool) -> Result<Self, Vec<DemandError>> {
        let (mut demand, mut errors) = (Self::default(), Vec::new());
        for entry in entries.iter().flat_map(|entry| entry.split(',')) {
            let entry = entry.trim();
            let (subjects, text) = match entry.split_once('=') {
                None => (&Subject::ALL[..], entry),
                Some(("accuracy", text)) => (&Subject::ALL[..1], text),
                Some(("flips", text)) => (&Subject::ALL[1..], text),
                Some(_) => (&[][..], entry),
            };
            let shown = crate::foreign::Foreign(entry);
            let share = crate::gate::share(text.trim())
                .filter(|share| *share < 1.0 && (zero || *share > 0.0) && !subjects.is_empty());
            let Some(share) = share else {
                let over = if zero { "" } else { " over 0" };
                errors.push(DemandError(format!(
                    "`{shown}`: expected {FORMS}, under 100%{over}"
                )));
                continue;
            };
            for subject in subjects {
                let slot = match subject {
                    Subject::Accuracy => &mut demand.accuracy,
                    Subject::Flips => &mut demand.flips,
                };
                if slot.replace(share).is_some() {
                    errors.push(DemandError(format!(
                        "`{shown}`: {} has a margin already",
                        subject.name()
                    )));
                }
            }
        }
        if errors.is_empty() {
            Ok(demand)
        } else {
            Err(errors)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Demand, String> {
        let error = |errors: Vec<DemandError>| errors[0].to_string();
        Demand::parse(&[text.to_owned()], true).map_err(error)
    }

    #[test]
    fn a_share_is_for_both_subjects_and_a_named_one_for_its_own() {
        let demand = |accuracy, flips| Ok(Demand { accuracy, flips });
        assert_eq!(read("2%"), demand(Some(0.02), Some(0.02)));
        assert_eq!(read("0"), demand(Some(0.0), Some(0.0)));
        assert_eq!(read("flips=0.05"), demand(None, Some(0.05)));
        assert_eq!(
            read("accuracy=1%, flips=5%"),
            demand(Some(0.01), Some(0.05))
        );
    }

    #[test]
    fn other_text_is_refused_with_the_forms() {
        let expected = "expected a share such as `2%`, or `accuracy=2%` or `flips=2%`, under 100%";
        for text in ["", "two", "-1%", "100%", "fit=2%", "flips=", "flips<=2%"] {
            assert_eq!(read(text), Err(format!("`{text}`: {expected}")));
        }
        assert_eq!(
            read("2%,flips=3%"),
            Err("`flips=3%`: flips has a margin already".to_owned())
        );
        let zero = Demand::parse(&["0%".to_owned()], false).unwrap_err();
        assert_eq!(zero[0].to_string(), format!("`0%`: {expected} over 0"));
    }
}
