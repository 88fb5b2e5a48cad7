//! A plan and what came back, to the summary of the run.

mod alike;
mod backend;
mod counts;
mod gates;
mod stopping;
mod withheld;

pub(crate) use backend::percentiles;

use indexmap::IndexMap;

use crate::canary::Canary;
use crate::cost::{CostSummary, Paying};
use crate::course::{Confirm, Course, Sequential};
use crate::digest::Digest;
use crate::gate::{self, Gates, Judged, NOISE_SHARE, Population, Subject};
use crate::measure::line::{self, Ruling, Tally};
use crate::measure::pair::{PairOutcome, Said, pair};
use crate::measure::pooled::Pooled;
use crate::measure::table::Table;
use crate::measure::{
    accuracy, anchored, averaged, axis, cases, composition, confirm, direction, drift, fit, orders,
    phrasing, position, readout, recorded, reported, routing, score, slots, splits, units,
};
use crate::model::Card;
use crate::perturb::{Axis, Variant};
use crate::plan::{Plan, VacuousReason};
use crate::record::Asked;
use crate::recorded::RecordingTally;
use crate::stats::draw::DRAW_VERSION;
use crate::summary::{
    self, Asking, Confirmation, Control, IndependentUnit, Judging, Line, METHOD, PlanSummary,
    SCHEMA, Summary,
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
    /// Our own top probability from which an answer is accepted without review, from 0 to 1; `None` for no routing.
    pub threshold: Option<f64>,
    /// The recordings that the cases come from.
    pub recordings: Vec<RecordingTally>,
    /// What the order canary found; `None` where order was no question.
    pub canary: Option<Canary>,
    /// How the run is paid for; `None` where asks cost nothing.
    pub paying: Option<Paying>,
}

/// The summary of a run: `asked[i]` is what became of slot `i` of the plan; the slots of repetitions may be left out.
///
/// Asks that adaptive asking did not need are no part of any figure.
///
/// # Panics
/// If `asked` has neither one place per ask nor one per slot, or if `gates` ask for an adaptive rule that the plan cannot
/// follow, which [`Course::new`] says beforehand.
pub fn summarise(
    plan: &Plan,
    mut asked: Vec<Option<Asked>>,
    gates: &Gates,
    about: About<'_>,
) -> Summary {
    let n = plan.asks.len();
    assert!(
        asked.len() == n || asked.len() == plan.slots(),
        "one place per ask or per slot"
    );
    // Before anything is left out: what no figure needs was paid all the same.
    let cost = about.paying.map(|paying| {
        let (planned, confirming) = asked.split_at(n);
        CostSummary::of(
            planned.iter().flatten(),
            confirming.iter().flatten(),
            paying,
        )
    });
    // Nothing is asked once more and every ask is needed, so that there is no course to follow.
    if gates.confirm == Confirm::Never && gates.adaptive.is_none() {
        asked.truncate(n);
        let needed: Vec<bool> = (0..plan.slots()).map(|slot| slot < n).collect();
        let parts = Parts {
            digest: plan.digest(),
            sequential: None,
            complete: about.stopped.is_none() && asked.iter().all(Option::is_some),
            cost,
            needed: &needed,
            standing: None,
        };
        return whole(plan, asked, gates, about, parts);
    }
    asked.resize_with(plan.slots(), || None);
    let mut course = Course::new(plan, gates).expect("the course was checked before asking");
    course.ready(&asked);
    let parts = |needed, standing| Parts {
        digest: plan.digest(),
        sequential: course
            .standing()
            .map(|standing| stopping::sequential(plan, &course, standing)),
        complete: about.stopped.is_none() && course.is_done(),
        cost,
        needed,
        standing,
    };
    let Some(standing) = course.standing() else {
        // Nothing was to be repeated, so the slots for it need not lie beside the figures.
        if !course.needed()[n..].contains(&true) {
            asked.truncate(n);
            asked.shrink_to_fit();
        }
        let parts = parts(course.needed(), None);
        return whole(plan, asked, gates, about, parts);
    };
    // What was not needed is left out before anything is counted.
    let keep: Vec<bool> = plan
        .baselines()
        .iter()
        .map(|&ask| course.needed()[ask])
        .collect();
    let (sampled, kept) = plan.only(&keep);
    let slots = || kept.iter().copied().chain(kept.iter().map(|ask| n + ask));
    let needed: Vec<bool> = slots().map(|slot| course.needed()[slot]).collect();
    let asked: Vec<Option<Asked>> = slots().map(|slot| asked[slot].take()).collect();
    let parts = parts(&needed, Some(standing));
    whole(&sampled, asked, gates, about, parts)
}

/// What is known about the whole plan.
struct Parts<'a> {
    digest: Digest,
    sequential: Option<summary::Sequential>,
    complete: bool,
    cost: Option<CostSummary>,
    /// By slot.
    needed: &'a [bool],
    standing: Option<&'a Sequential>,
}

