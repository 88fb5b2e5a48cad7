//! A plan and what came back, to the summary of the run.

use indexmap::IndexMap;

use crate::answer::ConfidenceKind;
use crate::case::QuestionKind;
use crate::gate::{self, Gates, Subject};
use crate::measure::line::{self, Tally};
use crate::measure::pair::{PairOutcome, Said, pair};
use crate::measure::table::Table;
use crate::measure::{accuracy, cases, fit};
use crate::model::Card;
use crate::perturb::{Axis, Variant};
use crate::plan::{Plan, VacuousReason};
use crate::record::{Asked, Outcome};
use crate::stats::draw::DRAW_VERSION;
use crate::summary::Rule;
use crate::summary::{
    Asking, Control, CountSummary, GateLine, Latency, Line, METHOD, ModelSummary, PlanSummary,
    SCHEMA, Summary, Verdict,
};

/// What a summary says about the run beside its figures.
#[derive(Clone, Debug)]
pub struct About<'a> {
    /// The flipside version that measures.
    pub version: &'a str,
    /// The model.
    pub card: &'a Card,
    /// Why the run stopped early, if it did.
    pub stopped: Option<String>,
    /// How fast the command asked, if it asked.
    pub asking: Option<Asking>,
}

/// The summary of a run: `asked[i]` is what became of `plan.asks[i]`.
///
/// # Panics
/// If `asked` has another length than the plan.
pub fn summarise(
    plan: &Plan,
    asked: Vec<Option<Asked>>,
    gates: &Gates,
    about: About<'_>,
) -> Summary {
    assert_eq!(plan.asks.len(), asked.len(), "one slot per planned ask");
    let table = Table::new(plan, &asked);
    let run = Run {
        plan,
        asked: &asked,
        table: &table,
        gates,
    };
    let own = table.own();
    let control = run.control();
    let control_flipped = control
        .as_ref()
        .is_some_and(|control| control.figure.flips > Some(0));
    let axes = run.axes(control_flipped);
    let fit = fit::fit(&plan.cases, &own, gates);
    let complete = about.stopped.is_none() && asked.iter().all(Option::is_some);
    let counts = run.counts();
    let gate_lines = run.gate_lines(&fit.figure, &axes, control.as_ref(), &counts);
    let exit = gate::exit_code(gate_lines.iter().map(|gate| &gate.verdict), complete);
    let order_asked = axes
        .values()
        .any(|lines| lines.values().any(|line| line.figure.asked > 0));
    let (model, latency) = (run.model(about.card), run.latency());
    let order_averaged = order_asked.then(|| run.order_averaged()).flatten();
    Summary {
        schema: SCHEMA.to_owned(),
        method: METHOD,
        flipside: about.version.to_owned(),
        model,
        plan: PlanSummary {
            digest: plan.digest().to_string(),
            orders: plan.orders.iter().map(ToString::to_string).collect(),
            seed: plan.seed_used.then_some(plan.seed),
            draws: plan.seed_used.then(|| DRAW_VERSION.to_owned()),
            sampled: plan.sampled,
        },
        counts,
        order_averaged_accuracy: order_averaged,
        fit,
        axes,
        control,
        gates: gate_lines,
        complete,
        stopped: about.stopped,
        exit,
        asking: about.asking,
        latency,
        cases: cases::cases(plan, asked, &own),
    }
}

struct Run<'a> {
    plan: &'a Plan,
    asked: &'a [Option<Asked>],
    table: &'a Table<'a>,
    gates: &'a Gates,
}

impl<'a> Run<'a> {
    fn variants(&self, axis: Axis) -> impl Iterator<Item = (usize, &'a Variant)> {
        self.plan
            .variants
            .iter()
            .enumerate()
            .filter(move |(_, variant)| variant.axis == axis)
    }

    fn vacuous(&self, variant: usize) -> IndexMap<VacuousReason, u64> {
        let mut counts = IndexMap::new();
        for vacuous in self
            .plan
            .vacuous
            .iter()
            .filter(|vacuous| vacuous.variant as usize == variant)
        {
            *counts.entry(vacuous.reason).or_insert(0) += 1;
        }
        counts.sort_keys();
        counts
    }

    fn axes(&self, control_flipped: bool) -> IndexMap<String, IndexMap<String, Line>> {
        let mut lines = IndexMap::new();
        for (place, variant) in self.variants(Axis::Order) {
            let named = Subject::Order(Some(variant.name.clone()));
            let limit = self
                .gates
                .limit(&named)
                .or_else(|| self.gates.limit(&Subject::Order(None)));
            let words = line::order_words(control_flipped);
            let pairs = self.table.pairs(place);
            lines.insert(
                variant.name.clone(),
                line::line(&pairs, self.vacuous(place), limit, self.gates, words),
            );
        }
        let mut axes = IndexMap::new();
        if !lines.is_empty() {
            axes.insert(Axis::Order.name().to_owned(), lines);
        }
        axes
    }

