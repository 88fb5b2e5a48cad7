//! The confirmation round: both orders of a flipped case, asked once more.

use std::str::FromStr;

use crate::course::Sequential;
use crate::gate::Gates;
use crate::measure::{Table, judgements, to_confirm};
use crate::perturb::Axis;
use crate::stats::draw::{Part, Stream};

/// Which flips are asked once more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Confirm {
    /// One flip of each case in an order whose gate is not shown to hold.
    #[default]
    Auto,
    /// None.
    Never,
    /// One flip of each case that flipped.
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

/// The slots that confirm the flips among `needed` asks, in a seeded order: for each axis one flip of each case, two asks for it
/// at most.
pub(super) fn wanted(
    table: &Table<'_>,
    gates: &Gates,
    standing: Option<&Sequential>,
    needed: &[bool],
) -> Vec<u32> {
    let plan = table.plan;
    let judged = judgements(table, gates, standing, |ask| needed[ask]);
    let each_axis = Axis::CHANGES
        .into_iter()
        .flat_map(|axis| to_confirm(axis, &judged, table, gates));
    let mut slots: Vec<u32> = each_axis
        .flat_map(|each| [table.against(each.ask), each.ask])
        .map(|ask| plan.again(ask))
        .collect();
    slots.sort_unstable();
    slots.dedup();
    Stream::new(&[Part::U64(plan.seed), Part::Text("confirm")]).shuffle(&mut slots);
    slots
}
