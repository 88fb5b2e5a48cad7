//! What must not be compared.

use crate::foreign::Foreign;

/// Why two answer sets are not compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// They were measured by different methods: rules of ties, of thresholds, of figures.
    #[error(
        "the baseline was measured by method {baseline} and the variant by method {variant}, whose rules of ties and thresholds differ"
    )]
    Method {
        /// The baseline's.
        baseline: u32,
        /// The variant's.
        variant: u32,
    },
    /// The same ids ask different types of question.
    #[error(
        "no case can be compared: the baseline asks {baseline} questions and the variant {variant} questions under the same ids"
    )]
    QuestionTypes {
        /// The baseline's types.
        baseline: String,
        /// The variant's.
        variant: String,
    },
    /// No case is in both with the same content.
    #[error(
        "no case is in both: {only_baseline} only in the baseline, {only_variant} only in the variant, {other_content} with one id and different content"
    )]
    NoCommonCase {
        /// Cases only in the baseline.
        only_baseline: u64,
        /// Cases only in the variant.
        only_variant: u64,
        /// Cases with one id and different content.
        other_content: u64,
    },
    /// They asked other orders, and no case was shown in the same other order by both.
    #[error(
        "no other order was asked by both: the baseline asked {baseline}, the variant {variant}"
    )]
    NoCommonOrder {
        /// The baseline's.
        baseline: String,
        /// The variant's.
        variant: String,
    },
    /// An order that was named was not asked by both.
    #[error("order `{}` was not asked by both; {common} was", Foreign(name))]
    UnknownOrder {
        /// The order.
        name: String,
        /// Those that were.
        common: String,
    },
    /// A field by which cases were to be split is in none of them.
    #[error("no common case has the field `{}`", Foreign(field))]
    UnknownField {
        /// The field.
        field: String,
        /// The fields that common cases have, in byte order.
        known: Vec<String>,
    },
    /// No case was answered by both.
    #[error("no case was answered by both in the same order")]
    NoAnswers,
}

impl Refusal {
    /// What to do about it.
    pub fn help(&self) -> String {
        let help = match self {
            Self::UnknownField { known, .. } if known.is_empty() => "no common case has any field",
            Self::UnknownField { known, .. } => {
                return format!("the fields are {}", names(known.iter().map(String::as_str)));
            }
            Self::Method { .. } => {
                "measure both with one flipside: `flipside probe CASES --model replay:RUN --out DIR` reads recorded replies anew"
            }
            Self::QuestionTypes { .. } | Self::NoCommonCase { .. } => {
                "compare runs over the same case file"
            }
            Self::NoCommonOrder { .. } => {
                "ask the same orders with the same seed, or pass `--order own` to compare the own order alone"
            }
            Self::UnknownOrder { .. } => "name one that both asked, or leave `--order` out",
            Self::NoAnswers => "ask the failed cases again first",
        };
        help.to_owned()
    }
}

/// Names in a sentence: `a`, or `a` and `b`; a long list is cut.
pub(super) fn names<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const MOST: usize = 8;
    let mut all: Vec<String> = names
        .into_iter()
        .map(|name| format!("`{}`", Foreign(name)))
        .collect();
    if all.is_empty() {
        return "none".to_owned();
    }
    let more = all.len().saturating_sub(MOST);
    all.truncate(MOST);
    let tail = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    all.join(", ") + &tail
}
