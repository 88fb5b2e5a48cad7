//! What to do after a run, from what its gates say.

use flipside_core::gate::Population;
use flipside_core::perturb::Axis;
use flipside_core::summary::{GateLine, Summary, Verdict};

use super::axis::{changes, matter};
use super::number::limit;
use super::run::not_complete;
use super::text::{foreign, plural};

/// What to do next, the most urgent first; never empty. Warnings, which say so themselves, are not among it.
pub fn next_steps(summary: &Summary) -> Vec<String> {
    let mut steps = Vec::new();
    if !summary.complete {
        steps.push(format!(
            "The run is {}. Repeat its command with the same `--out`: what is in its journal is not asked again.",
            not_complete(summary)
        ));
    }
    let open = summary.gates.iter().filter(|gate| !gate.held);
    for step in open.map(|gate| of_gate(gate, summary)) {
        // Gates on several variants of an axis can say the same.
        if !steps.contains(&step) {
            steps.push(step);
        }
    }
    if steps.is_empty() {
        steps.push(all_held(summary));
    }
    steps
}

fn all_held(summary: &Summary) -> String {
    if summary.gates.is_empty() {
        return "No gate judged this run. Leave out `--gate none:...`, or name one such as `--gate 'order<=5%'`.".to_owned();
    }
    let cases = plural(summary.counts.cases, "case", "cases");
    let orders = summary.axes.contains_key(Axis::Order.name());
    match (orders, summary.judging.population) {
        (false, _) => "Every gate held, and no other order was asked: add `--order check` to see whether the order of options drives answers."
            .to_owned(),
        (true, Population::Traffic) if summary.gates.iter().all(|gate| gate.rule == flipside_core::summary::Rule::General) => {
            "Every gate held in general. Keep the command in continuous integration, so that a change that breaks it is seen.".to_owned()
        }
        (true, _) => format!(
            "Every gate held, about these {cases}. Keep the command in continuous integration; `--order certify` asks until the gate is decided in \
             general."
        ),
    }
}

