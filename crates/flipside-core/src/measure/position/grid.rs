//! Which option was chosen in which position.

use std::collections::BTreeMap;

use super::MOST_OPTIONS;
use super::rows::Row;
use crate::summary::PlaceCell;

/// How often each option stood in each position of a decided ask, and was chosen there; empty above the most options that tables are
/// made of.
pub(super) fn grid(rows: &[Row<'_>], options: usize) -> Vec<PlaceCell> {
    if options > MOST_OPTIONS {
        return Vec::new();
    }
    let mut cells: BTreeMap<(u16, u16), (u64, u64)> = BTreeMap::new();
    for ask in rows.iter().flat_map(|row| &row.asks) {
        let Some(place) = ask.position() else {
            continue;
        };
        for (position, id) in (0_u16..).zip(ask.order.identities()) {
            let (shown, chosen) = cells.entry((position, id.0)).or_default();
            *shown += 1;
            *chosen += u64::from(usize::from(position) == place);
        }
    }
    let cell = |((position, option), (shown, chosen))| PlaceCell {
        position,
        option,
        shown,
        chosen,
    };
    cells.into_iter().map(cell).collect()
}
