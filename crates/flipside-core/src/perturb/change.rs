//! Changes: what a variant does to a case.

use super::batch::Batch;
use super::decoy::Decoy;
use super::descriptions::Descriptions;
use super::drop::Drop;
use super::keys::Keys;
use super::letter_case::LetterCase;
use super::state_keys::StateKeys;
use super::whitespace::Whitespace;
use super::{Variant, phrasing};
use crate::case::Case;
use crate::order::{OptionId, Order};
use crate::plan::VacuousReason;
use crate::stats::draw::{Part, Stream};

/// A case as a variant shows it: its words, and which option stands where.
///
/// The options of `case` are those of the original with the same identities, a decoy after them; an option that is not
/// offered stands among them and not in `shown`.
#[derive(Clone, Debug, PartialEq)]
pub struct Altered {
    /// The words.
    pub case: Case,
    /// The options that are offered, first position first.
    pub shown: Vec<OptionId>,
}

/// What the draws of a variant come from.
#[derive(Clone, Copy, Debug)]
pub struct Draws<'a> {
    /// The run's seed.
    pub seed: u64,
    /// What the case's draws are seeded by.
    pub draw_key: &'a str,
}

impl Draws<'_> {
    /// The stream of `purpose` for this case; the `number`-th draw of it, from 0.
    pub fn stream(&self, purpose: &str, number: u32) -> Stream {
        Stream::new(&[
            Part::U64(self.seed),
            Part::Text(purpose),
            Part::Text(self.draw_key),
            Part::U64(u64::from(number)),
        ])
    }
}

/// One value of an axis for one case: what it is called and what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// Its name.
    pub variant: Variant,
    /// What it does.
    pub change: Change,
    /// What it is compared with, where that is not the baseline.
    pub against: Option<(Variant, Change)>,
}

impl Alternative {
    /// A value that is compared with the baseline.
    pub fn new(variant: Variant, change: Change) -> Self {
        Self {
            variant,
            change,
            against: None,
        }
    }
}

/// One change. Each lists its rules in its own module.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// The question alone, or its company in another order.
    Batch(Batch),
    /// The case's rewording of this name, which stands elsewhere in each case.
    Phrasing(String),
    /// Other descriptions of the options.
    Descriptions(Descriptions),
    /// Other keys.
    Keys(Keys),
    /// One option more.
    Decoy(Decoy),
    /// The state's members in another order.
    StateKeys(StateKeys),
    /// Other letter case.
    LetterCase(LetterCase),
    /// Other white space.
    Whitespace(Whitespace),
    /// One option less, or its reference.
    Drop(Drop),
}

impl Change {
    /// Applies the change to `to`; `renamed` says whether its options have other keys than the case gave them.
    ///
    /// # Errors
    /// Why the change cannot say anything about this case.
    fn apply(
        &self,
        to: &mut Altered,
        renamed: bool,
        draws: &Draws<'_>,
    ) -> Result<(), VacuousReason> {
        match self {
            Self::Batch(batch) => batch.apply(to),
            Self::Phrasing(name) => phrasing::apply(name, to),
            Self::Descriptions(descriptions) => descriptions.apply(to),
            Self::Keys(keys) => keys.apply(to, draws),
            Self::Decoy(decoy) => decoy.apply(to, renamed),
            Self::StateKeys(state_keys) => state_keys.apply(to, draws),
            Self::LetterCase(letter_case) => letter_case.apply(to),
            Self::Whitespace(whitespace) => whitespace.apply(to),
            Self::Drop(drop) => drop.apply(to),
        }
    }
}

/// `case` with its options in `order` and all `changes`, which are applied in the order of [`Change`]'s variants whatever
/// order they come in.
///
/// # Errors
/// The reason of the first change that cannot say anything about this case; [`VacuousReason::InformationLost`] for other keys
/// beside descriptions that stand with no option or with another.
pub fn alter(
    case: &Case,
    order: &Order,
    changes: &[Change],
    draws: &Draws<'_>,
) -> Result<Altered, VacuousReason> {
    let own = Altered {
        case: case.clone(),
        shown: order.identities().to_vec(),
    };
    let mut changes: Vec<&Change> = changes.iter().collect();
    changes.sort();
    let renaming = changes
        .iter()
        .find(|change| matches!(change, Change::Keys(_)));
    let ablation = changes
        .iter()
        .find(|change| matches!(change, Change::Descriptions(each) if each.leaves_the_key_alone()));
    if let (Some(renaming), Some(ablation)) = (renaming, ablation) {
        // A change that says nothing even alone has its own reason.
        for change in [ablation, renaming] {
            change.apply(&mut own.clone(), false, draws)?;
        }
        return Err(VacuousReason::InformationLost);
    }
    let renamed = renaming.is_some();
    let mut altered = own;
    for change in changes {
        change.apply(&mut altered, renamed, draws)?;
    }
    Ok(altered)
}
