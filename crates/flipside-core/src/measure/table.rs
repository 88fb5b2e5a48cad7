//! A plan with what became of its asks, in the views that measures take.

use std::borrow::Cow;

use crate::answer::Answer;
use crate::case::Case;
use crate::measure::pair::{Said, other_version, said};
use crate::order::Order;
use crate::perturb::Axis;
use crate::plan::{Plan, Planned};
use crate::record::{Asked, Outcome};

/// A plan with what became of its asks.
#[derive(Clone, Debug)]
pub(crate) struct Table<'a> {
    pub(crate) plan: &'a Plan,
    /// By ask of the plan; slots of repetitions may follow.
    pub(crate) asked: &'a [Option<Asked>],
    /// By case: the index of its baseline ask.
    baselines: Cow<'a, [usize]>,
}

/// One case's baseline and variant ask.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CasePair<'a> {
    /// The variant's ask in the plan.
    pub(crate) ask: usize,
    pub(crate) case: &'a Case,
    pub(crate) order: &'a Order,
    /// The order of what it is compared with.
    pub(crate) from: &'a Order,
    pub(crate) own: Said,
    pub(crate) variant: Said,
    /// The baseline's answer and the variant's, where both were answered by one model.
    pub(crate) answers: Option<(&'a Answer, &'a Answer)>,
    /// Whether another model served the baseline, so that the pair is missing.
    pub(crate) other_version: bool,
    /// Whether text of either answer cannot be read.
    pub(crate) unreadable: bool,
}

/// One order, or one wording, in which a case was asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrderAsk<'a> {
    /// The ask's variant in the plan; 0 for the own order.
    pub(crate) variant: usize,
    pub(crate) order: &'a Order,
    /// `Missing` too where another model served than in the own order.
    pub(crate) said: Said,
    /// The answer, unless it is missing.
    pub(crate) answer: Option<&'a Answer>,
}

impl<'a> Table<'a> {
    /// The table of `plan`, of which `asked[i]` is what became of ask `i`.
    pub(crate) fn new(plan: &'a Plan, asked: &'a [Option<Asked>]) -> Self {
        Self {
            plan,
            asked,
            baselines: Cow::Owned(plan.baselines()),
        }
    }

    /// As [`Table::new`], with the plan's baselines at hand.
    pub(crate) fn over(plan: &'a Plan, asked: &'a [Option<Asked>], baselines: &'a [usize]) -> Self {
        Self {
            plan,
            asked,
            baselines: Cow::Borrowed(baselines),
        }
    }

    /// What an ask is compared with: its case's baseline, or the reference of its own.
    pub(crate) fn against(&self, ask: usize) -> usize {
        let planned = &self.plan.asks[ask];
        let baseline = self.baselines[planned.case as usize];
        planned.against.map_or(baseline, |against| against as usize)
    }

    /// What an ask of the plan said. Options that are declared to be the same answer have one identity here; the option
    /// chosen stands in [`Table::answer`].
    pub(crate) fn said(&self, ask: usize) -> Said {
        let case = self.plan.case_of(&self.plan.asks[ask]);
        said(self.asked[ask].as_ref()).within(case)
    }

    /// An ask's answer, if it was answered and can be read.
    pub(crate) fn answer(&self, ask: usize) -> Option<&'a Answer> {
        match self.asked[ask].as_ref().map(|asked| &asked.outcome) {
            Some(Outcome::Answered(answer)) => {
                Some(answer).filter(|answer| !answer.is_unreadable())
            }
            _ => None,
        }
    }

    /// The baseline ask of a case.
    pub(crate) fn baseline(&self, case: usize) -> usize {
        self.baselines[case]
    }

    /// The answer of a case's baseline, if it was answered.
    pub(crate) fn baseline_answer(&self, case: usize) -> Option<&'a Answer> {
        self.answer(self.baselines[case])
    }

    /// What each case's baseline said.
    pub(crate) fn own(&self) -> Vec<Said> {
        self.baselines.iter().map(|&ask| self.said(ask)).collect()
    }

    /// The answers to the baselines that were answered.
    pub(crate) fn own_answers(&self) -> impl Iterator<Item = &'a Answer> {
        self.baselines.iter().filter_map(|&ask| self.answer(ask))
    }

    /// The pairs of one variant, by case. Where the option that was chosen of all is the one left out there is no pair, since the
    /// model could not choose it again.
    pub(crate) fn pairs(&self, variant: usize) -> Vec<CasePair<'a>> {
        let asks = self.plan.asks.iter().enumerate();
        let out = self.plan.left_out(variant);
        asks.filter(|(_, planned)| planned.variant as usize == variant && planned.against.is_some())
            .map(|(ask, _)| self.pair(ask))
            .filter(|pair| {
                let of_all = self.answer(self.against(pair.ask));
                out.is_none() || of_all.is_none_or(|answer| answer.choice != out)
            })
            .collect()
    }

    /// The pair of a variant's ask and what it is compared with.
    pub(crate) fn pair(&self, ask: usize) -> CasePair<'a> {
        let planned = &self.plan.asks[ask];
        let baseline = self.against(ask);
        let other_version = other_version(self.asked[baseline].as_ref(), self.asked[ask].as_ref());
        CasePair {
            ask,
            case: self.plan.case_of(planned),
            order: &planned.order,
            from: &self.plan.asks[baseline].order,
            own: self.said(baseline),
            variant: if other_version {
                Said::Missing
            } else {
                self.said(ask)
            },
            answers: self
                .answer(baseline)
                .zip(self.answer(ask))
                .filter(|_| !other_version),
            other_version,
            unreadable: [baseline, ask].iter().any(|&ask| {
                let outcome = self.asked[ask].as_ref().map(|asked| &asked.outcome);
                matches!(outcome, Some(Outcome::Answered(answer)) if answer.is_unreadable())
            }),
        }
    }

    /// By case: every order in which it was to be asked, the own one first, each once; no controls.
    pub(crate) fn orders(&self) -> Vec<Vec<OrderAsk<'a>>> {
        self.beside_own(Axis::Order)
    }

    /// By case: its own order and words first, then every presentation on `axis`, each once.
    pub(crate) fn beside_own(&self, axis: Axis) -> Vec<Vec<OrderAsk<'a>>> {
        let belongs = |planned: &Planned| {
            let on = self.plan.variant_of(planned).axis;
            on == axis || on == Axis::Baseline
        };
        let mut sizes = vec![0_u32; self.plan.cases.len()];
        for planned in self.plan.asks.iter().filter(|planned| belongs(planned)) {
            sizes[planned.case as usize] += 1;
        }
        let room = sizes.iter().map(|size| Vec::with_capacity(*size as usize));
        let mut by_case: Vec<Vec<OrderAsk<'a>>> = room.collect();
        for (ask, planned) in self.plan.asks.iter().enumerate() {
            // Variants of a case that show one order share one request, and that order counts once.
            let repeats = planned.shares.is_some_and(|leader| {
                let leader = &self.plan.asks[leader as usize];
                leader.case == planned.case && belongs(leader)
            });
            if !belongs(planned) || repeats {
                continue;
            }
            let pair = self.pair(ask);
            by_case[planned.case as usize].push(OrderAsk {
                variant: planned.variant as usize,
                order: &planned.order,
                said: pair.variant,
                answer: self.answer(ask).filter(|_| !pair.other_version),
            });
        }
        by_case
    }
}