fn whole(
    plan: &Plan,
    asked: Vec<Option<Asked>>,
    gates: &Gates,
    about: About<'_>,
    parts: Parts<'_>,
) -> Summary {
    let table = Table::new(plan, &asked);
    let run = Run {
        plan,
        asked: &asked,
        table: &table,
        gates,
        needed: parts.needed,
        cluster: units::dependent(&gates.groups, &plan.cases),
    };
    let own = table.own();
    let cluster = run.cluster;
    let mut control = run.control();
    let (mut axes, confirmed, pooled) = run.axes(parts.standing);
    withheld::withhold(&mut axes, plan, gates, about.canary.as_ref());
    let composition = composition::composition(&table, gates, &pooled, &confirmed);
    run.moves(&mut axes, control.as_mut(), about.threshold);
    let fit = fit::fit(&plan.cases, &own, gates, cluster);
    let counts = run.counts();
    let figures = gates::Figures {
        fit: &fit.figure,
        axes: &axes,
        composition: composition.as_ref(),
        control: control.as_ref(),
        counts: &counts,
    };
    let gate_lines = run.gate_lines(&figures);
    let exit = gate::exit_code(gate_lines.iter().map(|gate| &gate.verdict), parts.complete);
    let order_asked = axes
        .get(Axis::Order.name())
        .is_some_and(|lines| lines.values().any(|line| line.figure.asked > 0));
    let splits = splits::splits(&table, gates, cluster);
    let (model, latency) = (run.model(about.card), run.latency());
    let order_averaged = order_asked.then(|| run.order_averaged()).flatten();
    let judging = Judging {
        alpha: gates.alpha,
        population: gates.population,
        confirm: gates.confirm.name().to_owned(),
        units: match gates.groups.cluster {
            Some(_) => IndependentUnit::Clusters,
            None => IndependentUnit::Cases,
        },
    };
    // What stopped when its flips decided is no sample of a fixed size, which these intervals and tests speak about.
    let fixed = parts.standing.is_none();
    let comparing = recorded::Comparing {
        gates,
        cluster,
        threshold: about.threshold,
        fixed,
    };
    let recorded = recorded::recorded(&table, &comparing, about.recordings);
    Summary {
        schema: SCHEMA.to_owned(),
        method: METHOD,
        flipside: about.version.to_owned(),
        model,
        plan: PlanSummary {
            digest: parts.digest.to_string(),
            orders: plan.orders.iter().map(ToString::to_string).collect(),
            axes: plan.axes.iter().map(ToString::to_string).collect(),
            cross: plan.cross.map(|cross| cross.to_string()),
            seed: plan.seed_used.then_some(plan.seed),
            draws: plan.seed_used.then(|| DRAW_VERSION.to_owned()),
            sampled: plan.sampled,
        },
        counts,
        order_averaged_accuracy: order_averaged,
        averaged_answer: averaged::averaged(&table, cluster).map(Box::new),
        cluster: run.clustering(),
        fit,
        confidence: drift::confidence_figure(table.own_answers()),
        score: score::agreement(&table, cluster),
        axes,
        orders: fixed
            .then(|| orders::orders(&table, gates.alpha, cluster))
            .flatten()
            .map(Box::new),
        phrasing: fixed
            .then(|| phrasing::phrasings(&table, gates.alpha, cluster))
            .flatten(),
        position: fixed.then(|| position::position(&table, cluster)).flatten(),
        composition,
        slots_and_keys: if fixed {
            slots::slots_and_keys(&table, cluster)
        } else {
            IndexMap::new()
        },
        control,
        sequential: parts.sequential,
        confirmed,
        recorded: recorded.map(Box::new),
        judging,
        splits,
        gates: gate_lines,
        complete: parts.complete,
        stopped: about.stopped,
        exit,
        asking: about.asking,
        latency,
        readout: readout::readout(&table),
        recorded_pairs: None,
        canary: about.canary,
        cost: parts.cost,
        remarks: run.remarks(),
        cases: cases::cases(plan, asked, parts.needed, &gates.groups),
    }
}

/// Lines by axis, then by variant.
type Axes = IndexMap<String, IndexMap<String, Line>>;