    fn control(&self) -> Option<Control> {
        let limit = self.gates.limit(&Subject::Same);
        let mut by_repeat = IndexMap::new();
        let mut by_case: Vec<Vec<PairOutcome>> = vec![Vec::new(); self.plan.cases.len()];
        for (place, variant) in self.variants(Axis::Same) {
            let pairs = self.table.pairs(place);
            let words = line::control_words;
            by_repeat.insert(
                variant.name.clone(),
                line::line(&pairs, self.vacuous(place), limit, self.gates, words),
            );
            for each in &pairs {
                let case = self.plan.asks[each.ask].case as usize;
                by_case[case].push(pair(each.own, each.variant));
            }
        }
        if by_repeat.is_empty() {
            return None;
        }
        let mut tally = Tally::default();
        by_case
            .iter()
            .filter_map(|outcomes| worst(outcomes))
            .for_each(|outcome| tally.add(outcome));
        let asked = by_repeat.values().map(|line| line.figure.asked).sum();
        let (figure, _) = tally.figure(asked, limit, self.gates, line::control_words);
        Some(Control {
            figure,
            repeats: by_repeat.len() as u64,
            by_repeat,
        })
    }

    fn gate_lines(
        &self,
        fit: &crate::summary::Figure,
        axes: &IndexMap<String, IndexMap<String, Line>>,
        control: Option<&Control>,
        counts: &CountSummary,
    ) -> Vec<GateLine> {
        let lines = axes.get(Axis::Order.name());
        let judge = |subject: &Subject, limit: f64| {
            let (verdict, decided_by, reason) = match subject {
                Subject::Fit => (fit.verdict.clone(), None, fit.reason.clone()),
                Subject::Order(None) => order_verdict(lines, self.gates),
                Subject::Order(Some(name)) => match lines.and_then(|lines| lines.get(name)) {
                    Some(line) => (
                        line.figure.verdict.clone(),
                        None,
                        line.figure.reason.clone(),
                    ),
                    None => (
                        Verdict::NotMeasured,
                        None,
                        Some("this order was not asked".to_owned()),
                    ),
                },
                Subject::Same => match control {
                    Some(control) => (
                        control.figure.verdict.clone(),
                        None,
                        control.figure.reason.clone(),
                    ),
                    None => (
                        Verdict::NotMeasured,
                        None,
                        Some("no control was asked".to_owned()),
                    ),
                },
                Subject::Missing => missing_verdict(counts, limit),
            };
            GateLine {
                subject: subject.name(),
                limit,
                // How many asks of this run were lost is no sample of anything.
                rule: match subject {
                    Subject::Missing => Rule::File,
                    _ => self.gates.rule(),
                },
                held: verdict.holds(),
                verdict,
                decided_by,
                reason,
            }
        };
        // Gates on every single order replace the general one.
        let replaced = |subject: &Subject| {
            let own = |name: &String| {
                self.gates
                    .limit(&Subject::Order(Some(name.clone())))
                    .is_some()
            };
            *subject == Subject::Order(None) && lines.is_some_and(|lines| lines.keys().all(own))
        };
        self.gates
            .limits
            .iter()
            .filter(|(subject, _)| !replaced(subject))
            .map(|(subject, limit)| judge(subject, *limit))
            .collect()
    }

    fn order_averaged(&self) -> Option<crate::summary::Mean> {
        let orders = self.table.orders();
        let by_case: Vec<Vec<Said>> = orders
            .iter()
            .map(|asks| asks.iter().map(|ask| ask.said).collect())
            .collect();
        accuracy::order_averaged(
            self.plan
                .cases
                .iter()
                .zip(by_case.iter().map(Vec::as_slice)),
        )
    }

    fn counts(&self) -> CountSummary {
        let mut counts = CountSummary {
            cases: self.plan.cases.len() as u64,
            labelled: self
                .plan
                .cases
                .iter()
                .filter(|case| case.is_labelled())
                .count() as u64,
            duplicates: self.plan.duplicates.len() as u64,
            asks: self.plan.asks.len() as u64,
            requests: self.plan.requests() as u64,
            ..CountSummary::default()
        };
        for asked in self.asked {
            match asked.as_ref().map(|asked| &asked.outcome) {
                None => counts.unasked += 1,
                Some(Outcome::Failed(_)) => counts.failed += 1,
                Some(Outcome::Answered(answer)) => {
                    counts.answered += 1;
                    counts.no_decision += u64::from(answer.choice.is_none());
                    counts.tied += u64::from(answer.tied);
                }
            }
        }
        counts
    }

