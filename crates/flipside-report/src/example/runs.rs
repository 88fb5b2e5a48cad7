//! The runs that tests look at.

use flipside_core::order::{OptionId, Order, Position};
use flipside_core::perturb::Axis;
use flipside_core::plan::VacuousReason;
use flipside_core::record::FailedKind;
use flipside_core::summary::{Latency, ServedVersion, Summary};

use super::build::{Builder, Reply, Shape, Variants};

/// Cases whose accepted option moves through the positions.
pub(crate) fn labelled(cases: usize, keys: &[&str]) -> Vec<Shape> {
    let shape = |place: usize| Shape {
        id: format!("case-{}", place + 1),
        keys: keys.iter().map(|key| (*key).to_owned()).collect(),
        right: u16::try_from(place % keys.len()).ok(),
    };
    (0..cases).map(shape).collect()
}

/// The identity `place`.
pub(crate) fn id(place: usize) -> OptionId {
    OptionId(u16::try_from(place).unwrap())
}

/// The same accepted option for every case, or none.
pub(crate) fn relabel(shapes: &mut [Shape], right: Option<u16>) {
    for shape in shapes {
        shape.right = right;
    }
}

const QUEUES: [&str; 3] = ["refund", "deny", "escalate"];

fn shown_first(order: &Order) -> Reply {
    Reply::Chose(order.at(Position(0)).unwrap(), 0.62)
}

/// Eight three-option cases whose first option is right, against a model that takes the first.
pub(crate) fn first(variants: &[Variants]) -> Summary {
    let mut shapes = labelled(8, &QUEUES);
    relabel(&mut shapes, Some(0));
    let mut summary = Builder::new(shapes, variants).answered(|_, _, order| shown_first(order));
    summary.model.spec = "first".to_owned();
    summary
}

/// Eight cases, own order only, all right.
pub(crate) fn plain() -> Summary {
    let shapes = labelled(8, &QUEUES);
    Builder::new(shapes, &[]).answered(|case, _, _| Reply::Chose(id(case % 3), 0.9))
}

/// Thirty tickets to five queues over HTTP: mostly right, flips here and there, one failed ask.
pub(crate) fn ordinary() -> Summary {
    let shapes = labelled(
        30,
        &["billing", "delivery", "returns", "technical", "other"],
    );
    let variants = [Variants::Reverse, Variants::Rotate(1), Variants::Same(1)];
    let mut summary = Builder::new(shapes, &variants).answered(|case, variant, order| {
        let right = id(case % 5);
        match (variant, case) {
            ("rotate:1", 17) => Reply::Failed(FailedKind::Timeout, "no complete reply within 10 s"),
            ("reverse", 3 | 8 | 11 | 20 | 23 | 29) | ("rotate:1", 3 | 11) => {
                Reply::Chose(order.at(Position(right.0)).unwrap(), 0.48)
            }
            ("own", 5 | 14) => Reply::Chose(id(4), 0.41),
            (_, 5 | 14) => Reply::Chose(id(4), 0.44),
            _ => Reply::Chose(right, 0.87),
        }
    });
    summary.model.spec = "jev".to_owned();
    summary.model.requested = Some("jev-latest".to_owned());
    summary.model.endpoint = Some("https://api.typesafe.example/v1/decide".to_owned());
    summary.model.served = vec!["jev-2026-11".to_owned()];
    summary.latency = Some(Latency {
        median_ms: 212.0,
        p95_ms: 431.0,
    });
    summary
}

/// Thirty tickets on many axes: keys drive answers, orders and white space do not, and no case brings a rewording.
pub(crate) fn axes() -> Summary {
    let shapes = labelled(
        30,
        &["billing", "delivery", "returns", "technical", "other"],
    );
    let variants = [
        Variants::Reverse,
        Variants::Same(1),
        Variants::On(Axis::Keys, "abstract"),
        Variants::On(Axis::Keys, "letters"),
        Variants::On(Axis::Descriptions, "drop"),
        Variants::Nothing(Axis::Phrasing, "1", VacuousReason::NoPhrasing),
        Variants::On(Axis::Whitespace, "doubled"),
        Variants::Nothing(Axis::Whitespace, "pretty", VacuousReason::Unchanged),
    ];
    let mut summary = Builder::new(shapes, &variants).answered(|case, variant, _| {
        let flips = match variant {
            "keys/abstract" => case % 4 == 1,
            "keys/letters" => case == 1,
            "descriptions/drop" => case % 2 == 0,
            _ => false,
        };
        let right = case % 5;
        Reply::Chose(id(if flips { (right + 2) % 5 } else { right }), 0.7)
    });
    let lines = &mut summary.axes["keys"];
    lines["abstract"].transitions.harmful = 8;
    lines["letters"].transitions.harmful = 1;
    summary.axes["descriptions"]["drop"].transitions.harmful = 15;
    summary
}

