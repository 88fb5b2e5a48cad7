//! Combinations of variants: one each of two or more axes, applied to a case at once.
//!
//! A combination is compared with the baseline, as its parts are, and its figures stand beside theirs and are added to
//! none of them. The control is no part of any. Neither is `drop`, whose pairs have a reference of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::add::Adding;
use super::{Plan, PlanError, Vacuous, VacuousReason, number_of};
use crate::digest::Digest;
use crate::order::Order;
use crate::perturb::{Axis, Change, Variant};
use crate::stats::draw::{Part as Seed, Stream};

/// How variants of several axes are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cross {
    /// Every combination of one variant each of two or more axes.
    Full,
    /// This many of them per case, drawn without repeats.
    Drawn(u32),
}

impl Cross {
    /// The most combinations of one case that are all asked: a full factorial grows with the product of its axes, and past
    /// this a plan would fill the memory before anybody saw its cost.
    pub const MOST: u64 = 10_000;

    /// Whether variants on `axis` are combined.
    pub fn takes(axis: Axis) -> bool {
        axis.changes() && !matches!(axis, Axis::Drop | Axis::Cross)
    }
}

impl fmt::Display for Cross {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full => f.write_str("full"),
            Self::Drawn(draws) => write!(f, "{draws}"),
        }
    }
}

impl Variant {
    /// The combination of `parts`, such as `cross/order/reverse+keys/abstract`. A `+` in the name of a part is doubled, so
    /// that no two combinations have one name.
    pub fn cross<'a>(parts: impl IntoIterator<Item = &'a Self>) -> Self {
        let names: Vec<String> = parts
            .into_iter()
            .map(|part| part.to_string().replace('+', "++"))
            .collect();
        Self::on(Axis::Cross, names.join("+"))
    }

    /// The variants that this one combines, in the order of [`Axis::CHANGES`]; itself where it is no combination.
    pub fn parts(&self) -> Vec<Self> {
        if self.axis != Axis::Cross {
            return vec![self.clone()];
        }
        // No axis begins with a `+`: the last of an odd number of them stands between two parts.
        let (mut names, mut name, mut run) = (Vec::new(), String::new(), 0);
        for each in self.name.chars() {
            if each == '+' {
                run += 1;
                continue;
            }
            name.push_str(&"+".repeat(run / 2));
            if run % 2 == 1 {
                names.push(std::mem::take(&mut name));
            }
            run = 0;
            name.push(each);
        }
        name.push_str(&"+".repeat(run / 2));
        names.push(name);
        let part = |name: String| {
            let (axis, value) = name.split_once('/')?;
            Some(Self::on(Axis::parse(axis)?, value))
        };
        names.into_iter().filter_map(part).collect()
    }
}

/// A variant of the case as a part of combinations.
struct Part {
    variant: Variant,
    /// The order that it shows, for one of the order axis.
    order: Option<Order>,
    changes: Vec<Change>,
    /// What it asks alone, or why it asks nothing.
    alone: Result<Digest, VacuousReason>,
}

/// By axis, which of its variants is in a combination: 0 for none, else its place from 1.
type Chosen = Vec<usize>;

/// The parts of one case by axis, and what combinations of them ask.
struct Parts {
    by_axis: Vec<Vec<Part>>,
    digests: BTreeMap<Chosen, Option<Digest>>,
}

/// Adds the combinations of everything that was added for the case before.
///
/// # Errors
/// [`PlanError::Combinations`] for more than [`Cross::MOST`] of them where all are asked.
pub(super) fn add(adding: &mut Adding<'_>, cross: Cross) -> Result<(), PlanError> {
    let mut parts = Parts::of(adding);
    let all = match cross {
        Cross::Full => parts.combinations(),
        Cross::Drawn(draws) => {
            parts.keep_askable();
            let all = parts.combinations();
            if all > u64::from(draws) {
                adding.plan.seed_used = true;
                for chosen in parts.drawn(draws, &mut stream(adding)) {
                    parts.combine(&chosen, adding);
                }
                return Ok(());
            }
            all
        }
    };
    if all > Cross::MOST {
        return Err(PlanError::Combinations {
            case: adding.case.id.clone(),
            file: adding.case.source.file.to_string(),
            line: adding.case.source.line,
            combinations: all,
        });
    }
    for chosen in parts.every() {
        parts.combine(&chosen, adding);
    }
    Ok(())
}

fn stream(adding: &Adding<'_>) -> Stream {
    let key = adding.case.draw_key();
    Stream::new(&[
        Seed::U64(adding.plan.seed),
        Seed::Text("cross"),
        Seed::Text(&key),
    ])
}

