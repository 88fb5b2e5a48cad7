//! From answers to a summary, counted as simply as possible.

use flipside_core::answer::Declined;
use flipside_core::gate::Population;
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::Axis;
use flipside_core::record::FailedKind;
use flipside_core::summary::{
    AskStatus, AskSummary, CaseSummary, Confirmation, Control, CountSummary, GateLine,
    IndependentUnit, Judging, Line, ModelSummary, PlanSummary, Rule, SplitClaim, Splits, Summary,
    Verdict,
};
use indexmap::IndexMap;

use super::figures::{averaged, fit, line};

/// One case.
pub(crate) struct Shape {
    pub(crate) id: String,
    pub(crate) keys: Vec<String>,
    pub(crate) right: Option<u16>,
}

/// What is asked beside the baseline.
#[derive(Clone, Copy)]
pub(crate) enum Variants {
    Reverse,
    Rotate(usize),
    Same(u64),
}

/// What the model says.
pub(crate) enum Reply {
    Chose(OptionId, f64),
    Tied(OptionId),
    Declined,
    Failed(FailedKind, &'static str),
    Unasked,
}

pub(crate) struct Builder {
    pub(crate) shapes: Vec<Shape>,
    pub(crate) variants: Vec<Variants>,
    pub(crate) strict: bool,
    pub(crate) fit: Option<f64>,
    pub(crate) order: Option<f64>,
}

impl Builder {
    pub(crate) fn new(shapes: Vec<Shape>, variants: &[Variants]) -> Self {
        let order = (!variants.is_empty()).then_some(0.05);
        Self {
            shapes,
            variants: variants.to_vec(),
            strict: false,
            fit: Some(0.8),
            order,
        }
    }

    pub(crate) fn answered(&self, reply: impl Fn(usize, &str, &Order) -> Reply) -> Summary {
        let names: Vec<(Axis, String)> = std::iter::once((Axis::Baseline, "own".to_owned()))
            .chain(self.variants.iter().flat_map(|variant| {
                match variant {
                    Variants::Reverse => vec![(Axis::Order, "reverse".to_owned())],
                    Variants::Rotate(by) => vec![(Axis::Order, format!("rotate:{by}"))],
                    Variants::Same(repeats) => (1..=*repeats)
                        .map(|n| (Axis::Same, n.to_string()))
                        .collect(),
                }
            }))
            .collect();
        let mut cases: Vec<CaseSummary> = Vec::new();
        for (place, shape) in self.shapes.iter().enumerate() {
            let mut asks: Vec<AskSummary> = Vec::new();
            for (axis, name) in &names {
                let options = shape.keys.len();
                if *axis == Axis::Order && options < 2 {
                    continue;
                }
                let order = match (axis, name.strip_prefix("rotate:")) {
                    (Axis::Order, Some(by)) => Order::rotate(options, by.parse().unwrap()),
                    (Axis::Order, None) => Order::reverse(options),
                    _ => Order::own(options),
                };
                let said = reply(place, name, &order);
                asks.push(ask(shape, *axis, name, order, &said, asks.first()));
            }
            let accept = shape.right.map(OptionId).into_iter().collect();
            let line = place as u64 + 1;
            cases.push(CaseSummary {
                question: flipside_core::case::QuestionKind::Choice,
                keys_stay: false,
                id: shape.id.clone(),
                file: "cases.jsonl".to_owned(),
                line,
                keys: shape.keys.iter().map(|key| key.as_str().into()).collect(),
                accept,
                equal: Vec::new(),
                fields: IndexMap::new(),
                asks,
            });
        }
        self.summary(cases, &names)
    }

