//! Recorded runs, asked again.

#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

mod common;

use std::borrow::Cow;

use camino::{Utf8Path, Utf8PathBuf};
use common::{ask, block_on, case, environment, model, send};
use flipside_core::case::Case;
use flipside_core::digest::Digest;
use flipside_core::model::{Failure, Model};
use flipside_core::order::Order;
use flipside_core::perturb::Variant;
use flipside_core::present::Presentation;
use flipside_core::record::{Failed, FailedKind, Outcome};
use flipside_formats::folder::{Folder, Run, RunJudging, SCHEMA};
use flipside_formats::journal::Line;
use flipside_models::catalog::{ModelSpec, Options, build};

fn cases() -> [Case; 2] {
    ["c-1", "c-2"].map(|id| {
        case(
            id,
            "\"s\"",
            &[("a", "\"x\""), ("b", "\"y\""), ("c", "\"s\"")],
        )
    })
}

fn run(model: &dyn Model) -> Run {
    Run {
        schema: SCHEMA.to_owned(),
        flipside: "0".to_owned(),
        command: Vec::new(),
        started: String::new(),
        platform: String::new(),
        hardware: None,
        model: model.card().spec.clone(),
        requested_model: model.card().requested.clone(),
        endpoint: None,
        protocol: None,
        canary: None,
        cost: None,
        served: Vec::new(),
        orders: Vec::new(),
        axes: Vec::new(),
        cross: None,
        seed: 7,
        draws: String::new(),
        max_orders: 120,
        asks: 4,
        plan: String::new(),
        sources: Vec::new(),
        served_models: Vec::new(),
        baseline: flipside_core::plan::Baseline::Ask,
        recordings: Vec::new(),
        judging: RunJudging {
            alpha: 0.05,
            confirm: "auto".to_owned(),
            adaptive: None,
        },
    }
}

/// The line of one ask of `case`, answered or with `failed`.
fn line(
    model: &dyn Model,
    number: u32,
    case: &Case,
    order: &Order,
    variant: &Variant,
    failed: Option<Failed>,
) -> Vec<u8> {
    let shown = Presentation::new(case, order);
    let request = model.request(&shown).unwrap();
    let reply = block_on(send(model, case, order, variant)).unwrap();
    let had_reply = failed
        .as_ref()
        .is_none_or(|failed| failed.kind == FailedKind::Malformed);
    let outcome = failed.map_or_else(
        || Outcome::Answered(model.read(&shown, &reply).unwrap()),
        Outcome::Failed,
    );
    let line = Line {
        ask: number,
        confirms: None,
        case: Cow::Borrowed(&case.id.0),
        axis: variant.axis,
        variant: Cow::Borrowed(&variant.name),
        order: Cow::Borrowed(order),
        digest: Cow::Owned(Digest::of(&request).to_string()),
        request: Some(Cow::Owned(String::from_utf8(request).unwrap())),
        shares: None,
        recorded: false,
        reply: had_reply.then_some(Cow::Owned(reply.body)),
        deeper: None,
        request_id: None,
        server_ms: None,
        outcome: Cow::Owned(outcome),
        confidence: None,
        ms: 1.0,
        attempts: 1,
        state: None,
    };
    let mut out = Vec::new();
    line.write(&mut out).unwrap();
    out
}

/// A run folder of `model` with a baseline, `rotate:1` and a control of the first case, and a failed ask of the second.
fn recorded(model: &dyn Model) -> (tempfile::TempDir, Utf8PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = Utf8Path::from_path(folder.path()).unwrap().join("run");
    let opened = Folder::open(&path, run(model), |_| Ok(())).unwrap();
    let [one, two] = cases();
    let timeout = Failed {
        kind: FailedKind::Timeout,
        message: "no complete answer within 10 ms".to_owned(),
        unanswered: true,
    };
    let lines = [
        line(model, 0, &one, &Order::own(3), &Variant::baseline(), None),
        line(
            model,
            1,
            &one,
            &Order::rotate(3, 1),
            &Variant::order("rotate:1"),
            None,
        ),
        line(model, 2, &one, &Order::own(3), &Variant::same(1), None),
        line(
            model,
            3,
            &two,
            &Order::own(3),
            &Variant::baseline(),
            Some(timeout),
        ),
    ];
    fs_err::write(opened.journal(), lines.concat()).unwrap();
    (folder, path)
}

fn unavailable(model: &dyn Model, case: &Case, order: &Order, variant: &Variant) -> String {
    match block_on(send(model, case, order, variant)).unwrap_err() {
        Failure::Unavailable { message } => message,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_was_recorded_is_answered_again_and_nothing_else() {
    for spec in ["random", "last"] {
        let original = model(spec);
        let (_folder, path) = recorded(original.as_ref());
        let replay = model(&format!("replay:{path}"));
        let [one, two] = cases();
        for (order, variant) in [
            (Order::own(3), Variant::baseline()),
            (Order::rotate(3, 1), Variant::order("rotate:1")),
            (Order::own(3), Variant::same(1)),
        ] {
            let again = ask(replay.as_ref(), &one, &order, &variant);
            assert_eq!(
                again,
                ask(original.as_ref(), &one, &order, &variant),
                "{spec} {variant}"
            );
        }
        // The same order under another name is the same ask; a control is not.
        ask(
            replay.as_ref(),
            &one,
            &Order::rotate(3, 1),
            &Variant::order("random:1"),
        );
        for (order, variant) in [
            (Order::reverse(3), Variant::order("reverse")),
            (Order::own(3), Variant::same(2)),
        ] {
            assert_eq!(
                unavailable(replay.as_ref(), &one, &order, &variant),
                "nothing is recorded for case `c-1` in this order"
            );
        }
        assert_eq!(
            unavailable(replay.as_ref(), &two, &Order::own(3), &Variant::baseline()),
            "recorded as failed: no complete answer within 10 ms"
        );
    }
}

#[test]
fn a_case_whose_content_has_changed_is_not_answered() {
    let (_folder, path) = recorded(model("first").as_ref());
    let replay = model(&format!("replay:{path}"));
    let changed = case(
        "c-1",
        "\"other\"",
        &[("a", "\"x\""), ("b", "\"y\""), ("c", "\"s\"")],
    );
    assert_eq!(
        unavailable(
            replay.as_ref(),
            &changed,
            &Order::own(3),
            &Variant::baseline()
        ),
        "case `c-1` was recorded with another content"
    );
}

#[test]
fn a_replay_says_what_it_replays_and_costs_nothing() {
    let (_folder, path) = recorded(model("first").as_ref());
    let replay = model(&format!("replay:{path}"));
    let card = replay.card();
    assert_eq!(
        (card.remote, card.endpoint.as_ref(), card.price),
        (false, None, None)
    );
    assert_eq!(card.spec, format!("replay:{path}"));
}

#[test]
fn a_folder_that_is_no_run_or_has_no_ask_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = Utf8Path::from_path(folder.path()).unwrap();
    let refused = |path: &Utf8Path| {
        let spec = ModelSpec::parse(&format!("replay:{path}")).unwrap();
        let error = build(&spec, &environment(&[]), &Options::default())
            .err()
            .unwrap();
        std::error::Error::source(&error).unwrap().to_string()
    };
    assert_eq!(refused(path), "it is no run folder that can be read");
    let empty = path.join("empty");
    drop(Folder::open(&empty, run(model("first").as_ref()), |_| Ok(())).unwrap());
    assert_eq!(refused(&empty), format!("`{empty}` has no recorded ask"));
}