/// A run that was stopped, with every kind of trouble.
pub(crate) fn troubled() -> Summary {
    let mut shapes = labelled(20, &QUEUES);
    shapes[19].keys.truncate(1);
    shapes[19].right = None;
    shapes[18].right = None;
    let variants = [Variants::Reverse, Variants::Rotate(1), Variants::Same(2)];
    let mut summary =
        Builder::new(shapes, &variants).answered(|case, variant, order| match (case, variant) {
            (0, _) => Reply::Failed(
                FailedKind::Malformed,
                "the reply chose `refunds`, which was not offered",
            ),
            (1, "reverse") | (2, "1") => Reply::Failed(FailedKind::Status, "status 503"),
            (3, _) | (4, "reverse") => Reply::Declined,
            (5, "reverse") => Reply::Tied(id(1)),
            (6 | 7 | 18, "reverse" | "1") => shown_first(order),
            (16.., "rotate:1" | "2") => Reply::Unasked,
            _ => Reply::Chose(id(if order.len() > 1 { case % 3 } else { 0 }), 0.7),
        });
    summary.stopped = Some("the budget of 90 asks is spent".to_owned());
    summary.plan.seed = Some(7);
    summary
}

/// Twelve rotations of eight cases with thirteen options.
pub(crate) fn many() -> Summary {
    let keys: Vec<String> = (0..13).map(|place| format!("option-{place}")).collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let rotations: Vec<Variants> = (1..13).map(Variants::Rotate).collect();
    Builder::new(labelled(8, &keys), &rotations).answered(|case, variant, order| {
        let by = variant
            .strip_prefix("rotate:")
            .map_or(0, |by| by.parse::<usize>().unwrap());
        if case < by / 2 {
            shown_first(order)
        } else {
            Reply::Chose(id(case), 0.7)
        }
    })
}

/// Escape codes and bidirectional marks wherever text can come from outside.
pub(crate) fn hostile() -> Summary {
    let bad = |text: &str| format!("{text}\u{1b}[31m\u{202e}\u{9b}2J\r\n\u{7}end");
    let mut shapes = labelled(8, &QUEUES);
    for shape in &mut shapes {
        shape.id = bad(&shape.id);
        shape.keys = shape.keys.iter().map(|key| bad(key)).collect();
        shape.right = Some(0);
    }
    let mut summary = Builder::new(shapes, &[Variants::Reverse, Variants::Same(1)]).answered(
        |case, variant, order| match (case, variant) {
            (7, "reverse") => Reply::Failed(
                FailedKind::Status,
                "status 500: \u{1b}]0;title\u{7}\u{2066}",
            ),
            _ => shown_first(order),
        },
    );
    summary.model.spec = bad("exec:");
    summary.model.requested = Some(bad("requested"));
    summary.model.endpoint = Some(bad("http://host"));
    summary.model.served = vec![bad("served"), bad("other")];
    summary.model.versions = ["served", "other"]
        .map(|name| ServedVersion {
            model: Some(bad(name)),
            provider: Some(bad("provider")),
            revision: Some(bad("revision")),
            fingerprint: Some(bad(name)),
            answers: 12,
            first: 1,
            last: 24,
        })
        .to_vec();
    summary.plan.orders = vec![bad("list:file")];
    summary.stopped = Some(bad("stopped"));
    let lines = summary.axes.get_mut("order").unwrap();
    let mut line = lines.get("reverse").unwrap().clone();
    line.figure.reason = Some(bad("reason"));
    line.drift = Some(super::drift(1.0, &bad("worst")));
    lines.insert(bad("list"), line);
    for gate in &mut summary.gates {
        gate.decided_by = Some(bad("by"));
        gate.reason = Some(bad("why"));
    }
    summary
}