    fn summary(&self, cases: Vec<CaseSummary>, names: &[(Axis, String)]) -> Summary {
        let rule = if self.strict {
            Rule::General
        } else {
            Rule::File
        };
        let repeats: IndexMap<String, Line> = names
            .iter()
            .filter(|(axis, _)| *axis == Axis::Same)
            .map(|(_, name)| {
                (
                    name.clone(),
                    line(&cases, Axis::Same, name, None, rule, false),
                )
            })
            .collect();
        let control = repeats.values().next().map(|line| Control {
            figure: line.figure.clone(),
            repeats: repeats.len() as u64,
            by_repeat: repeats.clone(),
        });
        let noisy = control
            .as_ref()
            .is_some_and(|control| control.figure.flips > Some(0));
        let lines: IndexMap<String, Line> = names
            .iter()
            .filter(|(axis, _)| *axis == Axis::Order)
            .map(|(_, name)| {
                (
                    name.clone(),
                    line(&cases, Axis::Order, name, self.order, rule, noisy),
                )
            })
            .collect();
        let confirmed = confirmed(&lines, &cases, noisy);
        let fit = fit(&cases, self.fit, rule);
        let mut gates = Vec::new();
        let mut gate = |subject: &str,
                        limit: f64,
                        verdict: Verdict,
                        by: Option<String>,
                        reason: Option<String>| {
            let held = verdict.holds();
            gates.push(GateLine {
                subject: subject.to_owned(),
                limit,
                rule,
                verdict,
                held,
                decided_by: by,
                reason,
            });
        };
        if let Some(limit) = self.fit {
            gate(
                "fit",
                limit,
                fit.figure.verdict.clone(),
                None,
                fit.figure.reason.clone(),
            );
        }
        if let Some(limit) = self.order {
            let worst = lines
                .iter()
                .rev()
                .max_by_key(|(_, line)| (!line.figure.verdict.holds(), line.figure.flips));
            match worst {
                None => gate(
                    "order",
                    limit,
                    Verdict::NotMeasured,
                    None,
                    Some("no other order was asked".to_owned()),
                ),
                Some((name, line)) => {
                    let by = (lines.len() > 1).then(|| name.clone());
                    gate(
                        "order",
                        limit,
                        line.figure.verdict.clone(),
                        by,
                        line.figure.reason.clone(),
                    );
                }
            }
        }
        let all = || cases.iter().flat_map(|case| &case.asks);
        let status = |wanted: AskStatus| all().filter(|ask| ask.status == wanted).count() as u64;
        let counts = CountSummary {
            cases: cases.len() as u64,
            labelled: cases.iter().filter(|case| !case.accept.is_empty()).count() as u64,
            duplicates: 0,
            asks: all().count() as u64,
            requests: all().count() as u64,
            answered: status(AskStatus::Answered) + status(AskStatus::Declined),
            no_decision: status(AskStatus::Declined),
            failed: status(AskStatus::Failed),
            unasked: status(AskStatus::Unasked),
            confirming: 0,
            confirming_unasked: 0,
            tied: all().filter(|ask| ask.tied).count() as u64,
        };
        let complete = counts.unasked == 0;
        let exit = if complete {
            u8::from(gates.iter().any(|gate| !gate.held))
        } else {
            3
        };
        let specs = self.variants.iter().map(|variant| match variant {
            Variants::Reverse => "reverse".to_owned(),
            Variants::Rotate(by) => format!("rotate:{by}"),
            Variants::Same(repeats) => format!("same:{repeats}"),
        });
        Summary {
            schema: flipside_core::summary::SCHEMA.to_owned(),
            method: 1,
            flipside: "0.1.0".to_owned(),
            model: ModelSummary {
                spec: "overlap".to_owned(),
                requested: None,
                endpoint: None,
                served: Vec::new(),
                confidence: None,
                confidence_fits: Vec::new(),
                object_order: false,
            },
            plan: PlanSummary {
                axes: Vec::new(),
                cross: None,
                digest: "0f".repeat(32),
                orders: specs.collect(),
                seed: None,
                draws: None,
                sampled: false,
            },
            order_averaged_accuracy: if lines.is_empty() {
                None
            } else {
                averaged(&cases)
            },
            confidence: None,
            score: None,
            axes: if lines.is_empty() {
                IndexMap::new()
            } else {
                IndexMap::from([("order".to_owned(), lines)])
            },
            counts,
            cluster: None,
            splits: Splits {
                claim: SplitClaim::Exploratory,
                alpha: 0.05,
                tests: 0,
                by: Vec::new(),
            },
            fit,
            orders: None,
            phrasing: None,
            position: super::position::position(&cases),
            composition: None,
            slots_and_keys: IndexMap::new(),
            control,
            sequential: None,
            confirmed,
            judging: Judging {
                alpha: 0.05,
                population: Population::Traffic,
                confirm: "auto".to_owned(),
                units: IndependentUnit::Cases,
            },
            gates,
            complete,
            stopped: None,
            exit,
            asking: None,
            latency: None,
            cases,
        }
    }
}

fn ask(
    shape: &Shape,
    axis: Axis,
    name: &str,
    order: Order,
    said: &Reply,
    own: Option<&AskSummary>,
) -> AskSummary {
    let keys = order
        .identities()
        .iter()
        .map(|id| shape.keys[id.index()].as_str().into())
        .collect();
    let (status, choice) = match said {
        Reply::Chose(id, _) | Reply::Tied(id) => (AskStatus::Answered, Some(*id)),
        Reply::Declined => (AskStatus::Declined, None),
        Reply::Failed(..) => (AskStatus::Failed, None),
        Reply::Unasked => (AskStatus::Unasked, None),
    };
    let top = match said {
        Reply::Chose(_, top) => Some(*top),
        Reply::Tied(_) => Some(0.4),
        _ => None,
    };
    let rest = |top: f64| (1.0 - top) / (shape.keys.len().max(2) - 1) as f64;
    let probabilities = choice.zip(top).map(|(id, top)| {
        (0..shape.keys.len())
            .map(|place| if place == id.index() { top } else { rest(top) })
            .collect()
    });
    let answered = |status| matches!(status, AskStatus::Answered | AskStatus::Declined);
    let flip = own
        .filter(|own| answered(own.status) && answered(status))
        .map(|own| own.choice != choice);
    AskSummary {
        against: None,
        axis,
        variant: name.into(),
        key: choice.map(|id| shape.keys[id.index()].as_str().into()),
        keys,
        backend_confidence: None,
        confidence: None,
        order,
        status,
        choice,
        probabilities,
        tied: matches!(said, Reply::Tied(_)),
        ok: shape
            .right
            .filter(|_| answered(status))
            .map(|right| choice == Some(OptionId(right))),
        flip: flip.filter(|_| own.is_some_and(|own| own.choice.is_some() || choice.is_some())),
        ms: (status != AskStatus::Unasked).then_some(12.0),
        declined: matches!(said, Reply::Declined).then_some(Declined::Refusal),
        failed: if let Reply::Failed(kind, _) = said {
            Some(*kind)
        } else {
            None
        },
        failure: if let Reply::Failed(_, text) = said {
            Some((*text).to_owned())
        } else {
            None
        },
        again: None,
    }
}

/// Every case that flips in an order too many do comes again, or of a noisy model half of them.
fn confirmed(
    lines: &IndexMap<String, Line>,
    cases: &[CaseSummary],
    noisy: bool,
) -> IndexMap<String, Confirmation> {
    let open: Vec<&String> = lines
        .iter()
        .filter(|(_, line)| {
            matches!(
                line.figure.verdict,
                Verdict::OrderSensitive | Verdict::CauseOpen
            )
        })
        .map(|(name, _)| name)
        .collect();
    let flipped = |case: &CaseSummary| {
        let flips = |ask: &AskSummary| {
            ask.axis == Axis::Order
                && ask.flip == Some(true)
                && open.iter().any(|name| ***name == *ask.variant)
        };
        case.asks.iter().any(flips)
    };
    let flips = cases.iter().filter(|case| flipped(case)).count() as u64;
    if flips == 0 {
        return IndexMap::new();
    }
    let swapped = if noisy { flips / 2 } else { 0 };
    let replicated = flips - swapped;
    let of = cases.len() as u64;
    let effect = (replicated as f64 - swapped as f64) / of as f64;
    let found = Confirmation {
        flips,
        by_variant: IndexMap::from([(open[0].clone(), flips)]),
        replicated,
        swapped,
        neither: 0,
        missing: 0,
        unasked: 0,
        cases: of,
        effect,
        interval: [(effect - 0.1).max(-1.0), (effect + 0.1).min(1.0)],
        upper: (effect + 0.08).min(1.0),
        p: super::bounds::mcnemar(replicated, swapped),
        clusters: None,
        replications_needed: Some(6u64.saturating_sub(replicated)),
    };
    IndexMap::from([("order".to_owned(), found)])
}
