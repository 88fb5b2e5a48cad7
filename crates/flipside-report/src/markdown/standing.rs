//! What got better, worse or stayed undecided between two runs, for a pull request.

use std::fmt::Write as _;

use flipside_core::compare::{Comparison, Standing, standings};

use super::text::{escaped, row};
use crate::wording;

/// A table with a row per figure that both runs have.
pub fn render_standings(comparison: &Comparison) -> String {
    let found = standings(comparison);
    let mut out = format!("## Changed: {}\n\n", wording::standings_found(&found));
    let sides = [&comparison.baseline, &comparison.variant].map(wording::about);
    let _ = write!(
        out,
        "From {}.\nTo {}.\n",
        escaped(&sides[0]),
        escaped(&sides[1])
    );
    let _ = write!(
        out,
        "Compared on {}",
        escaped(&wording::compared(comparison))
    );
    if let Some(text) = wording::left_out(comparison) {
        let _ = write!(out, "; left out: {}", escaped(&text));
    }
    out += ".\n\n";
    let header = ["", "", "from and to", "", "difference"].map(str::to_owned);
    out += &row(&header);
    out += &row(&["---"; 5].map(str::to_owned));
    for one in &found {
        let [subject, name] = wording::standing_name(one);
        let [counts, text] = wording::standing(one, comparison);
        let word = one.standing.text();
        let word = match one.standing {
            Standing::Better | Standing::Worse => format!("**{word}**"),
            Standing::Undecided | Standing::NotMeasured => word.to_owned(),
        };
        out += &row(&[
            escaped(&subject),
            escaped(&name),
            counts,
            word,
            escaped(&text),
        ]);
    }
    out
}
