//! What gold answers mean: tested on all rows and never assumed.

use flipside_core::order::OptionId;
use flipside_core::suite::KeyVariant;

use super::Problem;
use super::group::Group;
use super::line::{Gold, Line, Named, same_names};
use crate::read::Error;

/// How gold answers of a file are read. Under the right reading all rows of a base case accept the same option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reading {
    /// What an alias such as `A1` or `L0` belongs to.
    pub alias: BelongsTo,
    /// How `gold.options` is ordered.
    pub gold: GoldOrder,
    /// What the number of a level belongs to, where it is given in the place of a name.
    pub number: BelongsTo,
}

/// What a name belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BelongsTo {
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

impl Reading {
    /// Every reading, first that of the rows that flipside makes.
    pub const ALL: [Self; 8] = {
        const fn reading(bits: u8) -> Reading {
            Reading {
                alias: belongs(bits & 4),
                gold: if bits & 2 == 0 {
                    GoldOrder::Row
                } else {
                    GoldOrder::Forward
                },
                number: belongs(bits & 1),
            }
        }
        const fn belongs(bit: u8) -> BelongsTo {
            if bit == 0 {
                BelongsTo::Option
            } else {
                BelongsTo::Place
            }
        }
        [
            reading(0),
            reading(1),
            reading(2),
            reading(3),
            reading(4),
            reading(5),
            reading(6),
            reading(7),
        ]
    };

    /// What it says of each of its three parts.
    fn parts(self) -> [&'static str; 3] {
        [
            match self.alias {
                BelongsTo::Option => "aliases belong to options",
                BelongsTo::Place => "aliases belong to places",
            },
            match self.gold {
                GoldOrder::Row => "`gold.options` is in the row's order",
                GoldOrder::Forward => "`gold.options` is in forward order",
            },
            match self.number {
                BelongsTo::Option => "numbers belong to levels",
                BelongsTo::Place => "numbers belong to places",
            },
        ]
    }

    /// What it says that `other` does not, in words.
    fn against(self, other: Self) -> String {
        let parts = self.parts().into_iter().zip(other.parts());
        let own = parts.filter(|(own, other)| own != other);
        own.map(|(own, _)| own).collect::<Vec<_>>().join(" and ")
    }
}

/// What all of `readings` say, in words, as in `read so that …`; `None` if they agree in nothing.
pub(super) fn agreed(readings: &[Reading]) -> Option<String> {
    let first = readings.first()?.parts();
    let in_all = |part: &(usize, &'static str)| {
        let (place, words) = *part;
        readings
            .iter()
            .all(|reading| reading.parts()[place] == words)
    };
    let parts: Vec<&str> = first
        .into_iter()
        .enumerate()
        .filter(in_all)
        .map(|(_, words)| words)
        .collect();
    (!parts.is_empty()).then(|| parts.join(" and "))
}

/// The option that every row of the base case accepts under `reading`, by canonical identity.
pub(super) fn accepts(group: &Group<'_>, reading: Reading) -> Option<OptionId> {
    let mut lines = group.lines.iter();
    let first = accepted(lines.next()?, group, reading)?;
    lines
        .all(|line| accepted(line, group, reading) == Some(first))
        .then_some(first)
}

