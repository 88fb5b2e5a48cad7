//! The tool `decide`: one question, asked in several orders.

use std::time::Instant;

use flipside_core::foreign::Foreign;
use flipside_core::gate::{GateSpec, Gates};
use flipside_core::json::{Json, Object};
use flipside_core::perturb::Axis;
use flipside_core::summary::{AskSummary, CaseSummary, Summary, Verdict};
use flipside_engine::Signals;
use flipside_models::env::Environment;
use flipside_report::warning::{self, Warning};

use super::arguments::Arguments;
use super::orders;
use super::outcome::Outcome;
use crate::cli::one::{Choice, One};
use crate::cli::values::{count, number, object, text};
use crate::diagnostic::Diagnostic;
use crate::settings::{Mcp, Models, Orders};

/// Members of a result, by name.
type Members = Vec<(&'static str, Json)>;

/// What a call asks.
struct Call {
    choice: Choice,
    orders: Orders,
    models: Models,
    warning: Option<String>,
}

/// Answers a call.
///
/// # Errors
/// What is wrong with its arguments, or kept it from an answer.
pub(super) async fn decide(
    settings: &Mcp,
    environment: &Environment,
    arguments: &Object,
    signals: &Signals,
) -> Result<Outcome, Vec<Diagnostic>> {
    let began = Instant::now();
    let Call {
        choice,
        orders,
        models,
        warning,
    } = read(settings, arguments)?;
    let case = choice
        .case()
        .map_err(|error| vec![Diagnostic::new(error)])?;
    let one = One::new(case, &orders, &models, environment)?;
    check_asks(one.requests(), one.confirming(), models.max_asks)?;
    let gates = Gates::resolve(&no_fit(), true, &[], false);
    let ended = one.ask(&models, &gates, String::new(), signals).await;
    let ended = ended.map_err(|error| vec![error])?;
    if let Some(problem) = ended.problem {
        return Err(vec![problem]);
    }
    let ms = began.elapsed().as_secs_f64() * 1e3;
    let (structured, mut warnings) = told(&ended.summary, ms).map_err(|error| vec![error])?;
    warnings.extend(warning);
    let structured = with_warnings(structured, &warnings);
    let mut texts = vec![structured.to_text()];
    texts.extend(warnings.iter().map(|warning| format!("warning: {warning}")));
    Ok(Outcome {
        texts,
        structured: Some(structured),
        failed: false,
    })
}

/// Nothing says which answer is right.
fn no_fit() -> Vec<GateSpec> {
    GateSpec::parse_list("none:fit").expect("a gate that there is")
}

fn read(settings: &Mcp, arguments: &Object) -> Result<Call, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let known = ["state", "options", "rules", "model", "order"];
    let arguments = Arguments::new(arguments, "", &known, &mut errors);
    let state = arguments.state(&mut errors);
    let options = arguments.options(&mut errors);
    let rules = arguments.required_text("rules", &mut errors);
    let model = arguments.text("model", &mut errors);
    let order = arguments.text("order", &mut errors);
    let asked = settings.decide(model, order);
    let asked = asked.map_err(|found| errors.extend(found)).ok();
    match (state, options, rules, asked) {
        (Some(state), Some(options), Some(rules), Some((orders, models))) if errors.is_empty() => {
            Ok(Call {
                choice: Choice {
                    id: "decide".to_owned(),
                    named: true,
                    format: "decide",
                    file: "call",
                    line: 1,
                    state,
                    options: options.options,
                    rules: rules.to_owned(),
                    accept: Vec::new(),
                },
                orders,
                models,
                warning: options.warning,
            })
        }
        _ => Err(errors),
    }
}

/// The answer as the output schema has it, and what to know beside it.
fn told(summary: &Summary, ms: f64) -> Result<(Members, Vec<String>), Diagnostic> {
    let case = &summary.cases[0];
    let own = &case.asks[0];
    let key = |ask: &AskSummary| ask.choice.map(|id| case.keys[id.index()].to_string());
    let Some(choice) = key(own) else {
        return Err(unanswered(own));
    };
    let stable = match stable(summary) {
        Ok(word) => word,
        Err(reason) => return Err(open(case, &choice, &reason)),
    };
    let mut members = vec![("choice", text(choice)), ("stable", text(stable))];
    if let Some(values) = &own.probabilities {
        let pair = |(key, p): (&std::sync::Arc<str>, &f64)| {
            object(vec![("key", text(&**key)), ("p", number(*p))])
        };
        let pairs = case.keys.iter().zip(values).map(pair).collect();
        members.push(("probabilities", Json::Array(pairs)));
    }
    if let Some(margin) = own.confidence.and_then(|confidence| confidence.margin) {
        members.push(("margin", number(margin)));
    }
    members.push(("votes", votes(case)));
    members.push(("orders", orders::told(case)));
    let requests = summary.asking.map_or(0, |asking| asking.requests);
    let served = summary.model.served.first().unwrap_or(&summary.model.spec);
    members.push(("asks", count(requests)));
    members.push(("ms", number((ms * 1e3).round() / 1e3)));
    members.push(("model", text(served.as_str())));
    let warnings = warning::warnings(summary)
        .iter()
        .map(Warning::for_a_caller)
        .collect();
    Ok((members, warnings))
}

