//! What one ask of a control costs, in nanoseconds, and what building a client costs. Run with `cargo bench -p flipside-models`.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench prints, and fails loudly"
)]

use std::future::Future;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use flipside_core::case::{
    Case, CaseId, CaseOption, Key, KeyBinding, Question, QuestionKind, Source,
};
use flipside_core::json::Json;
use flipside_core::model::{Model, Sending};
use flipside_core::order::Order;
use flipside_core::perturb::Variant;
use flipside_core::present::Presentation;
use flipside_core::shared::List;
use flipside_models::catalog::{ModelSpec, Options, build};
use flipside_models::env::Environment;

fn case(options: usize) -> Case {
    let text = |text: String| Json::String(text);
    Case {
        id: CaseId("c-1".to_owned()),
        source: Source {
            format: "probe".into(),
            file: "-".into(),
            line: 1,
        },
        state: text(
            "Two identical payments of 19.90 were taken from my card on 3 May, please refund one."
                .to_owned(),
        ),
        question: Question {
            kind: QuestionKind::Choice,
            name: "q".to_owned(),
            instructions: Some(text("Which team should own this ticket?".to_owned())),
            before: Vec::new(),
            after: Vec::new(),
        }
        .into(),
        options: (0..options)
            .map(|i| CaseOption {
                key: Key(format!("option_{i}")),
                text: Some(text(format!(
                    "Charges, failed payments or duplicate payments, kind {i}"
                ))),
            })
            .collect(),
        keys: KeyBinding::Option,
        accept: List::new(),
        named: true,
        position_dependent: None,
        note: None,
        fields: List::new(),
        equal: List::new(),
        brought: flipside_core::case::Brought::default(),
    }
}

fn ready<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => unreachable!("a control answers at once"),
    }
}

/// Nanoseconds of request, send and read together, the least of five rounds.
fn ask(model: &dyn Model, case: &Case, rounds: u32) -> [u128; 4] {
    let order = Order::reverse(case.options.len());
    let variant = Variant::order("reverse");
    let shown = Presentation::new(case, &order);
    let bytes = model.request(&shown).unwrap();
    let sending = Sending {
        shown: &shown,
        bytes: &bytes,
        case: &case.id,
        variant: &variant,
        again: false,
        attempt: 1,
    };
    let reply = ready(model.send(sending)).unwrap();
    let least = |work: &dyn Fn()| {
        let round = || {
            let start = Instant::now();
            (0..rounds).for_each(|_| work());
            start.elapsed().as_nanos() / u128::from(rounds)
        };
        (0..5).map(|_| round()).min().unwrap_or(0)
    };
    [
        least(&|| drop(black_box(model.request(&shown)))),
        least(&|| drop(black_box(ready(model.send(sending))))),
        least(&|| drop(black_box(model.read(&shown, &reply)))),
        least(&|| {
            let bytes = model.request(&shown).unwrap();
            let reply = ready(model.send(Sending {
                bytes: &bytes,
                ..sending
            }))
            .unwrap();
            drop(black_box(model.read(&shown, &reply)));
        }),
    ]
}

fn main() {
    let built = |spec: &str| {
        let spec = ModelSpec::parse(spec).unwrap();
        build(&spec, &Environment::default(), &Options::default()).unwrap()
    };
    for (options, rounds) in [(4, 20_000), (77, 1_000)] {
        let case = case(options);
        for spec in ["first", "overlap", "random", "noisy:0.1"] {
            let [request, send, read, all] = ask(built(spec).as_ref(), &case, rounds);
            println!(
                "{spec:10} {options:2} options: request {request} + send {send} + read {read}; together {all} ns"
            );
        }
    }
    for url in [
        "systemone:http://127.0.0.1:9/v1/systemone",
        "systemone:https://127.0.0.1:9/v1/systemone",
    ] {
        let start = Instant::now();
        let model = built(url);
        let building = start.elapsed();
        let case = case(4);
        let order = Order::own(4);
        let shown = Presentation::new(&case, &order);
        let bytes = model.request(&shown).unwrap();
        let variant = Variant::baseline();
        let sending = Sending {
            shown: &shown,
            bytes: &bytes,
            case: &case.id,
            variant: &variant,
            again: false,
            attempt: 1,
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let start = Instant::now();
        let refused = runtime.block_on(model.send(sending));
        assert!(refused.is_err());
        println!(
            "{url}: built in {building:?}; first ask, client and refused connection included, {:?}",
            start.elapsed()
        );
    }
}
