//! What gold answers mean: tested on all rows and never assumed.

use flipside_core::order::OptionId;
use flipside_core::suite::KeyVariant;

use super::group::Group;
use super::line::{Gold, Line, Named, same_names};

/// How gold answers of a file are read. Under the right reading all rows of a base case accept the same option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reading {
    /// What an alias belongs to.
    pub alias: AliasOf,
    /// How `gold.options` is ordered.
    pub gold: GoldOrder,
}

/// What an alias such as `A1` or `L0` belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AliasOf {
    /// To an option of the base case: in a reversed row it moves with it.
    Option,
    /// To a place of the list: in a reversed row another option has it.
    Place,
}

/// How `gold.options` is ordered in a reversed row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GoldOrder {
    /// As the row lists its options.
    Row,
    /// As the forward row lists them; a name may then also be the one that the forward row shows.
    Forward,
}

impl AliasOf {
    const ALL: [Self; 2] = [Self::Option, Self::Place];

    fn words(self) -> &'static str {
        match self {
            Self::Option => "aliases belong to options",
            Self::Place => "aliases belong to places",
        }
    }
}

impl GoldOrder {
    const ALL: [Self; 2] = [Self::Row, Self::Forward];

    fn words(self) -> &'static str {
        match self {
            Self::Row => "`gold.options` is in the row's order",
            Self::Forward => "`gold.options` is in forward order",
        }
    }
}

impl Reading {
    /// Every reading, first that of the rows that flipside makes.
    pub const ALL: [Self; 4] = {
        let [option, place] = AliasOf::ALL;
        let [row, forward] = GoldOrder::ALL;
        [
            Self {
                alias: option,
                gold: row,
            },
            Self {
                alias: option,
                gold: forward,
            },
            Self {
                alias: place,
                gold: row,
            },
            Self {
                alias: place,
                gold: forward,
            },
        ]
    };

    /// The reading in words, as in `read so that …`.
    pub fn words(self) -> String {
        format!("{} and {}", self.alias.words(), self.gold.words())
    }
}

/// What all of `readings` say, in words; `None` if they agree in nothing.
pub(super) fn agreed(readings: &[Reading]) -> Option<String> {
    let first = readings.first()?;
    let alias = readings.iter().all(|reading| reading.alias == first.alias);
    let gold = readings.iter().all(|reading| reading.gold == first.gold);
    match (alias, gold) {
        (true, true) => Some(first.words()),
        (true, false) => Some(first.alias.words().to_owned()),
        (false, true) => Some(first.gold.words().to_owned()),
        (false, false) => None,
    }
}

/// The option that `line` accepts under `reading`, by canonical identity; `None` if the row contradicts the reading.
pub(super) fn accepted(line: &Line, group: &Group<'_>, reading: Reading) -> Option<OptionId> {
    let (label, listed) = match &line.gold {
        Gold::Side(side) => return Some(OptionId(u16::from(*side))),
        Gold::Option { label, listed } => (label, listed),
    };
    if group.alias.is_some_and(|alias| alias != reading.alias) {
        return None;
    }
    let last = line.options.len() - 1;
    let reversed = line.is_reversed();
    let undone = |place: usize| if reversed { last - place } else { place };
    let by_gold = |place: usize| match reading.gold {
        GoldOrder::Row => undone(place),
        GoldOrder::Forward => place,
    };
    // A list of known names says itself what stands where, and the reading must say the same.
    let names = line.names.iter().find(|names| same_names(names, listed));
    let fits = match (names, &group.semantic) {
        (Some(names), _) => {
            let as_shown = by_place(listed, |place| names.get(undone(by_gold(place))));
            let as_forward_row_shows = reading.alias == AliasOf::Place
                && reading.gold == GoldOrder::Forward
                && line.keys == KeyVariant::Abstract
                && listed == names;
            as_shown || as_forward_row_shows
        }
        (None, Some(semantic)) if same_names(semantic, listed) => {
            by_place(listed, |place| semantic.get(by_gold(place)))
        }
        (None, _) => true,
    };
    if !fits {
        return None;
    }
    let identity = match line.named(label)? {
        Named::Listed(place) | Named::Index(place) => by_gold(place),
        Named::Shown(place) => undone(place),
        Named::Alias(number) => match reading.alias {
            AliasOf::Option => number,
            AliasOf::Place => undone(number),
        },
    };
    u16::try_from(identity).ok().map(OptionId)
}

/// Whether `listed` is what `at` gives, place by place.
fn by_place<'a>(listed: &[String], at: impl Fn(usize) -> Option<&'a String>) -> bool {
    let mut listed = listed.iter().enumerate();
    listed.all(|(place, name)| at(place) == Some(name))
}
