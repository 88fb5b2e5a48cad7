//! From answers to a summary, counted as simply as possible.

use flipside_core::answer::Declined;
use flipside_core::gate::Population;
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::Axis;
use flipside_core::plan::VacuousReason;
use flipside_core::record::FailedKind;
use flipside_core::summary::{
    AskStatus, AskSummary, CaseSummary, Control, CountSummary, GateLine, IndependentUnit, Judging,
    Line, ModelSummary, PlanSummary, Rule, SplitClaim, Splits, Summary, Verdict,
};
use indexmap::IndexMap;

use super::confirmed::confirmed;
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
    /// A variant of another axis, in the own order.
    On(Axis, &'static str),
    /// One that changes no case.
    Nothing(Axis, &'static str, VacuousReason),
}

impl Variants {
    fn names(self) -> Vec<(Axis, String)> {
        match self {
            Self::Reverse => vec![(Axis::Order, "reverse".to_owned())],
            Self::Rotate(by) => vec![(Axis::Order, format!("rotate:{by}"))],
            Self::Same(repeats) => (1..=repeats).map(|n| (Axis::Same, n.to_string())).collect(),
            Self::On(axis, name) | Self::Nothing(axis, name, _) => vec![(axis, name.to_owned())],
        }
    }
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
            .chain(self.variants.iter().flat_map(|variant| variant.names()))
            .collect();
        let mut cases: Vec<CaseSummary> = Vec::new();
        for (place, shape) in self.shapes.iter().enumerate() {
            let mut asks: Vec<AskSummary> = Vec::new();
            for (axis, name) in &names {
                let options = shape.keys.len();
                if *axis == Axis::Order && options < 2 || self.nothing(*axis, name).is_some() {
                    continue;
                }
                let order = match (axis, name.strip_prefix("rotate:")) {
                    (Axis::Order, Some(by)) => Order::rotate(options, by.parse().unwrap()),
                    (Axis::Order, None) => Order::reverse(options),
                    _ => Order::own(options),
                };
                let said = match axis {
                    Axis::Baseline | Axis::Order | Axis::Same => reply(place, name, &order),
                    axis => reply(place, &format!("{}/{name}", axis.name()), &order),
                };
                let mut asked = ask(shape, *axis, name, order, &said, asks.first());
                if *axis == Axis::Keys {
                    let abstract_key = |place: usize| format!("A{}", place + 1).as_str().into();
                    asked.keys = (0..options).map(abstract_key).collect();
                    asked.key = asked.choice.map(|id| abstract_key(id.index()));
                }
                asks.push(asked);
            }
            let accept = shape.right.map(OptionId).into_iter().collect();
            let line = place as u64 + 1;
            cases.push(CaseSummary {
                question: flipside_core::case::QuestionKind::Choice,
                keys_stay: false,
                id: shape.id.clone(),
                file: "cases.jsonl".into(),
                line,
                keys: shape.keys.iter().map(|key| key.as_str().into()).collect(),
                unlisted: false,
                accept,
                equal: Vec::new().into(),
                fields: IndexMap::new(),
                recorded: None,
                asks,
            });
        }
        self.summary(cases, &names)
    }

    /// Why a variant changes no case, if it does not.
    fn nothing(&self, axis: Axis, name: &str) -> Option<VacuousReason> {
        self.variants.iter().find_map(|variant| match variant {
            Variants::Nothing(of, named, reason) if *of == axis && *named == name => Some(*reason),
            _ => None,
        })
    }

    fn limit(&self, axis: Axis) -> Option<f64> {
        match axis {
            Axis::Order => self.order,
            axis => axis.is_gated().then_some(0.05),
        }
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
        let mut axes: IndexMap<String, IndexMap<String, Line>> = IndexMap::new();
        for (axis, name) in names.iter().filter(|(axis, _)| axis.changes()) {
            let mut found = line(&cases, *axis, name, self.limit(*axis), rule, noisy);
            if let Some(reason) = self.nothing(*axis, name) {
                found.vacuous_reasons = IndexMap::from([(reason, found.figure.vacuous)]);
            }
            let lines = axes.entry(axis.name().to_owned()).or_default();
            lines.insert(name.clone(), found);
        }
        let again = axes.iter().filter_map(|(axis, lines)| {
            let found = confirmed(Axis::parse(axis)?, lines, &cases, noisy)?;
            Some((axis.clone(), found))
        });
        let confirmed = again.collect();
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
        if let Some(limit) = self.order.filter(|_| !axes.contains_key("order")) {
            let none = Some("no other order was asked".to_owned());
            gate("order", limit, Verdict::NotMeasured, None, none);
        }
        for (axis, lines) in &axes {
            let Some(limit) = Axis::parse(axis).and_then(|axis| self.limit(axis)) else {
                continue;
            };
            let severity = |line: &Line| match &line.figure.verdict {
                Verdict::NotApplicable => 0,
                verdict => 1 + u8::from(!verdict.holds()),
            };
            let worst = lines.iter().rev();
            let worst = worst.max_by_key(|(_, line)| (severity(line), line.figure.flips));
            let (name, line) = worst.expect("an axis has a variant");
            let by = (lines.len() > 1).then(|| name.clone());
            let (verdict, reason) = (&line.figure.verdict, &line.figure.reason);
            gate(axis, limit, verdict.clone(), by, reason.clone());
        }
        let all = || cases.iter().flat_map(|case| &case.asks);
        let status = |wanted: AskStatus| all().filter(|ask| ask.status == wanted).count() as u64;
        let counts = CountSummary {
            cases: cases.len() as u64,
            labelled: cases.iter().filter(|case| !case.accept.is_empty()).count() as u64,
            duplicates: 0,
            equal_texts: 0,
            shared_states: 0,
            asks: all().count() as u64,
            recorded: 0,
            requests: all().count() as u64,
            answered: status(AskStatus::Answered) + status(AskStatus::Declined),
            no_decision: status(AskStatus::Declined),
            unreadable: 0,
            failed: status(AskStatus::Failed),
            unasked: status(AskStatus::Unasked),
            confirming: 0,
            confirming_failed: 0,
            confirming_unasked: 0,
            tied: all().filter(|ask| ask.tied).count() as u64,
        };
        let complete = counts.unasked == 0;
        let exit = if complete {
            u8::from(gates.iter().any(|gate| !gate.held))
        } else {
            3
        };
        let (mut orders, mut other_axes) = (Vec::new(), Vec::new());
        for variant in &self.variants {
            match variant {
                Variants::Reverse => orders.push("reverse".to_owned()),
                Variants::Rotate(by) => orders.push(format!("rotate:{by}")),
                Variants::Same(repeats) => orders.push(format!("same:{repeats}")),
                Variants::On(axis, name) => other_axes.push(format!("{}:{name}", axis.name())),
                Variants::Nothing(axis, ..) => other_axes.push(axis.name().to_owned()),
            }
        }
        Summary {
            schema: flipside_core::summary::SCHEMA.to_owned(),
            method: 1,
            flipside: "0.1.0".to_owned(),
            model: ModelSummary {
                spec: "overlap".to_owned(),
                requested: None,
                endpoint: None,
                served: Vec::new(),
                versions: Vec::new(),
                hardware: None,
                confidence: None,
                confidence_fits: Vec::new(),
                object_order: false,
                protocol: None,
            },
            plan: PlanSummary {
                axes: other_axes,
                cross: None,
                digest: "0f".repeat(32),
                orders,
                seed: None,
                draws: None,
                sampled: false,
            },
            order_averaged_accuracy: axes
                .contains_key("order")
                .then(|| averaged(&cases))
                .flatten(),
            averaged_answer: None,
            confidence: None,
            score: None,
            axes,
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
            recorded: None,
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
            readout: None,
            recorded_pairs: None,
            canary: None,
            cost: None,
            remarks: flipside_core::summary::Remarks::default(),
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
        recorded: false,
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
