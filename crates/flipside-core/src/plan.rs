//! Plans: every ask of a run, complete before the first request.

mod add;
mod baseline;
mod cross;
mod distinct;
mod phrasings;
mod recorded;
mod slots;
mod vacuous;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::case::{Case, CaseId};
use crate::digest::Digest;
use crate::model::Model;
use crate::order::{OptionId, Order};
use crate::perturb::drop::Drop;
use crate::perturb::order::{self, OrderSpec};
use crate::perturb::{Axis, AxisSpec, Change, Draws, Variant, alter};

pub use baseline::Baseline;
pub use cross::Cross;
pub use distinct::{Distinct, Duplicate, distinct};
pub(crate) use recorded::RecordedPlan;
pub use vacuous::{Vacuous, VacuousReason};

/// The name of a variant of which a record tells no other.
pub(crate) const RECORDED: &str = "recorded";

/// Every ask of one run on one model, in plan order: by case, its baseline first.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The cases that are asked, without exact duplicates.
    pub cases: Arc<[Case]>,
    /// Cases left out because an earlier one is the same.
    pub duplicates: Vec<Duplicate>,
    /// The distinct variants; index 0 is the baseline.
    pub variants: Vec<Variant>,
    /// By variant: what it changes beside the order.
    pub changes: Vec<Vec<Change>>,
    /// The asks.
    pub asks: Vec<Planned>,
    /// Variants that cannot change a request, with the reason; never asked.
    pub vacuous: Vec<Vacuous>,
    /// What the orders came from.
    pub orders: Vec<OrderSpec>,
    /// What the variants on other axes came from.
    pub axes: Vec<AxisSpec>,
    /// How axes were combined, if they were.
    pub cross: Option<Cross>,
    /// The seed of draws and of the schedule.
    pub seed: u64,
    /// Whether any order drew from the seed.
    pub seed_used: bool,
    /// Whether `all` was sampled for some case because it has more orders than the cap.
    pub sampled: bool,
    /// Where the baseline's answers come from.
    pub baseline: Baseline,
}

/// One ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// Index of the case in [`Plan::cases`].
    pub case: u32,
    /// Index of the variant in [`Plan::variants`].
    pub variant: u32,
    /// The options that are offered, in their order.
    pub order: Order,
    /// The ask that it is compared with; `None` for the baseline and for asks that others alone are compared with.
    pub against: Option<u32>,
    /// Digest of the exact request bytes.
    pub digest: Digest,
    /// How many bytes the request has.
    pub bytes: u32,
    /// The earlier ask with the same bytes, whose reply answers this one too. Never set for a control or a recorded answer.
    pub shares: Option<u32>,
}

/// What a plan is made of.
#[derive(Clone, Debug)]
pub struct PlanInput<'a> {
    /// The orders asked for; empty for the plain fit probe.
    pub orders: &'a [OrderSpec],
    /// The seed.
    pub seed: u64,
    /// The cap of `all`.
    pub max_orders: usize,
    /// The orders of each `list:FILE`.
    pub lists: &'a [(String, Vec<Order>)],
    /// The other axes asked for.
    pub axes: &'a [AxisSpec],
    /// The lists of keys of each `keys:list:FILE`.
    pub key_lists: &'a [(String, Vec<Vec<String>>)],
    /// How axes are combined, if they are.
    pub cross: Option<Cross>,
}

impl<'a> PlanInput<'a> {
    /// `orders` alone, with the default cap of `all` and without lists.
    pub fn orders(orders: &'a [OrderSpec], seed: u64) -> Self {
        Self {
            orders,
            seed,
            max_orders: order::MOST_ORDERS,
            lists: &[],
            axes: &[],
            key_lists: &[],
            cross: None,
        }
    }
}