struct Run<'a> {
    plan: &'a Plan,
    asked: &'a [Option<Asked>],
    table: &'a Table<'a>,
    gates: &'a Gates,
    /// By slot: whether it is needed.
    needed: &'a [bool],
    /// The field by whose values cases depend on each other.
    cluster: Option<&'a str>,
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

    /// The lines of every axis, what confirming its flips showed, and the axes that are judged as a whole.
    fn axes(
        &self,
        standing: Option<&Sequential>,
    ) -> (Axes, IndexMap<String, Confirmation>, Vec<Pooled<'a>>) {
        let alpha = self.gates.alpha;
        let mut lines: Axes = IndexMap::new();
        let judged = axis::judgements(self.table, self.gates, standing, |_| true);
        let needed = |slot: u32| self.needed[slot as usize];
        let mut confirmed = IndexMap::new();
        for axis in Axis::CHANGES {
            let found = confirm::confirmation(axis, &judged, self.table, self.gates, needed);
            confirmed.extend(found.map(|found| (axis.name().to_owned(), found)));
        }
        for each in judged.each {
            let variant = &self.plan.variants[each.variant];
            let axis = each.axis;
            let confirmation = confirmed.get(axis.name());
            let words =
                |judged: &Judged| axis::words(axis, judged, each.ruling.limit, confirmation, alpha);
            let mut line = line::line(
                axis,
                &each.pairs,
                self.vacuous(each.variant),
                &each.ruling,
                self.cluster,
                words,
            );
            if let (Some(standing), Some(bounds)) = (standing, each.ruling.bounds)
                && standing.pairs > 0
            {
                line.figure.interval = Some([bounds.lower, bounds.upper]);
            }
            line.over_limit_p = each.over_limit.map(|(p, _)| p);
            line.over_limit_holm_p = each.over_limit.map(|(_, holm)| holm);
            line.anchored = anchored::anchored(self.table, &each.pairs, self.cluster);
            lines
                .entry(axis.name().to_owned())
                .or_default()
                .insert(variant.name.clone(), line);
        }
        (lines, confirmed, judged.pooled)
    }

    /// Adds to every line which way its flips went, and how far its answers moved beside their decision: drift, routing and levels.
    fn moves(
        &self,
        axes: &mut IndexMap<String, IndexMap<String, Line>>,
        control: Option<&mut Control>,
        threshold: Option<f64>,
    ) {
        let mut ranks = drift::RankDraws::default();
        let changed = axes.iter_mut().flat_map(|(axis, lines)| {
            let axis = Axis::parse(axis);
            lines
                .iter_mut()
                .filter_map(move |(name, line)| Some(((axis?, name), line)))
        });
        let repeats = control
            .into_iter()
            .flat_map(|control| &mut control.by_repeat);
        let mut lines: Vec<((Axis, &String), &mut Line)> = changed
            .chain(repeats.map(|(name, line)| ((Axis::Same, name), line)))
            .collect();
        for (place, variant) in self.plan.variants.iter().enumerate() {
            let named = lines
                .iter_mut()
                .find(|((axis, name), _)| *axis == variant.axis && **name == variant.name);
            let Some((_, line)) = named else {
                continue;
            };
            // Without an option, or with one more, probabilities move whatever the model thinks of the others: `composition` has what
            // that means.
            let resizes = |part: &Variant| matches!(part.axis, Axis::Drop | Axis::Decoy);
            if variant.parts().iter().any(resizes) {
                continue;
            }
            let pairs = self.table.pairs(place);
            let lost = line.figure.missing + line.figure.unasked;
            line.drift = Some(drift::Measured::new(&pairs).figure(&mut ranks, self.cluster));
            line.routing = threshold.map(|threshold| {
                routing::routing(&pairs, threshold, lost, self.gates, self.cluster)
            });
            line.score = score::score(&pairs, self.cluster);
            line.direction = direction::direction(&pairs, self.cluster);
            line.key_changes = reported::key_changes(&pairs, self.cluster);
        }
        for axis in Axis::CHANGES.into_iter().chain([Axis::Same]) {
            let of_axis = lines.iter_mut().filter(|((on, _), _)| *on == axis);
            let found = of_axis.filter_map(|(_, line)| line.direction.as_mut());
            direction::adjust(found.collect());
        }
    }

    fn control(&self) -> Option<Control> {
        // Without a gate of its own noise has a limit, judged in general; it decides no exit code.
        let gated = self.gates.limit(&Subject::Same);
        // Repeats are a sample whatever the cases are: that the count is the answer takes the very thing that they test.
        let gates = &Gates {
            population: Population::Traffic,
            ..self.gates.clone()
        };
        let limit = Some(gated.unwrap_or(NOISE_SHARE));
        let general = gated.is_none() || self.gates.strict;
        let mut by_repeat = IndexMap::new();
        let mut by_case: Vec<Vec<PairOutcome>> = vec![Vec::new(); self.plan.cases.len()];
        for (place, variant) in self.variants(Axis::Same) {
            let pairs = self.table.pairs(place);
            let counts = line::tally(&pairs, 0).counts();
            let outcomes = line::outcomes(&pairs);
            let ruling = Ruling::new(counts, outcomes, limit, general, gates);
            let line = line::line(
                Axis::Same,
                &pairs,
                self.vacuous(place),
                &ruling,
                self.cluster,
                line::control_words,
            );
            by_repeat.insert(variant.name.clone(), line);
            for each in &pairs {
                let case = self.plan.asks[each.ask].case as usize;
                by_case[case].push(pair(each.own, each.variant));
            }
        }
        if by_repeat.is_empty() {
            return None;
        }
        let mut tally = Tally::default();
        let worst: Vec<_> = self
            .plan
            .cases
            .iter()
            .zip(&by_case)
            .filter_map(|(case, outcomes)| Some((case, worst(outcomes)?)))
            .collect();
        for (_, outcome) in &worst {
            tally.add(*outcome);
        }
        let asked = by_repeat.values().map(|line| line.figure.asked).sum();
        let outcomes = worst.into_iter();
        let ruling = Ruling::new(tally.counts(), outcomes, limit, general, gates);
        Some(Control {
            figure: tally.figure(asked, &ruling, line::control_words),
            repeats: by_repeat.len() as u64,
            by_repeat,
        })
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
            self.cluster,
        )
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