    fn model(&self, card: &Card) -> ModelSummary {
        let mut served: Vec<String> = Vec::new();
        for asked in self.asked.iter().flatten() {
            if let Outcome::Answered(answer) = &asked.outcome
                && let Some(model) = &answer.served_model
                && served.last() != Some(model)
                && !served.contains(model)
            {
                served.push(model.clone());
            }
        }
        ModelSummary {
            spec: card.spec.clone(),
            requested: card.requested.clone(),
            endpoint: card.endpoint.clone(),
            served,
            confidence: card.confidence,
            confidence_fits: self.confidence_fits(),
            object_order: card.object_order,
        }
    }

    /// The kinds of confidence that every choice answer with a stated one fits.
    fn confidence_fits(&self) -> Vec<ConfidenceKind> {
        let mut kinds = ConfidenceKind::ALL.to_vec();
        let mut stated = false;
        for (ask, asked) in self.plan.asks.iter().zip(self.asked) {
            let Some(Outcome::Answered(answer)) = asked.as_ref().map(|asked| &asked.outcome) else {
                continue;
            };
            let choice = self.plan.case_of(ask).question.kind == QuestionKind::Choice;
            if let (true, Some(confidence), Some(p)) =
                (choice, answer.backend_confidence, &answer.probabilities)
            {
                kinds.retain(|kind| kind.fits(confidence, p, answer.rounding) != Some(false));
                stated = true;
            }
        }
        if stated { kinds } else { Vec::new() }
    }

    fn latency(&self) -> Option<Latency> {
        let answered =
            |asked: &&Asked| matches!(asked.outcome, Outcome::Answered(_)) && asked.attempts > 0;
        let mut ms: Vec<f64> = self
            .asked
            .iter()
            .flatten()
            .filter(answered)
            .map(|asked| asked.ms)
            .collect();
        ms.sort_by(f64::total_cmp);
        let at = |percent: usize| {
            ms.get((ms.len() * percent).div_ceil(100).saturating_sub(1))
                .copied()
        };
        Some(Latency {
            median_ms: at(50)?,
            p95_ms: at(95)?,
        })
    }
}

/// The outcome that stands for a case with several repeats: any flip, else anything that leaves it open.
fn worst(outcomes: &[PairOutcome]) -> Option<PairOutcome> {
    let rank = |outcome: &PairOutcome| match outcome {
        PairOutcome::Flip { tie: false, .. } => 5,
        PairOutcome::Flip { tie: true, .. } => 4,
        PairOutcome::Missing => 3,
        PairOutcome::Unasked => 2,
        PairOutcome::Same => 1,
        PairOutcome::NoDecision => 0,
    };
    outcomes.iter().copied().max_by_key(rank)
}

/// What the general order gate says: the worst of the orders that have no gate of their own, the first of equals.
fn order_verdict(
    lines: Option<&IndexMap<String, Line>>,
    gates: &Gates,
) -> (Verdict, Option<String>, Option<String>) {
    let own_gate = |name: &String| gates.limit(&Subject::Order(Some(name.clone()))).is_some();
    let mut worst: Option<(&String, &Line)> = None;
    let judged = lines
        .into_iter()
        .flatten()
        .filter(|(name, _)| !own_gate(name));
    for (name, line) in judged {
        let severity = |line: &Line| line::severity(&line.figure.verdict);
        if worst.is_none_or(|(_, known)| severity(line) > severity(known)) {
            worst = Some((name, line));
        }
    }
    match worst {
        Some((name, line)) => {
            let several = lines.is_some_and(|lines| lines.len() > 1);
            (
                line.figure.verdict.clone(),
                several.then(|| name.clone()),
                line.figure.reason.clone(),
            )
        }
        None => (
            Verdict::NotMeasured,
            None,
            Some("no other order was asked".to_owned()),
        ),
    }
}

fn missing_verdict(counts: &CountSummary, limit: f64) -> (Verdict, Option<String>, Option<String>) {
    let lost = counts.failed + counts.unasked;
    #[expect(clippy::cast_precision_loss, reason = "ask counts are far below 2^52")]
    let share = lost as f64 / counts.asks as f64;
    let verdict = if counts.asks == 0 {
        Verdict::NotMeasured
    } else if share <= limit {
        Verdict::WithinLimit
    } else {
        Verdict::OverLimit
    };
    (
        verdict,
        None,
        Some(format!("{lost} of {} asks", counts.asks)),
    )
}