/// Why cases and a model do not make a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// No case at all.
    #[error("there is no case to ask")]
    NoCase,
    /// The model cannot be asked a case.
    #[error("{file}:{line}: case `{case}` cannot be asked: {reason}")]
    Unsupported {
        /// The case.
        case: CaseId,
        /// Its file.
        file: String,
        /// Its line.
        line: u64,
        /// Why.
        reason: String,
    },
    /// Two cases are the same question with other accepted options, or with other options declared equal.
    #[error("{file}:{line}: case `{case}` is case `{earlier}` again with other {what} options")]
    Contradiction {
        /// `accepted` or `equal`.
        what: &'static str,
        /// The later case.
        case: CaseId,
        /// The earlier case.
        earlier: CaseId,
        /// The later case's file.
        file: String,
        /// Its line.
        line: u64,
    },
    /// A case has more combinations of variants than are all asked.
    #[error(
        "{file}:{line}: case `{case}` has {combinations} combinations of variants, the most that are all asked is {most}; \
         `--cross=N` draws N of them",
        most = Cross::MOST
    )]
    Combinations {
        /// The case.
        case: CaseId,
        /// Its file.
        file: String,
        /// Its line.
        line: u64,
        /// How many it has.
        combinations: u64,
    },
}

impl Plan {
    /// Plans every ask of `distinct` cases on `model`.
    ///
    /// Draws come from (seed, case id), so neither the order of cases nor other cases change an ask.
    ///
    /// # Errors
    /// Every [`PlanError::Unsupported`] and [`PlanError::Combinations`].
    pub fn build(
        distinct: &Distinct,
        input: &PlanInput<'_>,
        model: &dyn Model,
    ) -> Result<Self, Vec<PlanError>> {
        let mut errors = Vec::new();
        let mut plan = Self {
            cases: Arc::clone(&distinct.cases),
            duplicates: distinct.duplicates.clone(),
            variants: vec![Variant::baseline()],
            changes: vec![Vec::new()],
            asks: Vec::new(),
            vacuous: Vec::new(),
            orders: input.orders.to_vec(),
            axes: input.axes.to_vec(),
            cross: input.cross,
            seed: input.seed,
            seed_used: false,
            sampled: false,
            baseline: Baseline::Ask,
        };
        let mut known = BTreeMap::from([(Variant::baseline(), 0)]);
        for (place, case) in (0u32..).zip(distinct.cases.iter()) {
            let added = add::Adding::case(&mut plan, &mut known, model, place, case)
                .and_then(|mut adding| adding.variants(input));
            errors.extend(added.err());
        }
        plan.complete_phrasings(&mut known);
        plan.complete_combinations();
        plan.sort_variants();
        plan.share(model.card().whole_replies);
        if errors.is_empty() {
            Ok(plan)
        } else {
            Err(errors)
        }
    }

    /// Puts the variants into the order in which they were asked for, whatever case had one first.
    fn sort_variants(&mut self) {
        let mut places: Vec<usize> = (0..self.variants.len()).collect();
        let key = |place: &usize| {
            let parts = self.variants[*place].parts();
            let asked = |variant: &Variant| {
                let order = self.orders.iter().position(|spec| spec.means(variant));
                let axis = self.axes.iter().position(|spec| spec.means(variant));
                let axis = axis.map(|axis| self.orders.len() + axis);
                let asked = order.or(axis).unwrap_or(usize::MAX);
                (asked, number_of(&variant.name), variant.clone())
            };
            let parts: Vec<_> = parts.iter().map(asked).collect();
            // Combinations after all single variants, those of the fewest parts first.
            (*place > 0, parts.len(), parts)
        };
        places.sort_by_cached_key(key);
        let mut moved = vec![0; places.len()];
        for (new, old) in (0u32..).zip(&places) {
            moved[*old] = new;
        }
        let asks = self.asks.iter_mut().map(|ask| &mut ask.variant);
        let vacuous = self.vacuous.iter_mut().map(|vacuous| &mut vacuous.variant);
        for variant in asks.chain(vacuous) {
            *variant = moved[*variant as usize];
        }
        let sorted = places.iter().map(|place| self.variants[*place].clone());
        self.variants = sorted.collect();
        let sorted = places
            .iter()
            .map(|place| std::mem::take(&mut self.changes[*place]));
        self.changes = sorted.collect();
    }

