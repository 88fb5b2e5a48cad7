//! One case's asks, added to a plan.

use std::collections::BTreeMap;

use super::{Plan, PlanError, PlanInput, Planned, Vacuous, VacuousReason, cross};
use crate::case::Case;
use crate::digest::Digest;
use crate::model::{Model, Unsupported};
use crate::order::Order;
use crate::perturb::order::{self, Drawing, OrderSpec};
use crate::perturb::{Alternative, Axis, AxisSpec, Change, Draws, Variant, alter};
use crate::present::Presentation;

/// The asks of one case, being added.
pub(super) struct Adding<'p> {
    pub(super) plan: &'p mut Plan,
    known: &'p mut BTreeMap<Variant, u32>,
    model: &'p dyn Model,
    pub(super) place: u32,
    pub(super) case: &'p Case,
    pub(super) baseline: u32,
    /// Variants that this case has, asked or not.
    done: Vec<Variant>,
}

impl<'p> Adding<'p> {
    /// Begins with the baseline of `case`, the case in `place`.
    ///
    /// # Errors
    /// [`PlanError::Unsupported`] if the model cannot be asked it.
    pub(super) fn case(
        plan: &'p mut Plan,
        known: &'p mut BTreeMap<Variant, u32>,
        model: &'p dyn Model,
        place: u32,
        case: &'p Case,
    ) -> Result<Self, PlanError> {
        let own = Order::own(case.options.len());
        let (digest, bytes) =
            request(model, case, &own).map_err(|unsupported| PlanError::Unsupported {
                case: case.id.clone(),
                file: case.source.file.to_string(),
                line: case.source.line,
                reason: unsupported.reason,
            })?;
        let baseline = next(plan);
        plan.asks.push(Planned {
            case: place,
            variant: 0,
            order: own,
            against: None,
            digest,
            bytes,
            shares: None,
        });
        Ok(Self {
            plan,
            known,
            model,
            place,
            case,
            baseline,
            done: Vec::new(),
        })
    }

    /// Adds every variant that `input` asks for.
    ///
    /// # Errors
    /// [`PlanError::Unsupported`] for an order that the model cannot be asked, [`PlanError::Combinations`].
    pub(super) fn variants(&mut self, input: &PlanInput<'_>) -> Result<(), PlanError> {
        for spec in input.orders {
            self.order(spec, input)?;
        }
        for spec in input.axes {
            self.plan.seed_used |= spec.draws();
            // The names under which it is told are those that other cases bring.
            if *spec == AxisSpec::Phrasing && self.case.brought.phrasings.is_empty() {
                continue;
            }
            for alternative in spec.alternatives(self.case, input.key_lists) {
                self.alternative(alternative);
            }
        }
        match input.cross {
            Some(combined) => cross::add(self, combined),
            None => Ok(()),
        }
    }

    fn order(&mut self, spec: &OrderSpec, input: &PlanInput<'_>) -> Result<(), PlanError> {
        let options = self.case.options.len();
        let from = Drawing {
            seed: input.seed,
            max_orders: input.max_orders,
            lists: input.lists,
        };
        let samples = matches!(spec, OrderSpec::All) && order::over_cap(options, input.max_orders);
        self.plan.sampled |= samples;
        self.plan.seed_used |=
            samples || matches!(spec, OrderSpec::Random { .. } | OrderSpec::Certify);
        let variants = order::variants(spec, &self.case.draw_key(), options, &from);
        if variants.is_empty() {
            for (variant, reason) in empty_variants(spec) {
                let reason = if options == 1 {
                    VacuousReason::OneOption
                } else {
                    reason
                };
                self.vacuous(variant, reason);
            }
        }
        for (variant, order) in variants {
            if self.done.contains(&variant) {
                continue;
            }
            self.done.push(variant.clone());
            let control = variant.axis == Axis::Same;
            let reason = if control {
                None
            } else if options == 1 {
                Some(VacuousReason::OneOption)
            } else if self.case.brought.fixed_order {
                Some(VacuousReason::FixedOrder)
            } else if self.case.position_dependent.is_some() {
                Some(VacuousReason::PositionDependent)
            } else {
                order.is_own().then_some(VacuousReason::OwnOrder)
            };
            if let Some(reason) = reason {
                self.vacuous(variant, reason);
                continue;
            }
            let (digest, bytes) =
                request(self.model, self.case, &order).map_err(|unsupported| {
                    PlanError::Unsupported {
                        case: self.case.id.clone(),
                        file: self.case.source.file.to_string(),
                        line: self.case.source.line,
                        reason: unsupported.reason,
                    }
                })?;
            if !control && digest == self.plan.asks[self.baseline as usize].digest {
                self.vacuous(variant, VacuousReason::EqualBytes);
                continue;
            }
            self.push(variant, &[], order, (digest, bytes), Some(self.baseline));
        }
        Ok(())
    }

