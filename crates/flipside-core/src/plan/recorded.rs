//! Plans of asks that were made before.

use std::collections::{BTreeMap, BTreeSet};

use super::{Baseline, Plan, Planned, Vacuous, VacuousReason};
use crate::case::{Case, CaseOption, Question};
use crate::digest::Digest;
use crate::order::Order;
use crate::perturb::order::OrderSpec;
use crate::perturb::{Axis, Variant};
use crate::record::{Asked, Outcome};
use crate::shared::{List, Pool, Shared};

/// A plan of asks that were made before, being put together with what became of them.
#[derive(Debug)]
pub(crate) struct RecordedPlan {
    cases: Vec<Case>,
    /// By case: its content.
    content: Vec<Digest>,
    variants: Vec<Variant>,
    known: BTreeMap<Variant, u32>,
    asks: Vec<Planned>,
    asked: Vec<Option<Asked>>,
    vacuous: Vec<Vacuous>,
    /// Orders that stand once, however many cases have them.
    orders: BTreeSet<Order>,
    baseline: u32,
    /// What the last cases kept of their questions and options.
    questions: Pool<Shared<Question>>,
    options: Pool<List<CaseOption>>,
}

impl RecordedPlan {
    /// Room for so many cases with so many asks each.
    pub(crate) fn with_room(cases: usize, asks: usize) -> Self {
        Self {
            cases: Vec::with_capacity(cases),
            content: Vec::with_capacity(cases),
            variants: vec![Variant::baseline()],
            known: BTreeMap::from([(Variant::baseline(), 0)]),
            asks: Vec::with_capacity(cases * asks),
            asked: Vec::with_capacity(cases * asks),
            vacuous: Vec::new(),
            orders: BTreeSet::new(),
            baseline: 0,
            questions: Pool::default(),
            options: Pool::default(),
        }
    }

    /// Adds a case with what was answered to it in its own order.
    ///
    /// Of a case with an id of its own nothing is kept that no figure needs: its words take more room than its answers.
    pub(crate) fn case(&mut self, mut case: Case, outcome: Outcome) {
        self.content.push(case.content());
        let options = case.options.len();
        if case.named {
            case.state = crate::json::Json::Null;
            let question = &case.question;
            if question.instructions.is_some()
                || !(question.before.is_empty() && question.after.is_empty())
            {
                case.question = Shared::from(Question {
                    kind: question.kind,
                    name: question.name.clone(),
                    instructions: None,
                    before: Vec::new(),
                    after: Vec::new(),
                });
                self.questions.share(&mut case.question);
            }
            if case.options.iter().any(|option| option.text.is_some()) {
                for option in &mut case.options {
                    option.text = None;
                }
                self.options.share(&mut case.options);
            }
        }
        case.brought.recorded = None;
        self.cases.push(case);
        self.baseline = number(self.asks.len());
        self.push(0, Order::own(options), None, outcome);
    }

    /// Adds another ask of the last case. One in which an option speaks about others is none in another order.
    pub(crate) fn ask(&mut self, variant: &Variant, order: Order, outcome: Outcome) {
        let case = self.cases.last().expect("a case was added");
        if variant.axis == Axis::Order && case.position_dependent.is_some() {
            return self.vacuous(variant, VacuousReason::PositionDependent);
        }
        let variant = self.variant(variant);
        self.push(variant, order, Some(self.baseline), outcome);
    }

    /// Adds that `variant` says nothing about the last case.
    pub(crate) fn vacuous(&mut self, variant: &Variant, reason: VacuousReason) {
        let (case, variant) = (number(self.cases.len() - 1), self.variant(variant));
        self.vacuous.push(Vacuous {
            case,
            variant,
            reason,
        });
    }

    /// Adds that the variant of most asks says nothing about `cases`, which asked the same on both sides.
    pub(crate) fn same_requests(&mut self, cases: &[u32]) {
        let mut asks = vec![0_u64; self.variants.len()];
        for ask in &self.asks {
            asks[ask.variant as usize] += 1;
        }
        let most = (1..asks.len())
            .filter(|variant| self.variants[*variant].axis.changes())
            .max_by_key(|variant| (asks[*variant], std::cmp::Reverse(*variant)));
        let variant = match most {
            Some(variant) => number(variant),
            None => self.variant(&Variant::order(super::RECORDED)),
        };
        self.vacuous.extend(cases.iter().map(|case| Vacuous {
            case: *case,
            variant,
            reason: VacuousReason::EqualBytes,
        }));
    }

    /// How many cases there are.
    pub(crate) fn cases(&self) -> usize {
        self.cases.len()
    }

    /// The plan, and what became of each of its asks.
    pub(crate) fn finish(self) -> (Plan, Vec<Option<Asked>>) {
        let named = |variant: &Variant| OrderSpec::parse_list(&variant.name).ok();
        let orders = self
            .variants
            .iter()
            .filter(|variant| variant.axis == Axis::Order);
        let plan = Plan {
            cases: self.cases.into(),
            duplicates: Vec::new(),
            changes: vec![Vec::new(); self.variants.len()],
            orders: orders.filter_map(named).flatten().collect(),
            variants: self.variants,
            asks: self.asks,
            vacuous: self.vacuous,
            axes: Vec::new(),
            cross: None,
            seed: 0,
            seed_used: false,
            sampled: false,
            baseline: Baseline::Ask,
        };
        (plan, self.asked)
    }

    fn variant(&mut self, variant: &Variant) -> u32 {
        if let Some(place) = self.known.get(variant) {
            return *place;
        }
        let place = number(self.variants.len());
        self.variants.push(variant.clone());
        self.known.insert(variant.clone(), place);
        place
    }

    fn push(&mut self, variant: u32, order: Order, against: Option<u32>, outcome: Outcome) {
        let order = if let Some(known) = self.orders.get(&order) {
            known.clone()
        } else {
            self.orders.insert(order.clone());
            order
        };
        let case = self.cases.len() - 1;
        let identities = order.identities().iter().flat_map(|id| id.0.to_le_bytes());
        let identities: Vec<u8> = identities.collect();
        let variant_number = variant.to_le_bytes();
        let parts = [
            &self.content[case].bytes()[..],
            &variant_number,
            &identities,
        ];
        self.asks.push(Planned {
            case: number(case),
            variant,
            digest: Digest::of_parts(parts),
            order,
            against,
            // What was sent is not on record.
            bytes: 0,
            shares: None,
        });
        self.asked.push(Some(Asked {
            outcome,
            ms: 0.0,
            attempts: 0,
        }));
    }
}

fn number(place: usize) -> u32 {
    u32::try_from(place).expect("a plan has fewer than 2^32 asks")
}