/// The readings that fit all base cases.
///
/// # Errors
/// If there is none, or if two of them accept different options of a base case.
pub(super) fn fitting_all(groups: &[&Group<'_>]) -> Result<Vec<Reading>, Vec<Error>> {
    let fitting = |group: &Group<'_>| -> Vec<Reading> {
        let all = Reading::ALL.into_iter();
        all.filter(|reading| accepts(group, *reading).is_some())
            .collect()
    };
    let mut left = Reading::ALL.to_vec();
    let mut errors = Vec::new();
    // A base case for each reading that is ruled out, the first that does so.
    let mut ruled_out: Vec<(Reading, &Group<'_>)> = Vec::new();
    for group in groups {
        let fits = fitting(group);
        if fits.is_empty() {
            errors.push(no_reading(group));
            continue;
        }
        let (kept, lost): (Vec<_>, Vec<_>) =
            left.into_iter().partition(|reading| fits.contains(reading));
        ruled_out.extend(lost.into_iter().map(|reading| (reading, *group)));
        if kept.is_empty() && errors.is_empty() {
            // One that rules out a reading under which this base case could be read.
            let other = ruled_out
                .iter()
                .find(|(reading, _)| fits.contains(reading))
                .map_or(groups[0], |(_, other)| other);
            let words =
                |fits: &[Reading]| agreed(fits).unwrap_or_else(|| fits[0].parts().join(" and "));
            errors.push(
                Problem::TwoReadings {
                    base: other.lines[0].base.clone(),
                    reading: words(&fitting(other)),
                    second: group.lines[0].base.clone(),
                    other: words(&fits),
                }
                .at(&other.lines[0].at),
            );
        }
        left = kept;
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    for group in groups {
        let first = accepts(group, left[0]);
        let other = left
            .iter()
            .find(|reading| accepts(group, **reading) != first);
        if let (Some(first), Some(other)) = (first, other) {
            errors.push(
                Problem::Undecided {
                    base: group.lines[0].base.clone(),
                    first: first.0,
                    reading: left[0].against(*other),
                    second: accepts(group, *other).map_or(first.0, |id| id.0),
                    other: other.against(left[0]),
                }
                .at(&group.lines[0].at),
            );
        }
    }
    if errors.is_empty() {
        Ok(left)
    } else {
        Err(errors)
    }
}

/// Why no reading fits a base case: a row that contradicts itself, or two that do not agree under the best reading.
fn no_reading(group: &Group<'_>) -> Error {
    let under = |line: &Line, reading: Reading| accepted(line, group, reading);
    let first = group.lines[0];
    let base = first.base.clone();
    let no_sense = |line: &&&Line| {
        Reading::ALL
            .iter()
            .all(|reading| under(line, *reading).is_none())
    };
    if let Some(line) = group.lines.iter().find(no_sense) {
        return Problem::ListedOrder { base }.at(&line.at);
    }
    // The line that is the last to disagree is most probably the wrong one.
    let disagrees = |reading: &Reading| {
        let known = under(first, *reading);
        let other = |line: &&Line| known.is_none() || under(line, *reading) != known;
        group.lines.iter().position(other).unwrap_or_default()
    };
    let other = Reading::ALL.iter().map(disagrees).max().unwrap_or_default();
    Problem::NoReading {
        base,
        first: first.at.line,
        other: group.lines[other].at.line,
    }
    .at(&first.at)
}

/// The option that `line` accepts under `reading`, by canonical identity; `None` if the row contradicts the reading.
fn accepted(line: &Line, group: &Group<'_>, reading: Reading) -> Option<OptionId> {
    let (label, listed) = match &line.gold {
        Gold::Side(side) => return Some(OptionId(u16::from(*side))),
        Gold::Option { label, listed } => (label, listed),
    };
    if group.alias.is_some_and(|alias| alias != reading.alias) {
        return None;
    }
    let named = line.named(label)?;
    let names = line.names.iter().find(|names| same_names(names, listed));
    let identity = match (names, named) {
        // Nothing was reversed, so the name alone says which option it is.
        (Some(names), Named::Listed(_)) if line.vacuous => {
            names.iter().position(|name| name == label)?
        }
        _ if !lists_as_read(line, group, reading, listed, names) => return None,
        (_, Named::Listed(place)) => reading.listed(place, line),
        (_, Named::Shown(place)) => undone(place, line),
        (_, Named::Alias(number)) => reading.alias.identity(number, line),
        (_, Named::Index(number)) => reading.number.identity(number, line),
    };
    u16::try_from(identity).ok().map(OptionId)
}

/// The canonical identity of what stands at `place`. It is its own inverse.
fn undone(place: usize, line: &Line) -> usize {
    if line.is_reversed() {
        line.options.len() - 1 - place
    } else {
        place
    }
}

impl BelongsTo {
    /// The canonical identity of what has this number, counted from 0.
    fn identity(self, number: usize, line: &Line) -> usize {
        match self {
            Self::Option => number,
            Self::Place => undone(number, line),
        }
    }
}

impl Reading {
    /// The canonical identity of what `gold.options` lists at `place`.
    fn listed(self, place: usize, line: &Line) -> usize {
        match self.gold {
            GoldOrder::Row => undone(place, line),
            GoldOrder::Forward => place,
        }
    }
}

/// Whether `gold.options` can be read so: a list of names that are known says by itself what stands where.
fn lists_as_read(
    line: &Line,
    group: &Group<'_>,
    reading: Reading,
    listed: &[String],
    names: Option<&Vec<String>>,
) -> bool {
    let semantic = group.semantic.as_ref();
    match (names, semantic.filter(|names| same_names(names, listed))) {
        (Some(names), _) => {
            let as_the_forward_row_shows = reading.alias == BelongsTo::Place
                && reading.gold == GoldOrder::Forward
                && line.keys == KeyVariant::Abstract
                && listed == names;
            let shown = |place| undone(reading.listed(place, line), line);
            as_the_forward_row_shows
                || (0..names.len()).all(|place| names[shown(place)] == listed[place])
        }
        (None, Some(semantic)) => {
            (0..semantic.len()).all(|place| semantic[reading.listed(place, line)] == listed[place])
        }
        (None, None) => true,
    }
}