    /// Adds one value of an axis, and what it is compared with.
    fn alternative(&mut self, alternative: Alternative) {
        if self.done.contains(&alternative.variant) {
            return;
        }
        self.done.push(alternative.variant.clone());
        let own = Order::own(self.case.options.len());
        match self.altered(&own, std::slice::from_ref(&alternative.change)) {
            Ok((order, request)) => {
                let against = match &alternative.against {
                    None => self.baseline,
                    Some((variant, change)) => match self.reference(variant, change) {
                        Ok(ask) => ask,
                        Err(reason) => return self.vacuous(alternative.variant, reason),
                    },
                };
                if request.0 == self.plan.asks[against as usize].digest {
                    return self.vacuous(alternative.variant, VacuousReason::EqualBytes);
                }
                if let Some(reason) = self.model.unread(alternative.variant.axis, self.case) {
                    return self.vacuous(alternative.variant, reason);
                }
                let changes = [alternative.change];
                self.push(alternative.variant, &changes, order, request, Some(against));
            }
            Err(reason) => self.vacuous(alternative.variant, reason),
        }
    }

    /// The ask that another is compared with: the baseline where it shows the same.
    fn reference(&mut self, variant: &Variant, change: &Change) -> Result<u32, VacuousReason> {
        let own = Order::own(self.case.options.len());
        let changes = std::slice::from_ref(change);
        let (order, request) = self.altered(&own, changes)?;
        if request.0 == self.plan.asks[self.baseline as usize].digest {
            return Ok(self.baseline);
        }
        let ask = next(self.plan);
        self.push(variant.clone(), changes, order, request, None);
        Ok(ask)
    }

    /// What `changes` show with the options in `order`, and its request.
    pub(super) fn altered(
        &self,
        order: &Order,
        changes: &[Change],
    ) -> Result<(Order, (Digest, u32)), VacuousReason> {
        let draw_key = self.case.draw_key();
        let draws = Draws {
            seed: self.plan.seed,
            draw_key: &draw_key,
        };
        let altered = alter(self.case, order, changes, &draws)?;
        let shown = Order::listing(&altered.shown);
        let request =
            request(self.model, &altered.case, &shown).map_err(|_| VacuousReason::CannotBeAsked)?;
        Ok((shown, request))
    }

    pub(super) fn push(
        &mut self,
        variant: Variant,
        changes: &[Change],
        order: Order,
        (digest, bytes): (Digest, u32),
        against: Option<u32>,
    ) {
        let variant = self.number(variant, changes);
        self.plan.asks.push(Planned {
            case: self.place,
            variant,
            order,
            against,
            digest,
            bytes,
            shares: None,
        });
    }

    pub(super) fn vacuous(&mut self, variant: Variant, reason: VacuousReason) {
        let variant = self.number(variant, &[]);
        self.plan.vacuous.push(Vacuous {
            case: self.place,
            variant,
            reason,
        });
    }

    fn number(&mut self, variant: Variant, changes: &[Change]) -> u32 {
        let plan = &mut *self.plan;
        let place = *self.known.entry(variant).or_insert_with_key(|variant| {
            let place = u32::try_from(plan.variants.len());
            plan.variants.push(variant.clone());
            plan.changes.push(Vec::new());
            place.expect("a plan has fewer than 2^32 variants")
        });
        // A case that cannot be asked it says nothing about what it changes.
        if plan.changes[place as usize].is_empty() {
            plan.changes[place as usize] = changes.to_vec();
        }
        place
    }
}

fn next(plan: &Plan) -> u32 {
    u32::try_from(plan.asks.len()).expect("a plan has fewer than 2^32 asks")
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

fn request(model: &dyn Model, case: &Case, order: &Order) -> Result<(Digest, u32), Unsupported> {
    let bytes = model.request(&Presentation::new(case, order))?;
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    Ok((Digest::of(&bytes), length))
}
