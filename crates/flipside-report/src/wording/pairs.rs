//! Pairs of recorded answers in words.

use flipside_core::perturb::Axis;
use flipside_core::recorded::Difference;
use flipside_core::summary::{AlsoDiffers, RecordedPairs, Summary};

use super::number::count;
use super::text::{foreign, list, plural};

/// Where recorded answers come from: `a.jsonl and b.jsonl, 60 cases in both (25 labelled), 120 answers`.
pub fn recorded(summary: &Summary, pairs: &RecordedPairs) -> String {
    let names = std::iter::once(&pairs.baseline).chain(&pairs.variant);
    let names: Vec<String> = names.map(|about| foreign(&about.name)).collect();
    let counts = &summary.counts;
    let both = if pairs.variant.is_some() {
        " in both"
    } else {
        ""
    };
    let labelled = if counts.labelled < counts.cases {
        format!(" ({} labelled)", count(counts.labelled))
    } else {
        String::new()
    };
    let cases = plural(pairs.joined, "case", "cases");
    let answers = plural(counts.answered, "answer", "answers");
    format!("{}: {cases}{both}{labelled}, {answers}", list(&names))
}

/// What is in no pair, each under its own name; `None` where that is nothing.
pub fn not_paired(pairs: &RecordedPairs) -> Option<String> {
    let case = |n| plural(n, "case", "cases");
    let named = [
        (
            pairs.only_baseline,
            format!("{} only in the baseline", case(pairs.only_baseline)),
        ),
        (
            pairs.only_variant,
            format!("{} only in the variant", case(pairs.only_variant)),
        ),
        (
            pairs.repeated,
            format!(
                "{} with different answers on one side",
                plural(
                    pairs.repeated,
                    "id that stands several times",
                    "ids that stand several times"
                )
            ),
        ),
        (
            pairs.other_options,
            format!(
                "{} with options that cannot be told to be the same",
                case(pairs.other_options)
            ),
        ),
        (
            pairs.other_types,
            format!("{} with another type of question", case(pairs.other_types)),
        ),
        (
            pairs.not_compared,
            match pairs.variant {
                Some(_) => plural(
                    pairs.not_compared,
                    "answer in a further order",
                    "answers in further orders",
                ),
                None => plural(
                    pairs.not_compared,
                    "answer on another axis",
                    "answers on other axes",
                ),
            },
        ),
    ];
    let named = named.into_iter().filter(|(n, _)| *n > 0);
    let parts: Vec<String> = named.map(|(_, text)| text).collect();
    (!parts.is_empty()).then(|| list(&parts))
}

/// Failed asks on each side, and labels that are not alike; `None` without either.
pub fn lost(pairs: &RecordedPairs) -> Option<String> {
    let [first, second] = pairs.failed;
    let sides = match &pairs.variant {
        Some(_) => ["on the baseline's side", "on the variant's side"],
        None => ["in the own order", "in another"],
    };
    let mut parts = Vec::new();
    for (n, side) in [(first, sides[0]), (second, sides[1])] {
        if n > 0 {
            parts.push(format!(
                "{} without an answer {side}",
                plural(n, "case", "cases")
            ));
        }
    }
    if pairs.other_labels > 0 {
        let cases = plural(pairs.other_labels, "case", "cases");
        parts.push(format!("{cases} with other accepted options on the variant's side, of which the baseline's count"));
    }
    (!parts.is_empty()).then(|| list(&parts))
}

/// That no position can be told, and what would supply it; `None` where every order is on record.
pub fn no_position(pairs: &RecordedPairs) -> Option<String> {
    let cases = plural(pairs.unlisted, "case", "cases");
    (pairs.unlisted > 0).then(|| {
        format!(
            "not told: no order of the options is on record for {cases}; `--cases` (and `--variant-cases`) with the cases \
             that were asked, or `--options-from`, supplies it"
        )
    })
}

/// What also differs within the pairs of `axis`: its name, and in how many pairs.
pub fn also(pairs: &RecordedPairs, axis: Axis) -> Vec<(&'static str, String)> {
    let of_axis = pairs.also.iter().filter(|also| also.axis == axis);
    let mut all: Vec<(&'static str, String)> = of_axis.map(differs).collect();
    if axis == Axis::Order {
        let quoted = &pairs.quoted;
        let cases = |n| plural(n, "case", "cases");
        if quoted.state > 0 {
            let cases = cases(quoted.state);
            let text = format!("the state of {cases} lists the options too, and kept its order");
            all.push(("state", text));
        }
        if quoted.instructions > 0 {
            let cases = cases(quoted.instructions);
            all.push((
                "instructions",
                format!("the instructions of {cases} list the options too, and kept their order"),
            ));
        }
    }
    all
}

fn differs(also: &AlsoDiffers) -> (&'static str, String) {
    let pairs = plural(also.pairs, "pair", "pairs");
    let (what, text) = match also.what {
        Difference::Order => ("order", "other orders of the options".to_owned()),
        Difference::Keys => ("keys", "other keys".to_owned()),
        Difference::Descriptions => ("descriptions", "other texts of options".to_owned()),
        Difference::State => ("state", "another state".to_owned()),
        Difference::Instructions => ("instructions", "other instructions".to_owned()),
        Difference::Company => (
            "company",
            match also.questions {
                Some([first, second]) => format!(
                    "{} in one request, {} in the other",
                    plural(first, "question", "questions"),
                    count(second)
                ),
                None => "other questions in the same request".to_owned(),
            },
        ),
    };
    (what, format!("{pairs}: {text}"))
}
