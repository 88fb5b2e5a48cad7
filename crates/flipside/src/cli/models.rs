//! `flipside models`: what there is, what each needs, what one is, whether it answers now, and whether option order reaches it.

use std::sync::Arc;

use flipside_core::canary::{self, Canary, Content, OrderFinding, Turn, Wording};
use flipside_core::case::{
    Case, CaseId, CaseOption, Key, KeyBinding, Question, QuestionKind, Source,
};
use flipside_core::foreign::Foreign;
use flipside_core::json::{Json, Object};
use flipside_core::model::{Inquired, Model, Sending};
use flipside_core::order::Order;
use flipside_core::perturb::Variant;
use flipside_core::present::Presentation;
use flipside_core::shared::List;
use flipside_engine::{Limits, Signals, Stopped};
use flipside_models::catalog::{Entry, ModelSpec, Needs, Options, catalog};
use flipside_models::env::Environment;
use flipside_report::wording;

use crate::cli::canary::needless;
use crate::cli::remedy::remedy;
use crate::defaults;
use crate::diagnostic::{self, Diagnostic, data};
use crate::exit::Exit;
use crate::flags::ModelsFlags;
use crate::settings;

/// Characters of an option text that is long for a decision, of which the end should still be read.
const LONG_TEXT: usize = 400;

/// Runs the command.
pub(crate) fn models(
    flags: &ModelsFlags,
    environment: &Environment,
    runtime: &tokio::runtime::Runtime,
) -> Exit {
    let Some(text) = &flags.model else {
        if let Some(name) = &flags.model_name {
            let problem = format!(
                "`--model-name {}`: no MODEL is named that would be asked so",
                Foreign(name)
            );
            diagnostic::print(&[Diagnostic::new(problem)
                .help("name the model, as in `flipside models systemone:URL --model-name NAME`")]);
            return Exit::Usage;
        }
        return print(&list(environment), Exit::Held);
    };
    let spec = ModelSpec::parse(text).map_err(|error| {
        vec![Diagnostic::new(&error).help("`flipside models` lists them with what each needs")]
    });
    let asked = spec.and_then(|spec| {
        let timeout = settings::timeout(flags.timeout.as_deref())?;
        let variable = settings::key_variable(flags.key_from.as_deref())?;
        let environment = crate::keys::named(environment, variable.as_deref())?;
        let options = Options {
            seed: defaults::SEED,
            model_name: settings::model_name(flags.model_name.as_deref())?,
            ..Options::default()
        };
        let model = crate::build_one(&spec, &options, &environment)?;
        crate::keys::one_host(variable.as_deref(), &[Arc::clone(&model)])?;
        let limits = settings::small_limits(timeout);
        Ok((model, limits))
    });
    match asked {
        Ok((model, limits)) => runtime.block_on(ask(model.as_ref(), &limits, !flags.no_canary)),
        Err(errors) => {
            diagnostic::print(&errors);
            Exit::Usage
        }
    }
}

fn list(environment: &Environment) -> String {
    let width = catalog()
        .iter()
        .map(|entry| entry.form.len())
        .max()
        .unwrap_or(0);
    let line = |entry: &Entry| {
        let needs = match &entry.needs {
            Needs::Nothing => String::new(),
            Needs::OneOf(variables)
                if variables.iter().any(|variable| environment.has(variable)) =>
            {
                let set: Vec<&str> = variables
                    .iter()
                    .filter(|variable| environment.has(variable))
                    .map(|variable| variable.name)
                    .collect();
                format!("; {} is set", set.join(" and "))
            }
            Needs::ServerOr(variable) if environment.has(variable) => {
                format!("; {} is set", variable.name)
            }
            Needs::OneOf(_) => format!("; needs {}, not set", entry.needs.words()),
            _ => format!("; needs {}", entry.needs.words()),
        };
        let default = if entry.name == defaults::MODEL {
            " (the default)"
        } else {
            ""
        };
        format!("{:width$}  {}{default}{needs}\n", entry.form, entry.about)
    };
    catalog().iter().map(line).collect()
}

/// Prints data; standard output that cannot be written is an incomplete command.
fn print(text: &str, exit: Exit) -> Exit {
    match data(text) {
        Ok(()) => exit,
        Err(error) => {
            diagnostic::print(&[error]);
            Exit::Incomplete
        }
    }
}