impl Parts {
    fn of(adding: &Adding<'_>) -> Self {
        let plan = &adding.plan;
        let asks = plan.asks[adding.baseline as usize + 1..].iter();
        let asked = asks.map(|ask| {
            let variant = &plan.variants[ask.variant as usize];
            Part {
                variant: variant.clone(),
                order: (variant.axis == Axis::Order).then(|| ask.order.clone()),
                changes: plan.changes[ask.variant as usize].clone(),
                alone: Ok(ask.digest),
            }
        });
        let of_case = plan.vacuous.iter().rev();
        let of_case = of_case.take_while(|vacuous| vacuous.case == adding.place);
        let vacuous = of_case.map(|vacuous| Part {
            variant: plan.variants[vacuous.variant as usize].clone(),
            order: None,
            changes: Vec::new(),
            alone: Err(vacuous.reason),
        });
        let mut all: Vec<Part> = asked
            .chain(vacuous)
            .filter(|part| Cross::takes(part.variant.axis))
            .collect();
        // By names alone, so that what is drawn depends on neither the model nor the other cases.
        all.sort_by_cached_key(|part| {
            let variant = part.variant.clone();
            (variant.axis, number_of(&variant.name), variant)
        });
        let mut by_axis: Vec<Vec<Part>> = Vec::new();
        for part in all {
            match by_axis.last_mut() {
                Some(axis) if axis[0].variant.axis == part.variant.axis => axis.push(part),
                _ => by_axis.push(vec![part]),
            }
        }
        Self {
            by_axis,
            digests: BTreeMap::new(),
        }
    }

    /// Leaves out the parts that ask nothing alone, so that nothing is drawn that could not be asked; all stay where fewer
    /// than two axes would be left, so that a case that has no combination says why.
    fn keep_askable(&mut self) {
        let asks = |part: &Part| part.alone.is_ok();
        let askable = |axis: &&Vec<Part>| axis.iter().any(asks);
        if self.by_axis.iter().filter(askable).count() >= 2 {
            self.by_axis.iter_mut().for_each(|axis| axis.retain(asks));
            self.by_axis.retain(|axis| !axis.is_empty());
        }
    }

    /// How many combinations there are, or the largest number if it is larger.
    fn combinations(&self) -> u64 {
        let lengths = || self.by_axis.iter().map(|axis| axis.len() as u128);
        let all = lengths().fold(1, |all: u128, length| all.saturating_mul(length + 1));
        let fewer = 1 + lengths().sum::<u128>();
        u64::try_from(all.saturating_sub(fewer)).unwrap_or(u64::MAX)
    }

    /// Every combination, those of the fewest axes first.
    fn every(&self) -> Vec<Chosen> {
        let mut every: Vec<Chosen> = vec![Vec::new()];
        for axis in &self.by_axis {
            let longer = |chosen: &Chosen| {
                let places = 0..=axis.len();
                let chosen = chosen.clone();
                places.map(move |place| [chosen.as_slice(), &[place]].concat())
            };
            every = every.iter().flat_map(longer).collect();
        }
        every.retain(|chosen| count(chosen) >= 2);
        // Among as many, what has a variant of an axis comes before what has none.
        every.sort_by_cached_key(|chosen| {
            let places = chosen.iter().map(|place| place.wrapping_sub(1));
            (count(chosen), places.collect::<Chosen>())
        });
        every
    }

    /// `draws` of more combinations, each as likely as any other.
    fn drawn(&self, draws: u32, stream: &mut Stream) -> Vec<Chosen> {
        let (mut drawn, mut known) = (Vec::new(), BTreeSet::new());
        while drawn.len() < draws as usize {
            let place = |axis: &Vec<Part>| {
                let place = stream.below(axis.len() as u64 + 1);
                usize::try_from(place).expect("a place in a list")
            };
            let chosen: Chosen = self.by_axis.iter().map(place).collect();
            if count(&chosen) >= 2 && known.insert(chosen.clone()) {
                drawn.push(chosen);
            }
        }
        drawn
    }

    fn chosen(&self, chosen: &Chosen) -> Vec<&Part> {
        let axes = self.by_axis.iter().zip(chosen);
        axes.filter_map(|(axis, place)| axis.get(place.checked_sub(1)?))
            .collect()
    }

    /// Adds the combination, or why it says nothing.
    fn combine(&mut self, chosen: &Chosen, adding: &mut Adding<'_>) {
        let parts = self.chosen(chosen);
        let variant = Variant::cross(parts.iter().map(|part| &part.variant));
        if let Some(reason) = parts.iter().find_map(|part| part.alone.err()) {
            return adding.vacuous(variant, reason);
        }
        let (order, changes) = shown(&parts, adding);
        let (order, request) = match adding.altered(&order, &changes) {
            Ok(altered) => altered,
            Err(reason) => return adding.vacuous(variant, reason),
        };
        if request.0 == adding.plan.asks[adding.baseline as usize].digest {
            return adding.vacuous(variant, VacuousReason::EqualBytes);
        }
        let fewer = fewer(chosen);
        if fewer
            .iter()
            .any(|fewer| self.digest(fewer, adding) == Some(request.0))
        {
            return adding.vacuous(variant, VacuousReason::EqualParts);
        }
        self.digests.insert(chosen.clone(), Some(request.0));
        adding.push(variant, &changes, order, request, Some(adding.baseline));
    }

