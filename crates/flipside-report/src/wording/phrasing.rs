//! Figures across all rewordings in words.

use flipside_core::summary::{PhrasingSummary, WordingShare, WordingSpread};

use super::number::{count, percent, points, range};
use super::orders::{Told, in_general, spoken, told};
use super::text::{name, plural};

/// How far the share moves from wording to wording, and how many cases answer more than one of them otherwise: of accepted answers
/// where cases say which those are, else of flips. `None` under three rewordings.
pub fn spread(phrasing: &PhrasingSummary) -> Option<Told> {
    let (accuracy, flips) = (&phrasing.accuracy, &phrasing.flips);
    let (spread, value, what) = match (accuracy.value, flips.value) {
        (Some(value), _) => (accuracy, value, "right"),
        (None, value) => (flips, value?, "flipped"),
    };
    let ends = range([spread.least?, spread.most?]);
    let over = match spread
        .wordings
        .iter()
        .partition::<Vec<_>, _>(|each| each.wording == "own")
    {
        (own, others) if own.is_empty() => rewordings(others.len()),
        (_, others) => format!("own words and {}", rewordings(others.len())),
    };
    let left = match spread.left_out {
        0 => String::new(),
        n => format!(" ({} left out)", count(n)),
    };
    let noise = spread.shuffled_mean.zip(spread.shuffled_at_least);
    let noise = noise.map(|(mean, share)| {
        format!(
            "; noise alone gives {}, at least this much in {} of {} shuffles",
            apart(mean),
            percent(share),
            spread.shuffles
        )
    });
    let flips = &phrasing.any_flip;
    let moved = match flips.of {
        0 => String::new(),
        of => format!(
            "; {}/{} cases gave more than one answer",
            count(flips.count),
            count(of)
        ),
    };
    Some(told(
        "spread",
        format!("{} points", apart(value)),
        format!(
            "{ends} {what} over {over}, {}{left}{}{moved}",
            plural(spread.cases, "case", "cases"),
            noise.unwrap_or_default(),
        ),
    ))
}

/// The share of cases with more than one answer over all their wordings, and what it shows in general; `None` where each has one
/// rewording at most, whose flips have a line.
pub fn any_wording(phrasing: &PhrasingSummary) -> Option<(Told, String)> {
    let flips = &phrasing.any_flip;
    if phrasing.wordings.most < 3 {
        return None;
    }
    let open = match phrasing.any_flip_open {
        0 => String::new(),
        open => format!(", {} open (an answer missing)", count(open)),
    };
    let told = told(
        "any flip",
        format!("{}/{} flipped", count(flips.count), count(flips.of)),
        format!("over {}{open}", spoken(phrasing.wordings, "wordings")),
    );
    Some((told, in_general(flips)))
}

/// Accuracy and flips of each wording on the cases that were answered in all of them, a line each, and cases by how many
/// different answers they gave.
pub fn by_wording(phrasing: &PhrasingSummary) -> Vec<Told> {
    let lines = |spread: &WordingSpread, what: &str| -> Vec<Told> {
        let line = |each: &WordingShare| {
            told(
                name(&each.wording),
                format!("{}/{} {what}", count(each.count), count(each.of)),
                format!("{}, 95% CI {}", percent(each.rate), range(each.interval)),
            )
        };
        spread.wordings.iter().map(line).collect()
    };
    let mut all = lines(&phrasing.accuracy, "right");
    all.extend(lines(&phrasing.flips, "flipped"));
    all.extend(phrasing.different_answers.iter().map(|each| {
        let answers = plural(each.answers, "answer", "different answers");
        told(answers, plural(each.cases, "case", "cases"), "")
    }));
    all
}

fn rewordings(number: usize) -> String {
    plural(number as u64, "rewording", "rewordings")
}

/// Percentage points without a sign.
fn apart(share: f64) -> String {
    points(share).trim_start_matches('+').to_owned()
}
