//! What got better, worse or stayed undecided between two runs.

use flipside_core::compare::{Compared, Comparison, Standing, standings};

use super::layout::{self, Row};
use crate::style::{Style, Tone};
use crate::wording;

/// A line per figure that both runs have, better ones first, then worse, then undecided; what is left out and how to see more.
pub fn render_standings(comparison: &Comparison, style: &Style) -> String {
    let mut found = standings(comparison);
    let mut rows = vec![
        Row::new(["from"]).text(wording::about(&comparison.baseline)),
        Row::new(["to"]).text(wording::about(&comparison.variant)),
        Row::new(["changed"]).text(format!(
            "{}: {}",
            wording::compared(comparison),
            wording::standings_found(&found)
        )),
    ];
    rows.extend(wording::left_out(comparison).map(|text| Row::new(["left out"]).text(text)));
    let mut out = layout::rows(&rows, style);
    out.push('\n');
    found.sort_by_key(|one| rank(one.standing));
    let rows: Vec<Row> = found.iter().map(|one| row(one, comparison)).collect();
    out + &layout::rows(&rows, style)
}

/// Better, worse, undecided, not measured.
fn rank(standing: Standing) -> u8 {
    match standing {
        Standing::Better => 0,
        Standing::Worse => 1,
        Standing::Undecided => 2,
        Standing::NotMeasured => 3,
    }
}

fn row(found: &Compared<'_>, comparison: &Comparison) -> Row {
    let [subject, name] = wording::standing_name(found);
    let [counts, text] = wording::standing(found, comparison);
    let tone = match found.standing {
        Standing::Better => Tone::Good,
        Standing::Worse => Tone::Bad,
        Standing::Undecided | Standing::NotMeasured => Tone::Open,
    };
    Row::new([subject.as_str(), &name, &counts])
        .word(found.standing.text(), tone)
        .text(format!(": {text}"))
}
