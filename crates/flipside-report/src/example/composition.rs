//! What an option less or more shows, as a run could have it: figures written down, not counted.

use flipside_core::summary::{
    Attention, ChoiceDropped, ClusterFigure, CompositionSummary, DecoyComposition, DropComposition,
    EqualSize, Figure, Line, PairShare, Rule, SharedOptions, SingleOptions, Summary, Verdict,
};
use indexmap::IndexMap;

use super::moves::quantity;

/// `hits` of `of`, with an interval and bounds around it.
fn share(hits: u64, of: u64) -> PairShare {
    let rate = (of > 0).then(|| hits as f64 / of as f64);
    PairShare {
        of,
        hits,
        rate,
        interval: rate.map(|rate| [rate * 0.5, (rate + 0.1).min(1.0)]),
        lower: rate.map(|rate| rate * 0.6),
        upper: rate.map(|rate| (rate + 0.08).min(1.0)),
    }
}

fn figure(flips: u64, pairs: u64, cases: u64) -> Figure {
    let flipped = share(flips, pairs);
    Figure {
        applicable: pairs,
        vacuous: 0,
        asked: pairs,
        pairs,
        missing: 0,
        unasked: 0,
        no_decision: 0,
        flips: Some(flips),
        firm_flips: Some(flips),
        tie_flips: Some(0),
        rate: flipped.rate,
        interval: flipped.interval,
        lower: flipped.lower,
        upper: flipped.upper,
        clusters: Some(ClusterFigure {
            clusters: cases,
            standard_error: None,
            design_effect: None,
            effective: None,
            reason: None,
            more_clusters: None,
        }),
        limit: None,
        rule: Rule::File,
        verdict: Verdict::NoGate,
        reason: None,
    }
}

fn shared(values: [f64; 3], beyond: u64, of: u64) -> SharedOptions {
    SharedOptions {
        with_probabilities: of,
        without_probabilities: 0,
        zeros: 0,
        log_odds: quantity(values, "case-7"),
        luce_distance: quantity(values.map(|value| value / 4.0), "case-7"),
        beyond_rounding: share(beyond, of),
        step: None,
        tolerance: 2e-5,
    }
}

/// Thirty cases of five options, each left out in turn: 3 of 120 flipped.
fn dropped() -> DropComposition {
    DropComposition {
        figure: figure(3, 120, 30),
        cases: 30,
        vacuous_reasons: IndexMap::new(),
        no_decision_flips: 0,
        other_version: 0,
        declared_same: 0,
        choice_dropped: ChoiceDropped {
            pairs: 30,
            runner_up: share(28, 30),
            ..ChoiceDropped::default()
        },
        shared: shared([0.02, 0.31, 0.9], 12, 150),
        single_options: SingleOptions {
            left_out: 600,
            left_out_answered: 600,
            exchanged: 900,
            exchanged_answered: 900,
        },
        equal_size: Some(EqualSize {
            pairs: 80,
            flips: 1,
            tie_flips: 0,
            rate: Some(0.0125),
            interval: Some([0.0, 0.068]),
            lower: Some(0.0),
            upper: Some(0.1),
            left: 2,
            unshared: 3,
            missing: 0,
            unasked: 0,
            no_decision: 0,
            shared: shared([0.01, 0.2, 0.4], 9, 83),
        }),
        attention: Attention::Attentive,
        attention_reason: None,
    }
}

/// Thirty cases with one decoy, chosen twice.
fn decoyed() -> DecoyComposition {
    DecoyComposition {
        figure: figure(3, 30, 30),
        cases: 30,
        vacuous_reasons: IndexMap::new(),
        no_decision_flips: 0,
        other_version: 0,
        declared_same: 0,
        chosen: share(2, 30),
        moved_others: share(1, 28),
        shared: shared([0.0, 0.0, 1e-12], 0, 30),
        equal_size: None,
        attention: Attention::Independent,
        attention_reason: None,
    }
}

/// `summary` with both, and with as many lines beneath as there are options and decoys.
pub(crate) fn composed(mut summary: Summary) -> Summary {
    let line = || -> Line { summary.axes["order"]["reverse"].clone() };
    let named = |names: &[&str]| -> IndexMap<String, Line> {
        names
            .iter()
            .map(|name| ((*name).to_owned(), line()))
            .collect()
    };
    let (drop, decoy) = (named(&["0", "1", "2", "3", "4"]), named(&["none"]));
    summary.axes.insert("drop".to_owned(), drop);
    summary.axes.insert("decoy".to_owned(), decoy);
    summary.composition = Some(CompositionSummary {
        drop: Some(dropped()),
        decoy: Some(decoyed()),
    });
    summary
}