/// Whether the order decides this one question, in a word of the output schema.
///
/// One question is too little for the exact test behind a run's `order-sensitive`, so what is said is about this question alone:
/// its flip came again in both orders, or it did not. A model that answers the same request otherwise is noisy, whatever came of
/// its flips.
///
/// # Errors
/// Why it stays open.
fn stable(summary: &Summary) -> Result<&'static str, String> {
    let order = summary
        .gates
        .iter()
        .find(|gate| gate.subject == Axis::Order.name());
    let Some(order) = order else {
        return Err("no order was asked".to_owned());
    };
    let control = summary.control.as_ref();
    let restless =
        control.is_some_and(|control| control.figure.flips.is_some_and(|flips| flips > 0));
    match &order.verdict {
        Verdict::NotApplicable => Ok(Verdict::NotApplicable.text()),
        Verdict::Stable | Verdict::OrderSensitive | Verdict::CauseOpen if restless => {
            Ok(Verdict::Noisy.text())
        }
        Verdict::Stable | Verdict::OrderSensitive | Verdict::Noisy => Ok(order.verdict.text()),
        Verdict::CauseOpen => match summary.confirmed.get(Axis::Order.name()) {
            Some(found) if found.replicated > 0 => Ok(Verdict::OrderSensitive.text()),
            Some(found) if found.swapped + found.neither > 0 => Ok(Verdict::Noisy.text()),
            _ => Err("its flip could not be asked once more".to_owned()),
        },
        other => {
            let reason = order
                .reason
                .as_ref()
                .map_or_else(String::new, |reason| format!(": {reason}"));
            Err(format!("{}{reason}", other.text()))
        }
    }
}

/// How often each option was chosen, each order counted once; those that no order chose are left out.
fn votes(case: &CaseSummary) -> Json {
    let orders = (case.asks.iter())
        .filter(|ask| matches!(ask.axis, Axis::Baseline | Axis::Order))
        .filter_map(|ask| ask.choice);
    let mut votes = vec![0u64; case.keys.len()];
    orders.for_each(|id| votes[id.index()] += 1);
    let vote = |(key, n): (&std::sync::Arc<str>, u64)| {
        (n > 0).then(|| object(vec![("key", text(&**key)), ("n", count(n))]))
    };
    Json::Array(case.keys.iter().zip(votes).filter_map(vote).collect())
}

fn unanswered(own: &AskSummary) -> Diagnostic {
    match (&own.failure, own.declined) {
        (Some(failure), _) => {
            Diagnostic::new(format!("the model did not answer: {}", Foreign(failure)))
        }
        (None, Some(declined)) => Diagnostic::new(format!(
            "the model did not decide: {}",
            orders::declining(declined)
        )),
        (None, None) => Diagnostic::new("the model was not asked"),
    }
}

/// The model chose, and whether the order decides is not known.
fn open(case: &CaseSummary, choice: &str, reason: &str) -> Diagnostic {
    let mut found = vec![reason.to_owned()];
    found.extend(orders::undecided(case));
    let found = found.join("; ");
    Diagnostic::new(format!(
        "the model chose `{}` in the order given, and whether the order decides is open: {found}",
        Foreign(choice)
    ))
    .help("call again, or with another `order`")
}

/// Refuses a call that may need more requests than it may make, before any is made: a flip that cannot be asked once more is
/// paid for and says nothing.
fn check_asks(requests: u64, confirming: u64, most: Option<u64>) -> Result<(), Vec<Diagnostic>> {
    match most {
        Some(most) if requests <= most && requests + confirming > most => {
            let error = format!(
                "this needs {requests} asks, and {confirming} more to confirm a flip, and the call may make {most}"
            );
            let help = "ask fewer orders, or start the server with a larger `--max-asks`";
            Err(vec![Diagnostic::new(error).help(help)])
        }
        _ => super::probe::check_asks(requests, most),
    }
}

/// The object of `members`, with `warnings` where there are some.
pub(super) fn with_warnings(mut members: Members, warnings: &[String]) -> Json {
    if !warnings.is_empty() {
        let warnings = warnings.iter().map(|warning| text(warning.as_str()));
        members.push(("warnings", Json::Array(warnings.collect())));
    }
    object(members)
}
