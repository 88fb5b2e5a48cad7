//! The confirmation round: both orders of a flipped case, asked once more.

use std::str::FromStr;

use crate::course::Sequential;
use crate::gate::{Gates, Kind};
use crate::measure::{PairOutcome, Table, judgements, pair};
use crate::stats::draw::{Part, Stream};

/// Which flips are asked once more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Confirm {
    /// Those of orders whose gate is not shown to hold.
    #[default]
    Auto,
    /// None.
    Never,
    /// All.
    All,
}

impl Confirm {
    /// The name, as `--confirm` takes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Never => "never",
            Self::All => "all",
        }
    }
}

impl FromStr for Confirm {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        [Self::Auto, Self::Never, Self::All]
            .into_iter()
            .find(|confirm| confirm.name() == text)
            .ok_or(())
    }
}

/// The slots that confirm the flips among `needed` asks, in a seeded order.
pub(super) fn wanted(
    table: &Table<'_>,
    gates: &Gates,
    standing: Option<&Sequential>,
    needed: &[bool],
) -> Vec<u32> {
    let plan = table.plan;
    let mut slots = Vec::new();
    if gates.confirm == Confirm::Never {
        return slots;
    }
    for each in judgements(table, gates, standing, |ask| needed[ask]) {
        let settled = match &each.ruling.judged {
            Some(judged) => matches!(judged.kind, Kind::Stable | Kind::NotApplicable),
            None => true,
        };
        if gates.confirm == Confirm::Auto && settled {
            continue;
        }
        for each in each.pairs {
            if matches!(pair(each.own, each.variant), PairOutcome::Flip { .. }) {
                slots.push(plan.again(table.baseline(each.ask)));
                slots.push(plan.again(each.ask));
            }
        }
    }
    slots.sort_unstable();
    slots.dedup();
    Stream::new(&[Part::U64(plan.seed), Part::Text("confirm")]).shuffle(&mut slots);
    slots
}