/// One small question with two options.
fn question() -> Case {
    let text = |text: &str| Json::String(text.to_owned());
    let object = |key: &str, value| {
        Json::Object(Object::new(vec![(key.to_owned(), value)]).expect("one member"))
    };
    let option = |key: &str, words: &str| CaseOption {
        key: Key(key.to_owned()),
        text: Some(text(words)),
    };
    Case {
        id: CaseId("check".to_owned()),
        source: Source {
            format: "check".into(),
            file: "flipside models".into(),
            line: 1,
        },
        state: object("message", text("Where is my parcel?")),
        question: Question {
            kind: QuestionKind::Choice,
            name: "pick".to_owned(),
            instructions: Some(object("rules", text("Pick the desk."))),
            before: Vec::new(),
            after: Vec::new(),
        }
        .into(),
        options: vec![
            option("delivery", "parcels and couriers"),
            option("billing", "payments and refunds"),
        ]
        .into(),
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

async fn ask(model: &dyn Model, limits: &Limits, canary: bool) -> Exit {
    let timeout = limits.timeout;
    let card = model.card();
    let case = question();
    let order = Order::own(case.options.len());
    let shown = Presentation::new(&case, &order);
    let mut text = format!("model     {}\n", Foreign(&card.spec));
    let mut line = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            text.extend([format!("{name:<9} {}\n", Foreign(value))]);
        }
    };
    line("endpoint", card.endpoint.as_deref());
    line("asks for", card.requested.as_deref());
    line("key from", card.key_variable.as_deref());
    for said in says(model.inquire().await) {
        line("says", Some(&said));
    }
    let failed = |message: String| {
        let stopped = Stopped::Backend {
            message: message.clone(),
            attempts: 1,
        };
        let text = format!("`{}` {}", Foreign(&card.spec), Foreign(&message));
        let help = format!("{} the command", remedy(&stopped, card));
        diagnostic::print(&[Diagnostic::new(text).help(help)]);
        Exit::Incomplete
    };
    let bytes = match model.request(&shown) {
        Ok(bytes) => bytes,
        Err(unsupported) => {
            line(
                "answers",
                Some(&format!("not asked: {}", unsupported.reason)),
            );
            return print(&text, Exit::Held);
        }
    };
    let variant = Variant::baseline();
    let sending = Sending {
        shown: &shown,
        bytes: &bytes,
        case: &case.id,
        variant: &variant,
        again: false,
        attempt: 1,
    };
    let start = std::time::Instant::now();
    let reply = match tokio::time::timeout(timeout, model.send(sending)).await {
        Ok(Ok(reply)) => reply,
        Ok(Err(failure)) => {
            print(&text, Exit::Held);
            return failed(failure.to_string());
        }
        Err(_) => {
            print(&text, Exit::Held);
            return failed(format!("did not answer within {} ms", timeout.as_millis()));
        }
    };
    let ms = start.elapsed().as_secs_f64() * 1e3;
    match model.read(&shown, &reply) {
        Ok(answer) => {
            let choice = answer
                .choice
                .map_or("no decision", |id| case.options[id.index()].key.0.as_str());
            line("served by", answer.served_model.as_deref());
            line(
                "answers",
                Some(&format!("`{choice}` to a small question, in {ms:.1} ms")),
            );
            let given = if answer.probabilities.is_some() {
                "with probabilities"
            } else {
                "without probabilities"
            };
            line("", Some(given));
            let build = answer.build.as_deref();
            line("provider", answer.provider.as_deref());
            line(
                "revision",
                build.and_then(|build| build.revision.as_deref()),
            );
            line(
                "print",
                build.and_then(|build| build.fingerprint.as_deref()),
            );
            for remark in &answer.remarks {
                line("remark", Some(remark));
            }
            if canary && card.endpoint.is_some() {
                for (name, said) in order_arrives(model, limits).await {
                    line(name, Some(&said));
                }
            }
            print(&text, Exit::Held)
        }
        Err(rejection) => {
            print(&text, Exit::Held);
            failed(format!("sent no valid answer: {rejection}"))
        }
    }
}

/// What the order canary finds, a line each.
async fn order_arrives(model: &dyn Model, limits: &Limits) -> Vec<(&'static str, String)> {
    if let Some(why) = needless(model.card()) {
        return vec![("order", format!("not asked: {why}"))];
    }
    let ended = flipside_engine::canary(model, limits, &Signals::default(), LONG_TEXT, None).await;
    let found = ended.canary;
    let asks = wording::plural(found.asks, "ask", "asks");
    let mut lines = vec![("order", format!("{} ({asks})", wording::canary(&found)))];
    match other_way(model, limits, &found).await {
        Some(said) => lines.push(("contrast", said)),
        None => lines.extend(wording::canary_advice(&found).map(|advice| ("", advice.to_owned()))),
    }
    lines.extend(
        found
            .cut_texts
            .as_ref()
            .map(|cut| ("texts", wording::cut_texts(cut))),
    );
    lines
}

/// What another way for option order shows, where the usual one moved no answer and there is another that answers.
async fn other_way(model: &dyn Model, limits: &Limits, found: &Canary) -> Option<String> {
    if found.order != OrderFinding::Unmoved {
        return None;
    }
    let question = canary::Question {
        content: Content::Plain,
        turn: Turn::Own,
        again: false,
    };
    let case = question.case(Wording::Same);
    let orders = [Turn::Own, Turn::Turned, Turn::Reversed].map(Turn::order);
    let way = model.other_way(&case, &orders)?;
    // Most servers have no other way, and refuse it: that is no finding.
    let answers = tokio::time::timeout(limits.timeout, way.answers)
        .await
        .ok()?
        .ok()?;
    Some(wording::other_way(
        way.usual,
        way.other,
        canary::differ(&answers),
    ))
}

/// What the server says of itself, a line for each place that says something, and one for those that say nothing.
fn says(inquired: Vec<Inquired>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut silent: Vec<(String, Vec<String>)> = Vec::new();
    for Inquired { place, found } in inquired {
        match found {
            Ok(said) => lines.push(format!("{place}: {}", said.join("; "))),
            Err(why) => match silent.iter_mut().find(|(known, _)| *known == why) {
                Some((_, places)) => places.push(place),
                None => silent.push((why, vec![place])),
            },
        }
    }
    let nothing = silent
        .iter()
        .map(|(why, places)| format!("nothing at {} ({why})", places.join(", ")));
    lines.into_iter().chain(nothing).collect()
}
