//! Axes and their variants in words.

use flipside_core::foreign::Foreign;
use flipside_core::perturb::Axis;
use flipside_core::plan::VacuousReason;
use flipside_core::summary::Line;
use indexmap::IndexMap;

use super::number::count;
use super::text::{foreign, list, name as cut, plural};

/// The most characters of a combination's name.
const COMBINATION: usize = 72;

/// A variant by its name on its axis: `reverse`, `abstract`; a combination by those that it combines: `reverse+keys/abstract`.
pub fn value(axis: &str, name: &str) -> String {
    if axis != Axis::Cross.name() {
        return cut(name);
    }
    let order = format!("{}/", Axis::Order.name());
    let each = name
        .split('+')
        .map(|each| each.strip_prefix(&order).unwrap_or(each));
    Foreign(&each.collect::<Vec<_>>().join("+")).cut(COMBINATION)
}

/// A variant with its axis, but for an order and a combination, which go by their names alone: `reverse`, `keys/abstract`.
pub fn variant(axis: &str, name: &str) -> String {
    match Axis::parse(axis) {
        Some(Axis::Order | Axis::Cross) => value(axis, name),
        _ => format!("{}/{}", cut(axis), value(axis, name)),
    }
}

/// What a row of an axis, whose name stands before it, says first: nothing of an order, else which variant and `then`, such as
/// `abstract: `.
pub fn of_variant(axis: &str, name: &str, then: &str) -> String {
    if axis == Axis::Order.name() {
        String::new()
    } else {
        value(axis, name) + then
    }
}

/// The name that a row goes by beside others: of an order its own, else its axis.
pub fn beside(axis: &str, name: &str) -> String {
    if axis == Axis::Order.name() {
        cut(name)
    } else {
        cut(axis)
    }
}

/// What changes along an axis, as a sentence's subject, and whether that is plural.
fn subject(axis: &str) -> (&'static str, bool) {
    match Axis::parse(axis) {
        Some(Axis::Order) => ("order", false),
        Some(Axis::Keys) => ("keys", true),
        Some(Axis::Descriptions) => ("descriptions", true),
        Some(Axis::Phrasing) => ("phrasing", false),
        Some(Axis::StateKeys) => ("the order of state keys", false),
        Some(Axis::Whitespace) => ("white space", false),
        Some(Axis::LetterCase) => ("letter case", false),
        Some(Axis::Drop) => ("an option less", false),
        Some(Axis::Decoy) => ("an option more", false),
        Some(Axis::Batch) => ("the company of other questions", false),
        Some(Axis::Cross) => ("a combination", false),
        Some(Axis::Unrecorded) => ("what is not on record", false),
        Some(Axis::Baseline | Axis::Same) | None => ("the change", false),
    }
}

/// That an axis changes something: `order changes`, `keys change`.
pub fn changes(axis: &str) -> String {
    let (subject, plural) = subject(axis);
    let verb = if plural { "change" } else { "changes" };
    format!("{subject} {verb}")
}

