//! Plans: every ask of a run, complete before the first request.

mod distinct;
mod slots;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::case::{Case, CaseId};
use crate::digest::Digest;
use crate::model::Model;
use crate::order::Order;
use crate::perturb::order::{self, Drawing, OrderSpec};
use crate::perturb::{Axis, Variant};
use crate::present::Presentation;

pub use distinct::{Distinct, Duplicate, distinct};

/// Every ask of one run on one model, in plan order: by case, its baseline first.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The cases that are asked, without exact duplicates.
    pub cases: Arc<[Case]>,
    /// Cases left out because an earlier one is the same.
    pub duplicates: Vec<Duplicate>,
    /// The distinct variants; index 0 is the baseline.
    pub variants: Vec<Variant>,
    /// The asks.
    pub asks: Vec<Planned>,
    /// Variants that cannot change a request, with the reason; never asked.
    pub vacuous: Vec<Vacuous>,
    /// What the orders came from.
    pub orders: Vec<OrderSpec>,
    /// The seed of draws and of the schedule.
    pub seed: u64,
    /// Whether any order drew from the seed.
    pub seed_used: bool,
    /// Whether `all` was sampled for some case because it has more orders than the cap.
    pub sampled: bool,
}

/// One ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// Index of the case in [`Plan::cases`].
    pub case: u32,
    /// Index of the variant in [`Plan::variants`].
    pub variant: u32,
    /// The order of the options.
    pub order: Order,
    /// Digest of the exact request bytes.
    pub digest: Digest,
    /// How many bytes the request has.
    pub bytes: u32,
    /// The earlier ask with the same bytes, whose reply answers this one too. Never set for a control.
    pub shares: Option<u32>,
}

/// A variant of a case that was not planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vacuous {
    /// Index of the case.
    pub case: u32,
    /// Index of the variant.
    pub variant: u32,
    /// Why.
    pub reason: VacuousReason,
}

/// Why a variant cannot say anything about a case.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum VacuousReason {
    /// The case has one option.
    OneOption,
    /// The order is the case's own.
    OwnOrder,
    /// The request would be the baseline's, byte for byte.
    EqualBytes,
    /// An option speaks about other options, so another order is another question.
    PositionDependent,
    /// The list of orders has none for this number of options.
    NoListedOrder,
}

impl VacuousReason {
    /// The reason, for a person.
    pub fn text(self) -> &'static str {
        match self {
            Self::OneOption => "one option",
            Self::OwnOrder => "the order is the case's own",
            Self::EqualBytes => "the request is the baseline's, byte for byte",
            Self::PositionDependent => "an option speaks about other options",
            Self::NoListedOrder => "no listed order has this number of options",
        }
    }
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
}