    /// What a combination, or a single part, asks; `None` where it cannot be asked.
    fn digest(&mut self, chosen: &Chosen, adding: &Adding<'_>) -> Option<Digest> {
        if let Some(known) = self.digests.get(chosen) {
            return *known;
        }
        let digest = match self.chosen(chosen)[..] {
            [part] => part.alone.ok(),
            ref parts => {
                let (order, changes) = shown(parts, adding);
                let altered = adding.altered(&order, &changes);
                altered.ok().map(|(_, (digest, _))| digest)
            }
        };
        self.digests.insert(chosen.clone(), digest);
        digest
    }
}

impl Plan {
    /// Tells every combination of a full factorial as vacuous for each case that is told its parts and not itself: rewordings
    /// of other cases, of which a case knows once all are planned. So each line accounts for the cases that its parts do.
    pub(super) fn complete_combinations(&mut self) {
        if self.cross != Some(Cross::Full) {
            return;
        }
        let asked = self.asks.iter().map(|ask| ((ask.case, ask.variant), None));
        let told = self.vacuous.iter();
        let told = told.map(|told| ((told.case, told.variant), Some(told.reason)));
        let known: BTreeMap<(u32, u32), Option<VacuousReason>> = asked.chain(told).collect();
        let places: BTreeMap<&Variant, u32> = self.variants.iter().zip(0u32..).collect();
        let crossed = self.variants.iter().zip(0u32..);
        let crossed = crossed.filter(|(variant, _)| variant.axis == Axis::Cross);
        let mut found = Vec::new();
        for (variant, place) in crossed {
            let parts = variant.parts();
            let parts: Vec<u32> = parts.iter().map(|part| places[part]).collect();
            for (case, _) in (0u32..).zip(self.cases.iter()) {
                let of_parts = parts.iter().map(|part| known.get(&(case, *part)));
                let of_parts: Option<Vec<_>> = of_parts.collect();
                let reason = of_parts.and_then(|parts| parts.into_iter().find_map(|part| *part));
                if let (Some(reason), false) = (reason, known.contains_key(&(case, place))) {
                    found.push(Vacuous {
                        case,
                        variant: place,
                        reason,
                    });
                }
            }
        }
        self.vacuous.extend(found);
        self.vacuous.sort_by_key(|vacuous| vacuous.case);
    }
}

/// How many axes a combination takes.
fn count(chosen: &Chosen) -> usize {
    chosen.iter().filter(|place| **place > 0).count()
}

/// What is left of a combination without some of its parts, in every way that leaves one or more.
fn fewer(chosen: &Chosen) -> Vec<Chosen> {
    let mut all: Vec<Chosen> = vec![Vec::new()];
    for &place in chosen {
        let longer = |fewer: &Chosen| {
            let places = if place == 0 { vec![0] } else { vec![0, place] };
            let fewer = fewer.clone();
            places
                .into_iter()
                .map(move |place| [fewer.as_slice(), &[place]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all.retain(|fewer| count(fewer) > 0 && fewer != chosen);
    all
}

/// The order and the changes of several parts.
fn shown(parts: &[&Part], adding: &Adding<'_>) -> (Order, Vec<Change>) {
    let order = parts.iter().find_map(|part| part.order.clone());
    let order = order.unwrap_or_else(|| Order::own(adding.case.options.len()));
    let changes = parts.iter().flat_map(|part| part.changes.iter().cloned());
    (order, changes.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_combination_leads_back_to_its_parts_whatever_their_names() {
        let parts = [
            Variant::order("reverse"),
            Variant::on(Axis::Phrasing, "a+whitespace/doubled"),
            Variant::on(Axis::Whitespace, "doubled"),
            Variant::on(Axis::Decoy, "c++=++"),
            Variant::on(Axis::Batch, "alone"),
        ];
        let cross = Variant::cross(&parts);
        assert_eq!(
            cross.name,
            "order/reverse+phrasing/a++whitespace/doubled+whitespace/doubled+decoy/c++++=+++++batch/alone"
        );
        assert_eq!(cross.parts(), parts);
        let alone = Variant::on(Axis::Keys, "a+b");
        assert_eq!(alone.parts(), [alone]);
    }

    #[test]
    fn what_is_left_of_three_parts_is_every_one_and_every_two() {
        let left = fewer(&vec![2, 0, 1, 3]);
        let expected: [Chosen; 6] = [
            vec![0, 0, 0, 3],
            vec![0, 0, 1, 0],
            vec![0, 0, 1, 3],
            vec![2, 0, 0, 0],
            vec![2, 0, 0, 3],
            vec![2, 0, 1, 0],
        ];
        assert_eq!(left, expected);
    }
}