    /// Lets asks with the same bytes share one request, controls and recorded answers excepted.
    ///
    /// Questions of one body have the same bytes; they share it only where a reply answers all of them.
    fn share(&mut self, whole_replies: bool) {
        let mut first: BTreeMap<(Digest, Option<u32>), u32> = BTreeMap::new();
        for place in 0..self.asks.len() {
            let ask = &self.asks[place];
            let control = self.variants[ask.variant as usize].axis == Axis::Same;
            if control || self.recorded_of(ask).is_some() {
                continue;
            }
            let place_number = u32::try_from(place).expect("a plan has fewer than 2^32 asks");
            let of_case = (!whole_replies).then_some(ask.case);
            let leader = *first.entry((ask.digest, of_case)).or_insert(place_number);
            if leader != place_number {
                self.asks[place].shares = Some(leader);
            }
        }
    }

    /// By case: the index of its baseline ask.
    pub fn baselines(&self) -> Vec<usize> {
        let asks = self.asks.iter().enumerate();
        asks.filter(|(_, ask)| ask.variant == 0)
            .map(|(place, _)| place)
            .collect()
    }

    /// How many requests the plan sends.
    pub fn requests(&self) -> usize {
        (0..self.asks.len()).filter(|ask| self.sends(*ask)).count()
    }

    /// The case of an ask.
    pub fn case_of(&self, ask: &Planned) -> &Case {
        &self.cases[ask.case as usize]
    }

    /// The case of an ask in the words that the ask shows.
    pub fn shown_case(&self, ask: &Planned) -> Cow<'_, Case> {
        let case = self.case_of(ask);
        let changes = &self.changes[ask.variant as usize];
        if changes.is_empty() {
            return Cow::Borrowed(case);
        }
        let draw_key = case.draw_key();
        let draws = Draws {
            seed: self.seed,
            draw_key: &draw_key,
        };
        // No word depends on the order, and the ask's lacks or has an option more.
        let own = Order::own(case.options.len());
        let altered = alter(case, &own, changes, &draws);
        Cow::Owned(altered.expect("the plan altered it before").case)
    }

    /// Whether `variant` is only what others are compared with.
    pub fn is_reference(&self, variant: usize) -> bool {
        matches!(self.changes[variant][..], [Change::Drop(Drop::Last(_))])
    }

    /// The option that `variant` leaves out, if it leaves one out.
    pub fn left_out(&self, variant: usize) -> Option<OptionId> {
        let mut changes = self.changes[variant].iter();
        changes.find_map(|change| match change {
            Change::Drop(drop) => drop.out(),
            _ => None,
        })
    }

    /// The variant of an ask.
    pub fn variant_of(&self, ask: &Planned) -> &Variant {
        &self.variants[ask.variant as usize]
    }

    /// A digest of everything that is asked: equal plans ask the same bytes about the same cases.
    pub fn digest(&self) -> Digest {
        let mut parts: Vec<Vec<u8>> = Vec::with_capacity(self.asks.len() + 1);
        parts.push(self.seed.to_le_bytes().to_vec());
        for ask in &self.asks {
            let mut part = self.case_of(ask).id.0.clone().into_bytes();
            part.push(0);
            part.extend_from_slice(self.variant_of(ask).to_string().as_bytes());
            part.push(0);
            part.extend_from_slice(ask.digest.bytes());
            part.extend(self.recorded_of(ask).map(|_| 1));
            parts.push(part);
        }
        Digest::of_parts(parts.iter().map(Vec::as_slice))
    }
}

/// The number at the end of a variant's name, such as 2 in `rotate:2`; 0 without one.
fn number_of(name: &str) -> usize {
    let end = name.rsplit(':').next().unwrap_or(name);
    end.parse().unwrap_or(0)
}
