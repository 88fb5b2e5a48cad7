//! What a browser run shows, none of whose decisions can be asked again.

use flipside_core::recorded::{Margins, PlaceCount};

use super::{count, percent, plural};

/// Places beyond these are counted and not listed, unless everything is to be told.
const MOST_PLACES: usize = 8;

/// How many ticks there are, and what is kept of them.
pub fn ticks(found: &Margins) -> String {
    let rest = found.ticks - found.all_kept;
    let kept = match (found.all_kept, rest) {
        (_, 0) => "every option of each is on record".to_owned(),
        (0, _) => "of each, only the most probable options are on record".to_owned(),
        _ => format!(
            "every option of {} is on record, of the other {} only the most probable ones",
            count(found.all_kept),
            count(rest)
        ),
    };
    format!("{}, {kept}", plural(found.ticks, "tick", "ticks"))
}

/// How far the best option was ahead; `None` where no tick has two probabilities.
pub fn margin(found: &Margins) -> Option<String> {
    let (median, lowest) = found.median.zip(found.lowest)?;
    Some(format!(
        "the best option is ahead of the next by {median:.3} in the median, {lowest:.3} at least; {} of {} by less than {} ({})",
        count(found.below),
        count(found.margins),
        found.threshold,
        percent(share(found.below, found.margins)),
    ))
}

/// Where the chosen targets stood; `None` where none has a place. All places if `all`.
pub fn places(found: &Margins, all: bool) -> Option<String> {
    if found.placed == 0 {
        return None;
    }
    let mut listed: Vec<PlaceCount> = found.places.clone();
    // The most frequent are told, the first of as many.
    listed.sort_by(|one, other| {
        other
            .ticks
            .cmp(&one.ticks)
            .then(one.place.cmp(&other.place))
    });
    let cut = if all { listed.len() } else { MOST_PLACES };
    let more = listed.split_off(cut.min(listed.len()));
    let mut told: Vec<String> = listed
        .iter()
        .map(|each| {
            let times = match each.ticks {
                1 => String::new(),
                ticks => format!(" ({} times)", count(ticks)),
            };
            format!("{}{times}", each.place)
        })
        .collect();
    if !more.is_empty() {
        told.push(plural(more.len() as u64, "more place", "more places"));
    }
    Some(format!(
        "{} stood in place {} of the page; where things stand in a page and what is right in it go together, so this says \
         nothing about why",
        plural(found.placed, "chosen target", "chosen targets"),
        told.join(", ")
    ))
}

/// Ticks whose target is not known; `None` where there are none.
pub fn unknown_targets(found: &Margins) -> Option<String> {
    let parts = [
        (found.ambiguous, "named by a text that several options have"),
        (found.unknown, "none of the options on record"),
    ];
    let told: Vec<String> = (parts.iter())
        .filter(|(ticks, _)| *ticks > 0)
        .map(|(ticks, what)| format!("{} {what}", plural(*ticks, "target is", "targets are")))
        .collect();
    (!told.is_empty()).then(|| told.join("; "))
}

/// Why nothing of it is asked again or compared.
pub fn not_asked_again() -> &'static str {
    "no tick can be asked again: state, order and rules are not on record"
}

#[expect(clippy::cast_precision_loss, reason = "one decimal is printed")]
fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}
