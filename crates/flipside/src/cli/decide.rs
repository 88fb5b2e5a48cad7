//! `flipside decide`: one question, one JSON object.

use flipside_core::answer::confidence;
use flipside_core::case::Case;
use flipside_core::foreign::Foreign;
use flipside_core::gate::Gates;
use flipside_core::json::{Json, Object};
use flipside_core::order::Order;
use flipside_core::perturb::Axis;
use flipside_core::summary::AskSummary;
use flipside_models::env::Environment;

use crate::cli::one::{Choice, One};
use crate::cli::out;
use crate::cli::values::{number, object};
use crate::diagnostic::{self, Diagnostic, data};
use crate::exit::Exit;
use crate::flags::DecideFlags;
use crate::settings::{self, Decide, TextSource};

/// Runs the command.
pub(crate) fn decide(
    flags: &DecideFlags,
    command: &[String],
    environment: &Environment,
    runtime: &tokio::runtime::Runtime,
) -> Exit {
    match settings::decide(flags).and_then(|settings| ask(&settings, command, environment, runtime))
    {
        Ok(exit) => exit,
        Err(errors) => {
            diagnostic::print(&errors);
            Exit::Usage
        }
    }
}

fn ask(
    settings: &Decide,
    command: &[String],
    environment: &Environment,
    runtime: &tokio::runtime::Runtime,
) -> Result<Exit, Vec<Diagnostic>> {
    let one = |error| vec![error];
    let case = case(settings).map_err(one)?;
    let asked = One::new(case, &settings.orders, &settings.models, environment)?;
    let gates = Gates::resolve(&[], false, &[], false);
    let again = out::again(command, &[]);
    let ended = runtime
        .block_on(async {
            asked
                .ask(&settings.models, &gates, again, &out::signals())
                .await
        })
        .map_err(one)?;
    if let Some(problem) = ended.problem {
        diagnostic::print(&[problem]);
        return Ok(Exit::Incomplete);
    }
    let asks = &ended.summary.cases[0].asks;
    if let (Some(failure), Some(kind)) = (&asks[0].failure, &asks[0].failed) {
        let error = Diagnostic::new(format!(
            "the model did not answer: {} ({kind:?})",
            Foreign(failure)
        ));
        diagnostic::print(&[error]);
        return Ok(Exit::Incomplete);
    }
    match data(&(render(asked.case(), asks).to_text() + "\n")) {
        Ok(()) => Ok(Exit::Held),
        Err(error) => {
            diagnostic::print(&[error]);
            Ok(Exit::Incomplete)
        }
    }
}

fn case(settings: &Decide) -> Result<Case, Diagnostic> {
    let (text, place) = match &settings.state {
        TextSource::Text(text) => (text.clone(), "--state".to_owned()),
        TextSource::File(path) => {
            let text = fs_err::read_to_string(path)
                .map_err(|error| Diagnostic::new(format!("`--state`: {error}")))?;
            (text, path.to_string())
        }
    };
    let state = flipside_formats::json::parse(&text).map_err(|error| {
        Diagnostic::new(format!("`{place}`: {error}"))
            .help("the state is a JSON value; a plain text is written in double quotes: '\"text\"'")
    })?;
    let option = |(key, text): &(String, String)| (key.clone(), Some(text.clone()));
    let choice = Choice {
        id: "decide".to_owned(),
        named: true,
        format: "decide",
        file: "command line",
        line: 1,
        state,
        options: settings.options.iter().map(option).collect(),
        rules: settings.rules.clone(),
        accept: Vec::new(),
    };
    choice.case().map_err(Diagnostic::new)
}

/// The answer as one object: probabilities by key in the case's own order, `confidence` the largest of them.
fn render(case: &Case, asks: &[AskSummary]) -> Json {
    let mut members = answer(case, &asks[0]);
    let backend = asks[0].backend_confidence;
    members.push(("backend_confidence", backend.map_or(Json::Null, number)));
    if asks.len() > 1 {
        let other = |ask: &AskSummary| {
            let mut members = vec![(
                "variant",
                Json::String(format!("{}/{}", ask.axis.name(), ask.variant)),
            )];
            members.push(("order", order(case, &ask.order)));
            members.extend(answer(case, ask));
            members.push(("flip", ask.flip.map_or(Json::Null, Json::Bool)));
            members.push((
                "failure",
                ask.failure.clone().map_or(Json::Null, Json::String),
            ));
            object(members)
        };
        let flips = |axis: Axis| {
            asks.iter()
                .any(|ask| ask.axis == axis && ask.flip == Some(true))
        };
        let compared = asks
            .iter()
            .any(|ask| ask.axis == Axis::Order && ask.flip.is_some());
        members.push((
            "flipped",
            if compared {
                Json::Bool(flips(Axis::Order))
            } else {
                Json::Null
            },
        ));
        members.push(("asks", Json::Array(asks[1..].iter().map(other).collect())));
    }
    object(members)
}

fn answer(case: &Case, ask: &AskSummary) -> Vec<(&'static str, Json)> {
    let key = |id: usize| case.options[id].key.0.clone();
    let probabilities = ask.probabilities.as_ref().map(|values| {
        let members = values
            .iter()
            .enumerate()
            .map(|(id, p)| (key(id), number(*p)))
            .collect();
        Json::Object(Object::new(members).expect("a checked case has distinct keys"))
    });
    let top = ask
        .probabilities
        .as_deref()
        .and_then(confidence)
        .map(|confidence| confidence.top);
    vec![
        (
            "choice",
            ask.choice
                .map_or(Json::Null, |id| Json::String(key(id.index()))),
        ),
        ("probabilities", probabilities.unwrap_or(Json::Null)),
        ("confidence", top.map_or(Json::Null, number)),
        (
            "ms",
            ask.ms
                .map_or(Json::Null, |ms| number((ms * 1e3).round() / 1e3)),
        ),
    ]
}

fn order(case: &Case, order: &Order) -> Json {
    let key =
        |id: &flipside_core::order::OptionId| Json::String(case.options[id.index()].key.0.clone());
    Json::Array(order.identities().iter().map(key).collect())
}