fn of_gate(gate: &GateLine, summary: &Summary) -> String {
    let subject = foreign(&gate.subject);
    let axis = gate.subject.split('.').next().unwrap_or_default();
    let text = match &gate.verdict {
        Verdict::NotATask => {
            "too few own-order answers are right. Read the wrong ones, and mend instructions or options or take another model, before looking at \
             what changes answers."
                .to_owned()
        }
        Verdict::TooFewCases => "too few cases are labelled to judge. Say of more cases which options are right.".to_owned(),
        Verdict::FitInconclusive | Verdict::Inconclusive | Verdict::NoiseInconclusive => format!(
            "the bounds lie on both sides of {}. Ask more cases, or judge this file alone, without `--strict`.",
            limit(gate.limit)
        ),
        Verdict::OrderSensitive => {
            "where an option stands drives answers. Ask each case in several orders and take the answer that they give together, or take a model that \
             reads each option for itself; the flips below name the cases."
                .to_owned()
        }
        verdict if verdict.is_sensitive() => format!(
            "answers flip when {}. Keep that as it is in production, or settle it on cases kept apart; the flips below name the cases.",
            changes(axis)
        ),
        Verdict::Noisy | Verdict::NoisyBackend => {
            "the backend disagrees with itself. Make it answer the same request alike (temperature 0, a fixed seed) and probe again.".to_owned()
        }
        Verdict::CauseOpen if summary.confirmed.contains_key(axis) => format!(
            "too many answers flip, and the flips that were asked once more are too few to tell whether {} or the backend is noisy. Ask more cases.",
            matter(&[axis])
        ),
        Verdict::CauseOpen => format!(
            "too many answers flip, and it is open whether {} or the backend is noisy. Leave out `--no-confirm`, so that flips are asked once more.",
            matter(&[axis])
        ),
        Verdict::Undecided => "missing answers leave it open. Mend what failed and repeat the command: what was answered is kept.".to_owned(),
        Verdict::NotApplicable => format!("nothing in these cases can show it. Leave it out, or `--gate none:{}` removes the gate.", foreign(axis)),
        Verdict::NotMeasured => format!("nothing was asked that could show it. Ask for it, or `--gate none:{}` removes the gate.", foreign(axis)),
        Verdict::OverLimit if axis == "missing" => "too many asks failed. Mend what failed and repeat the command: what was answered is kept.".to_owned(),
        _ => format!("it is over its limit, {}. The charts and tables below show where.", gate.verdict.text()),
    };
    format!("{subject}: {text}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{self, Variants};

    #[test]
    fn a_run_whose_gates_hold_is_to_be_kept_or_asked_more() {
        let plain = next_steps(&example::plain());
        assert!(plain[0].contains("add `--order check`"), "{plain:?}");
        let mut held = example::first(&[Variants::Reverse]);
        for gate in &mut held.gates {
            gate.held = true;
        }
        assert_eq!(
            next_steps(&held),
            [
                "Every gate held, about these 8 cases. Keep the command in continuous integration; `--order certify` asks until the gate is decided in general."
            ]
        );
        for gate in &mut held.gates {
            gate.rule = flipside_core::summary::Rule::General;
        }
        assert!(next_steps(&held)[0].starts_with("Every gate held in general."));
        held.gates.clear();
        assert!(next_steps(&held)[0].starts_with("No gate judged this run."));
    }

    #[test]
    fn an_unfinished_run_says_first_how_to_go_on() {
        let steps = next_steps(&example::troubled());
        assert!(
            steps[0].contains("the budget of 90 asks is spent"),
            "{steps:?}"
        );
        assert!(steps[0].contains("Repeat its command with the same `--out`"));
    }

    #[test]
    fn every_open_verdict_has_its_own_step() {
        let mut summary = example::first(&[Variants::Reverse]);
        let confirmed = std::mem::take(&mut summary.confirmed);
        let order = summary
            .gates
            .iter()
            .find(|gate| gate.subject == "order")
            .unwrap()
            .clone();
        let of = |subject: &str, verdict: Verdict| {
            let gate = GateLine {
                subject: subject.to_owned(),
                verdict,
                held: false,
                ..order.clone()
            };
            of_gate(&gate, &summary)
        };
        let said = [
            (
                of("fit", Verdict::NotATask),
                "fit: too few own-order answers are right.",
            ),
            (
                of("fit", Verdict::TooFewCases),
                "fit: too few cases are labelled",
            ),
            (
                of("order", Verdict::Inconclusive),
                "order: the bounds lie on both sides of 5%.",
            ),
            (
                of("order", Verdict::OrderSensitive),
                "order: where an option stands drives answers.",
            ),
            (
                of("keys.abstract", Verdict::KeysSensitive),
                "keys.abstract: answers flip when keys change.",
            ),
            (
                of("order", Verdict::Noisy),
                "order: the backend disagrees with itself.",
            ),
            (
                of("order", Verdict::CauseOpen),
                "order: too many answers flip, and it is open whether order matters or",
            ),
            (
                of("order", Verdict::Undecided),
                "order: missing answers leave it open.",
            ),
            (
                of("phrasing", Verdict::NotApplicable),
                "phrasing: nothing in these cases can show it.",
            ),
            (
                of("drop", Verdict::NotMeasured),
                "drop: nothing was asked that could show it. Ask for it, or `--gate none:drop`",
            ),
            (
                of("missing", Verdict::OverLimit),
                "missing: too many asks failed.",
            ),
            (
                of("drift.js.p95", Verdict::OverLimit),
                "drift.js.p95: it is over its limit, over limit.",
            ),
        ];
        for (text, beginning) in said {
            assert!(text.starts_with(beginning), "{text}");
        }
        summary.confirmed = confirmed;
        let gate = GateLine {
            verdict: Verdict::CauseOpen,
            ..order.clone()
        };
        assert_eq!(
            of_gate(&gate, &summary),
            "order: too many answers flip, and the flips that were asked once more are too few to tell whether order matters or the \
             backend is noisy. Ask more cases."
        );
    }
}