impl Plan {
    /// Plans every ask of `distinct` cases on `model`.
    ///
    /// Draws come from (seed, case id), so neither the order of cases nor other cases change an ask.
    ///
    /// # Errors
    /// Every [`PlanError::Unsupported`].
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
            asks: Vec::new(),
            vacuous: Vec::new(),
            orders: input.orders.to_vec(),
            seed: input.seed,
            seed_used: false,
            sampled: false,
        };
        let mut known = BTreeMap::from([(Variant::baseline(), 0)]);
        for (place, case) in (0u32..).zip(distinct.cases.iter()) {
            if let Err(error) = plan.add_case(place, case, input, model, &mut known) {
                errors.push(error);
            }
        }
        plan.sort_variants();
        plan.share(model.card().whole_replies);
        if errors.is_empty() {
            Ok(plan)
        } else {
            Err(errors)
        }
    }

    fn add_case(
        &mut self,
        place: u32,
        case: &Case,
        input: &PlanInput<'_>,
        model: &dyn Model,
        known: &mut BTreeMap<Variant, u32>,
    ) -> Result<(), PlanError> {
        let options = case.options.len();
        let own = Order::own(options);
        let (digest, bytes) = request(model, case, &own)?;
        let baseline = digest;
        self.asks.push(Planned {
            case: place,
            variant: 0,
            order: own,
            digest,
            bytes,
            shares: None,
        });
        let from = Drawing {
            seed: input.seed,
            max_orders: input.max_orders,
            lists: input.lists,
        };
        let draw_key = case.draw_key();
        let mut done = Vec::new();
        for spec in input.orders {
            let samples =
                matches!(spec, OrderSpec::All) && order::over_cap(options, input.max_orders);
            self.sampled |= samples;
            self.seed_used |=
                samples || matches!(spec, OrderSpec::Random { .. } | OrderSpec::Certify);
            let variants = order::variants(spec, &draw_key, options, &from);
            let vacuous_names = if variants.is_empty() {
                Self::empty_variants(spec)
            } else {
                Vec::new()
            };
            for (variant, reason) in vacuous_names {
                let reason = if options == 1 {
                    VacuousReason::OneOption
                } else {
                    reason
                };
                let variant = number(&mut self.variants, known, variant);
                self.vacuous.push(Vacuous {
                    case: place,
                    variant,
                    reason,
                });
            }
            for (variant, order) in variants {
                let control = variant.axis == Axis::Same;
                let variant = number(&mut self.variants, known, variant);
                if done.contains(&variant) {
                    continue;
                }
                done.push(variant);
                let mut vacuous = |reason| {
                    self.vacuous.push(Vacuous {
                        case: place,
                        variant,
                        reason,
                    });
                };
                if !control {
                    if options == 1 {
                        vacuous(VacuousReason::OneOption);
                        continue;
                    }
                    if case.position_dependent.is_some() {
                        vacuous(VacuousReason::PositionDependent);
                        continue;
                    }
                    if order.is_own() {
                        vacuous(VacuousReason::OwnOrder);
                        continue;
                    }
                }
                let (digest, bytes) = request(model, case, &order)?;
                if !control && digest == baseline {
                    vacuous(VacuousReason::EqualBytes);
                    continue;
                }
                self.asks.push(Planned {
                    case: place,
                    variant,
                    order,
                    digest,
                    bytes,
                    shares: None,
                });
            }
        }
        Ok(())
    }

    /// The variants under which a spec that means no order for a case is reported.
    fn empty_variants(spec: &OrderSpec) -> Vec<(Variant, VacuousReason)> {
        let name = match spec {
            OrderSpec::Rotations => "rotate:1".to_owned(),
            OrderSpec::Balanced => "balanced:1".to_owned(),
            OrderSpec::Random { name, .. } => match name {
                order::DrawName::Random => "random:1".to_owned(),
                order::DrawName::Shuffle => "shuffle:1".to_owned(),
            },
            OrderSpec::Certify => "random:1".to_owned(),
            OrderSpec::All => "all:1".to_owned(),
            OrderSpec::List(_) => "list:1".to_owned(),
            OrderSpec::Reverse | OrderSpec::Rotate(_) | OrderSpec::Same(_) | OrderSpec::Check => {
                return Vec::new();
            }
        };
        vec![(Variant::order(name), VacuousReason::NoListedOrder)]
    }

    /// Puts the variants into the order in which they were asked for, whatever case had one first.
    fn sort_variants(&mut self) {
        let mut places: Vec<usize> = (0..self.variants.len()).collect();
        let key = |place: &usize| {
            let variant = &self.variants[*place];
            let asked = self.orders.iter().position(|spec| spec.means(variant));
            (*place > 0, asked, number_of(&variant.name), variant.clone())
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
    }

    /// Lets asks with the same bytes share one request, controls excepted.
    ///
    /// Questions of one body have the same bytes; they share it only where a reply answers all of them.
    fn share(&mut self, whole_replies: bool) {
        let mut first: BTreeMap<(Digest, Option<u32>), u32> = BTreeMap::new();
        for place in 0..self.asks.len() {
            let ask = &self.asks[place];
            if self.variants[ask.variant as usize].axis == Axis::Same {
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
        self.asks.iter().filter(|ask| ask.shares.is_none()).count()
    }

    /// The case of an ask.
    pub fn case_of(&self, ask: &Planned) -> &Case {
        &self.cases[ask.case as usize]
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

fn number(
    variants: &mut Vec<Variant>,
    known: &mut BTreeMap<Variant, u32>,
    variant: Variant,
) -> u32 {
    if let Some(&place) = known.get(&variant) {
        return place;
    }
    let place = u32::try_from(variants.len()).expect("a plan has fewer than 2^32 variants");
    variants.push(variant.clone());
    known.insert(variant, place);
    place
}

fn request(model: &dyn Model, case: &Case, order: &Order) -> Result<(Digest, u32), PlanError> {
    let shown = Presentation::new(case, order);
    let bytes = model
        .request(&shown)
        .map_err(|unsupported| PlanError::Unsupported {
            case: case.id.clone(),
            file: case.source.file.clone(),
            line: case.source.line,
            reason: unsupported.reason,
        })?;
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    Ok((Digest::of(&bytes), length))
}
