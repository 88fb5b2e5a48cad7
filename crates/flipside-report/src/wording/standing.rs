//! What got better and worse between two runs, in words.

use std::fmt::Write as _;

use flipside_core::compare::{Compared, Comparison, CountOf, Standing};

use super::axis;
use super::compare::{difference, shares};
use super::number::{count, p_value};
use super::text::{foreign, list};

/// The name of a compared figure: `accuracy`, or what was changed with its value.
pub fn standing_name(found: &Compared<'_>) -> [String; 2] {
    match (found.of, found.name.split_once('/')) {
        (CountOf::Right, _) => ["fit".to_owned(), "own order".to_owned()],
        (CountOf::Flips, Some((of, name))) => [foreign(of), axis::value(of, name)],
        (CountOf::Flips, None) => ["order".to_owned(), axis::value("order", found.name)],
    }
}

/// Both counts, and what the difference is worth: `5/30 to 1/30 flipped` and `-13.3 points (95% CI ..), exact McNemar p 0.125`; beside
/// other tests the adjusted p value too.
pub fn standing(found: &Compared<'_>, comparison: &Comparison) -> [String; 2] {
    let word = match found.of {
        CountOf::Right => "right",
        CountOf::Flips => "flipped",
    };
    let counts = shares(&found.paired.baseline, &found.paired.variant, word);
    let mut text = difference(found.paired, comparison.alpha);
    if let Some(p) = found.adjusted_p
        && Some(p) != found.paired.mcnemar_p
    {
        let _ = write!(text, ", {} over all rows here", p_value(p));
    }
    [counts, text]
}

/// How many figures stand where: `1 better, 2 worse and 3 undecided`.
pub fn standings_found(found: &[Compared<'_>]) -> String {
    let all = [
        Standing::Better,
        Standing::Worse,
        Standing::Undecided,
        Standing::NotMeasured,
    ];
    let each: Vec<String> = all
        .into_iter()
        .map(|standing| {
            let of = found.iter().filter(|one| one.standing == standing);
            (of.count() as u64, standing.text())
        })
        .filter(|(n, _)| *n > 0)
        .map(|(n, word)| format!("{} {word}", count(n)))
        .collect();
    if each.is_empty() {
        "nothing both asked".to_owned()
    } else {
        list(&each)
    }
}
