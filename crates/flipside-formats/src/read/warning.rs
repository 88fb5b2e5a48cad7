//! What a reader noticed that a reader of the figures should know.

use std::fmt;

use flipside_core::foreign::Foreign;

use super::At;

/// Where something was seen: the first line, and how many more cases of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The first line.
    pub at: At,
    /// How many more.
    pub more: u64,
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.more {
            0 => write!(f, "{}", self.at),
            1 => write!(f, "{} and 1 more case", self.at),
            more => write!(f, "{} and {more} more cases", self.at),
        }
    }
}

/// How two options are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alike {
    /// Their texts are equal.
    Text,
    /// Their texts are equal after NFC and trimming.
    NormalText,
    /// Their keys are equal after NFC and trimming.
    NormalKey,
}

/// Something that makes figures over a file mean less than they seem to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Warning {
    /// Two options that a reader cannot tell apart.
    #[error("{seen}: options `{}` and `{}` have {}; a flip between them says nothing", Foreign(first), Foreign(second), alike_text(*alike))]
    AlikeOptions {
        /// Where.
        seen: Seen,
        /// One key.
        first: String,
        /// The other key.
        second: String,
        /// How they are alike.
        alike: Alike,
    },
    /// Option keys that a JavaScript program would have moved.
    #[error(
        "{seen}: option keys that are whole numbers stand first, in ascending order; JavaScript moves such keys there wherever \
         the author had them, so the file order may not be the author's"
    )]
    IntegerKeys {
        /// Where.
        seen: Seen,
    },
    /// Objects whose members are all in sorted order.
    #[error(
        "{}: every object is in sorted key order, as tools write it that sort keys; the order offered may have been another",
        Foreign(file)
    )]
    SortedKeys {
        /// The file.
        file: String,
    },
    /// An option that speaks about other options.
    #[error(
        "{seen}: an option speaks about other options (`{}`), so another order changes its meaning; left out of order figures",
        Foreign(words)
    )]
    PositionDependent {
        /// Where.
        seen: Seen,
        /// The words.
        words: String,
    },
    /// A question that lists its options.
    #[error(
        "{seen}: the question repeats two or more option texts; that part keeps its order when the options change theirs"
    )]
    QuotesOptions {
        /// Where.
        seen: Seen,
    },
    /// How answers were read.
    #[error("{}: `{field}` is read as {reading} in every row", Foreign(file))]
    AnswerRead {
        /// The file.
        file: String,
        /// The field.
        field: &'static str,
        /// How.
        reading: &'static str,
    },
    /// How the gold answers of a suite were read.
    #[error(
        "{}: read so that {reading}; only so do all rows of a base case accept the same option",
        Foreign(file)
    )]
    GoldRead {
        /// The file.
        file: String,
        /// How.
        reading: String,
    },
    /// Gold answers that a model gave.
    #[error(
        "{}: the gold answers are what a teacher model said, so that accuracy is agreement with that teacher",
        Foreign(file)
    )]
    TeacherGold {
        /// The file.
        file: String,
    },
    /// Exchanges that failed when they were recorded.
    #[error("{seen}: {}: {reason}", failures_text(seen.more + 1))]
    RecordedFailures {
        /// Where; one row each.
        seen: Seen,
        /// What the first one has.
        reason: String,
    },
    /// A case that counts more options than it lists.
    #[error(
        "{seen}: the case counts {stated} options and lists {listed}; options of one key were made one before they were \
         written"
    )]
    CollapsedOptions {
        /// Where.
        seen: Seen,
        /// How many the first one counts.
        stated: u64,
        /// How many it lists.
        listed: u64,
    },
    /// Trials that ended in an error.
    #[error(
        "{}: {failed} of {} ended in an error, the first is `{}`: {}; what was decided before is read",
        Foreign(file),
        trials_text(*of),
        Foreign(trial),
        Foreign(why).cut(80)
    )]
    FailedTrials {
        /// The folder.
        file: String,
        /// How many.
        failed: u64,
        /// Of how many.
        of: u64,
        /// The first of them.
        trial: String,
        /// What its result says.
        why: String,
    },
    /// Trials of which no episode is kept.
    #[error("{}: {} counted and {found} kept", Foreign(file), trials_text(*of))]
    LostTrials {
        /// The folder.
        file: String,
        /// Trials that have an episode.
        found: u64,
        /// Trials that the job counts, or that have a folder.
        of: u64,
    },
    /// Members that are read past.
    #[error(
        "{seen}: `{}` is not part of a case and will not be sent",
        Foreign(field)
    )]
    NotSent {
        /// Where.
        seen: Seen,
        /// The member.
        field: String,
    },
}

fn alike_text(alike: Alike) -> &'static str {
    match alike {
        Alike::Text => "the same text",
        Alike::NormalText => "the same text once normalised and trimmed",
        Alike::NormalKey => "the same key once normalised and trimmed",
    }
}

fn trials_text(count: u64) -> String {
    if count == 1 {
        "1 trial".to_owned()
    } else {
        format!("{count} trials")
    }
}

fn failures_text(count: u64) -> String {
    if count == 1 {
        "1 recorded failure left out".to_owned()
    } else {
        format!("{count} recorded failures left out")
    }
}

impl Warning {
    /// What it is about; two of one kind in one file are told once, with a count.
    pub(crate) fn merges(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::AlikeOptions { seen, alike, .. },
                Self::AlikeOptions {
                    seen: s, alike: a, ..
                },
            ) => seen.at.file == s.at.file && alike == a,
            (Self::IntegerKeys { seen }, Self::IntegerKeys { seen: s })
            | (Self::PositionDependent { seen, .. }, Self::PositionDependent { seen: s, .. })
            | (Self::QuotesOptions { seen }, Self::QuotesOptions { seen: s })
            | (Self::CollapsedOptions { seen, .. }, Self::CollapsedOptions { seen: s, .. })
            | (Self::RecordedFailures { seen, .. }, Self::RecordedFailures { seen: s, .. }) => {
                seen.at.file == s.at.file
            }
            (Self::NotSent { seen, field }, Self::NotSent { seen: s, field: f }) => {
                seen.at.file == s.at.file && field == f
            }
            _ => self == other,
        }
    }

    pub(crate) fn seen_mut(&mut self) -> Option<&mut Seen> {
        match self {
            Self::AlikeOptions { seen, .. }
            | Self::IntegerKeys { seen }
            | Self::PositionDependent { seen, .. }
            | Self::QuotesOptions { seen }
            | Self::RecordedFailures { seen, .. }
            | Self::CollapsedOptions { seen, .. }
            | Self::NotSent { seen, .. } => Some(seen),
            Self::SortedKeys { .. }
            | Self::AnswerRead { .. }
            | Self::GoldRead { .. }
            | Self::TeacherGold { .. }
            | Self::FailedTrials { .. }
            | Self::LostTrials { .. } => None,
        }
    }
}
