//! Every warning, with its text.

use std::fmt;

use flipside_core::record::FailedKind;

use crate::wording::{count, failed, foreign, list, percent, plural, sentence};

/// Something in a finished summary that weakens what its figures say.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// The control flips as often as an order.
    ControlFlips {
        /// Cases whose control flipped, of those compared.
        control: (u64, u64),
        /// The order that flips most.
        variant: String,
        /// Its flips, of its pairs.
        flips: (u64, u64),
    },
    /// The order gate failed, and no control was asked.
    NoControl {
        /// The order that flips most.
        variant: String,
        /// Its flips, of its pairs.
        flips: (u64, u64),
    },
    /// More asks failed than can be shrugged off.
    FailedAsks {
        /// Failed asks.
        failed: u64,
        /// Asks made.
        made: u64,
        /// The kind that most of them are of.
        most: Option<FailedKind>,
    },
    /// Integer-like keys were sent over HTTP.
    IntegerKeys {
        /// Cases that have one.
        cases: u64,
        /// Such a key.
        key: String,
    },
    /// Not every order was asked, though all were asked for.
    Sampled,
    /// The backend's confidence is not what its documents say.
    ConfidenceKind {
        /// What its documents say.
        declared: &'static str,
        /// What it looks like.
        fits: Vec<&'static str>,
    },
    /// More than one model answered.
    ServedModels {
        /// Their names.
        served: Vec<String>,
    },
    /// Every own-order answer is in one position, or is one key.
    ConstantAnswer {
        /// Own-order answers.
        answers: u64,
        /// The key, if they all are one.
        key: Option<String>,
        /// The position from 0, if they all are in one.
        position: Option<u16>,
        /// Whether other orders were asked.
        orders: bool,
    },
    /// Every flip is within a tie.
    TieFlipsOnly {
        /// Flips.
        flips: u64,
    },
    /// Some cases were left out because an earlier one is the same.
    Duplicates {
        /// How many.
        left_out: u64,
    },
    /// There is a fit gate and no case says which options are right.
    NoLabels,
    /// Reversal alone cannot see a preference for both ends or for the middle.
    ReversalAlone {
        /// Cases with three options or more.
        cases: u64,
        /// Whether a control was asked already.
        control: bool,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |(part, whole): (u64, u64)| format!("{}/{}", count(part), count(whole));
        let (seen, matters, act) = match self {
            Self::ControlFlips { control, variant, flips } => (
                format!("the control flipped in {} and `{}` in {}", of(*control), foreign(variant), of(*flips)),
                "the backend disagrees with itself as often, so these flips do not show that order matters".to_owned(),
                "make the backend answer the same request alike (temperature 0, a fixed seed) and probe again".to_owned(),
            ),
            Self::NoControl { variant, flips } => (
                format!("`{}` flipped {} and no control was asked", foreign(variant), of(*flips)),
                "a backend that disagrees with itself would flip too".to_owned(),
                "add `same:1` to `--order`".to_owned(),
            ),
            Self::FailedAsks { failed: lost, made, most } => (
                format!(
                    "{} of {} failed ({}{})",
                    count(*lost),
                    plural(*made, "ask", "asks"),
                    share(*lost, *made),
                    most.map(|kind| format!(", mostly {}", failed(kind))).unwrap_or_default(),
                ),
                "what they would have said is in no rate, and bounds count it against the model".to_owned(),
                format!("{}; {AGAIN}", most.map_or(MEND, remedy)),
            ),
            Self::IntegerKeys { cases, key } => (
                format!("{} keys such as `{}`", have(*cases), foreign(key)),
                "a hop written in JavaScript moves such members to the front of an object, so the model may not see \
                 the order that was sent"
                    .to_owned(),
                format!("start such keys with a letter, such as `k{}`", foreign(key)),
            ),
            Self::Sampled => (
                "`all` was sampled".to_owned(),
                "some case has more orders than `--max-orders`, so orders that were not asked may flip it".to_owned(),
                "raise `--max-orders`, or say `random:N` to name how many are asked".to_owned(),
            ),
            Self::ConfidenceKind { declared, fits } => (
                format!(
                    "the backend's confidence looks like `{}` and not like `{declared}`, which its documents name",
                    fits.join("` or `")
                ),
                "the same word means another quantity, and flipside never judges by it".to_owned(),
                "compare it with no other backend's, and set no threshold on it".to_owned(),
            ),
            Self::ServedModels { served } => {
                let names: Vec<String> = served.iter().map(|name| format!("`{}`", foreign(name))).collect();
                (
                    format!("{} answered in one run: {}", plural(served.len() as u64, "model", "models"), list(&names)),
                    "a pair across a change of the served model is not about order and is counted as missing".to_owned(),
                    "name an exact version as the model and probe again".to_owned(),
                )
            }
            Self::ConstantAnswer { answers, key, position, orders } => constant(*answers, key.as_deref(), *position, *orders),
            Self::TieFlipsOnly { flips } => (
                match *flips {
                    1 => "the only flip is within a tie".to_owned(),
                    n => format!("all {} flips are within a tie", count(n)),
                },
                "the two best probabilities are equal as reported, so how the backend breaks ties decides".to_owned(),
                "have it report more decimals, or read these cases as undecided".to_owned(),
            ),
            Self::Duplicates { left_out } => (
                match *left_out {
                    1 => "1 case was left out".to_owned(),
                    n => format!("{} cases were left out", count(n)),
                },
                "an earlier case is the same, and one decision counts once".to_owned(),
                "remove them from the file, or write cases that differ".to_owned(),
            ),
            Self::NoLabels => (
                "no case says which options are right".to_owned(),
                "the fit gate has nothing to measure and cannot hold".to_owned(),
                "label the cases, or `--gate none:fit` removes it".to_owned(),
            ),
            Self::ReversalAlone { cases, control } => (
                format!("`reverse` is the only order asked, and {} three options or more", have(*cases)),
                "reversal cannot see a preference for both ends or for the middle".to_owned(),
                if *control {
                    "add `rotate:1` to `--order`".to_owned()
                } else {
                    "add `rotate:1` or use `--order check`".to_owned()
                },
            ),
        };
        f.write_str(&sentence(&seen, &matters, &act))
    }
}