/// That axes matter: `order matters`, `order or keys matter`.
pub fn matter<T: AsRef<str>>(axes: &[T]) -> String {
    let subjects: Vec<(&str, bool)> = axes.iter().map(|axis| subject(axis.as_ref())).collect();
    let words: Vec<&str> = subjects.iter().map(|(words, _)| *words).collect();
    let words = match &words[..] {
        [] => "anything".to_owned(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    };
    // The verb goes by the subject next to it.
    let plural = subjects.last().is_some_and(|(_, plural)| *plural);
    format!("{words} {}", if plural { "matter" } else { "matters" })
}

/// Variants as they are counted: `2 other orders`, `1 variant`.
pub(super) fn variants(axis: &str, n: u64) -> String {
    if axis == Axis::Order.name() {
        plural(n, "other order", "other orders")
    } else {
        plural(n, "variant", "variants")
    }
}

/// Why a variant applies to no case: `the case brings no such rewording (30 cases)`; `None` where it applies to some.
pub fn not_applicable(line: &Line) -> Option<String> {
    let figure = &line.figure;
    if figure.applicable > 0 || line.vacuous_reasons.is_empty() {
        return None;
    }
    Some(reasons(&line.vacuous_reasons))
}

/// Reasons with their cases: `one option (2 cases) and the order is the case's own (1 case)`.
pub(super) fn reasons(by_reason: &IndexMap<VacuousReason, u64>) -> String {
    let reasons = by_reason.iter();
    let each: Vec<String> = reasons
        .map(|(reason, n)| format!("{} ({})", reason.text(), plural(*n, "case", "cases")))
        .collect();
    list(&each)
}

/// The axes beside the order as they were asked for: `axis keys:abstract`, `axes keys:abstract and drop`; `None` without one.
pub(super) fn axes_asked(axes: &[String], cross: Option<&str>) -> Option<String> {
    let named: Vec<String> = axes.iter().map(|axis| foreign(axis)).collect();
    let asked = match &named[..] {
        [] => None,
        [axis] => Some(format!("axis {axis}")),
        _ => Some(format!("axes {}", list(&named))),
    };
    let cross = cross.map(|cross| match cross.parse::<u64>() {
        Ok(n) => format!("{} of their combinations per case", count(n)),
        Err(_) => "all their combinations".to_owned(),
    });
    match (asked, cross) {
        (Some(asked), Some(cross)) => Some(format!("{asked}, {cross}")),
        (asked, cross) => asked.or(cross),
    }
}

/// What belongs beside the first line of an axis whose changes may well be the model's business; `None` for every other.
pub fn caution(axis: &str) -> Option<&'static str> {
    (axis == Axis::Descriptions.name()).then_some("ablation: the content changes too")
}

/// Axes that have no row in a block, if there are such.
pub fn more_axes(more: u64) -> Option<String> {
    let axes = plural(more, "more axis", "more axes");
    (more > 0).then(|| format!("and {axes}, none more so; --verbose lists them"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_goes_by_its_name_and_everything_else_with_its_axis() {
        assert_eq!(variant("order", "reverse"), "reverse");
        assert_eq!(variant("state-keys", "reverse"), "state-keys/reverse");
        assert_eq!(variant("drop", "\u{1b}[2J"), "drop/\\u{1b}[2J");
        assert_eq!(
            variant("cross", "order/reverse+keys/abstract"),
            "reverse+keys/abstract"
        );
        assert_eq!(variant("cross", &"x+".repeat(80)).chars().count(), 72);
    }

    #[test]
    fn every_axis_is_the_subject_of_a_sentence_of_its_own() {
        let texts = Axis::CHANGES.map(|axis| changes(axis.name()));
        assert_eq!(
            texts,
            [
                "order changes",
                "keys change",
                "descriptions change",
                "phrasing changes",
                "the order of state keys changes",
                "white space changes",
                "letter case changes",
                "an option less changes",
                "an option more changes",
                "the company of other questions changes",
                "a combination changes",
                "what is not on record changes",
            ]
        );
        assert_eq!(matter(&["order"]), "order matters");
        assert_eq!(matter(&["order", "keys"]), "order or keys matter");
        assert_eq!(
            matter(&["order", "keys", "phrasing"]),
            "order, keys or phrasing matters"
        );
        assert_eq!(changes("else"), "the change changes");
    }

    #[test]
    fn axes_are_named_as_they_were_asked_for() {
        let axes = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let asked = |names: &[&str], cross| {
            let names: Vec<String> = axes(names);
            axes_asked(&names, cross)
        };
        assert_eq!(asked(&[], None), None);
        assert_eq!(asked(&["drop"], None).unwrap(), "axis drop");
        assert_eq!(
            asked(&["keys:abstract", "drop"], Some("full")).unwrap(),
            "axes keys:abstract and drop, all their combinations"
        );
        assert_eq!(
            asked(&["keys:letters"], Some("12")).unwrap(),
            "axis keys:letters, 12 of their combinations per case"
        );
    }
}