fn constant(
    answers: u64,
    key: Option<&str>,
    position: Option<u16>,
    orders: bool,
) -> (String, String, String) {
    let place = position.map(|position| format!("in position {}", u32::from(position) + 1));
    let key = key.map(|key| format!("`{}`", foreign(key)));
    let what = match (key, place) {
        (Some(key), Some(place)) => format!("{key}, {place}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => "the same".to_owned(),
    };
    let act = if orders {
        "look at the other orders, and add cases whose right answers differ"
    } else {
        "add `--order check`, and cases whose right answers differ"
    };
    (
        format!("all {} own-order answers are {what}", count(answers)),
        "a model that reads nothing answers like that".to_owned(),
        act.to_owned(),
    )
}

fn have(cases: u64) -> String {
    if cases == 1 {
        "1 case has".to_owned()
    } else {
        format!("{} cases have", count(cases))
    }
}

#[expect(clippy::cast_precision_loss, reason = "one decimal is printed")]
fn share(part: u64, whole: u64) -> String {
    percent(part as f64 / whole as f64)
}

/// What the same command does about failed asks.
const AGAIN: &str = "the same command with the same `--out` asks those again that failed for lack of an answer (a status \
                     of 5xx, 408 or 429, a broken connection, a timeout), and nothing else";

const MEND: &str = "mend what failed";

fn remedy(kind: FailedKind) -> &'static str {
    match kind {
        FailedKind::Malformed => "read their replies and mend the server's",
        FailedKind::Status => {
            "look at the example in the report's `failed` line and mend what it names"
        }
        FailedKind::Connection => "see that the server is up",
        FailedKind::Timeout => "raise `--timeout` or lower `--concurrency`",
        FailedKind::Unsupported => "leave out questions that the model cannot answer",
        FailedKind::Unavailable => "record what the replayed run does not hold",
        _ => MEND,
    }
}
