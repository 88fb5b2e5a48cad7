//! The dispatcher: what is in flight, what is journaled when, what is asked again.

#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps nothing")]

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Duration;

use camino::Utf8Path;
use flipside_core::answer::Answer;
use flipside_core::case::{
    Case, CaseId, CaseOption, Key, KeyBinding, Question, QuestionKind, Source,
};
use flipside_core::course::{Confirm, Course};
use flipside_core::gate::Gates;
use flipside_core::json::Json;
use flipside_core::model::{
    BoxFuture, Card, Failure, Model, Rejection, Reply, Sending, Unsupported,
};
use flipside_core::order::OptionId;
use flipside_core::perturb::order::OrderSpec;
use flipside_core::plan::{Plan, PlanInput, distinct};
use flipside_core::present::Presentation;
use flipside_core::record::{Asked, FailedKind, Outcome};
use flipside_core::shared::List;
use flipside_engine::{
    Append, Before, Ended, Event, Limits, Policy, Run, Signals, Stopped, resume,
};
use flipside_formats::journal;

type Script = dyn Fn(&str, u32) -> Result<String, Failure> + Send + Sync;

/// A backend that does what a test says, by request and attempt, after 10 ms.
struct Backend {
    card: Card,
    script: Box<Script>,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    sent: Vec<String>,
    in_flight: usize,
    most_in_flight: usize,
}

impl Backend {
    fn new(script: impl Fn(&str, u32) -> Result<String, Failure> + Send + Sync + 'static) -> Self {
        Self {
            card: Card {
                spec: "backend".to_owned(),
                requested: None,
                endpoint: None,
                key_variable: None,
                remote: true,
                concurrency: 4,
                price: None,
                confidence: None,
                whole_replies: false,
                object_order: false,
                protocol: None,
            },
            script: Box::new(script),
            seen: Mutex::default(),
        }
    }

    fn sent(&self) -> Vec<String> {
        self.seen.lock().unwrap().sent.clone()
    }
}

impl Model for Backend {
    fn card(&self) -> &Card {
        &self.card
    }

    /// `STATE:KEYS`, so that a test can read what was asked.
    fn request(&self, shown: &Presentation<'_>) -> Result<Vec<u8>, Unsupported> {
        let keys: Vec<&str> = shown
            .options()
            .map(|option| option.key.0.as_str())
            .collect();
        Ok(format!("{}:{}", shown.state(), keys.join("")).into_bytes())
    }

    fn send<'a>(&'a self, sending: Sending<'a>) -> BoxFuture<'a, Result<Reply, Failure>> {
        Box::pin(async move {
            let text = String::from_utf8(sending.bytes.to_vec()).unwrap();
            {
                let mut seen = self.seen.lock().unwrap();
                seen.sent.push(text.clone());
                seen.in_flight += 1;
                seen.most_in_flight = seen.most_in_flight.max(seen.in_flight);
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
            self.seen.lock().unwrap().in_flight -= 1;
            (self.script)(&text, sending.attempt).map(|body| Reply {
                body,
                ..Reply::default()
            })
        })
    }

    /// The body is the chosen key.
    fn read(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection> {
        match shown.at_key(&reply.body) {
            Some(option) => Ok(Answer {
                choice: Some(option.id),
                ..Answer::default()
            }),
            None => Err(Rejection::Malformed {
                rule: "choice-offered",
                message: reply.body.clone(),
            }),
        }
    }
}

fn case(number: usize) -> Case {
    Case {
        id: CaseId(format!("c{number}")),
        source: Source {
            format: "test".into(),
            file: "test".into(),
            line: 1,
        },
        state: Json::String(number.to_string()),
        question: Question {
            kind: QuestionKind::Choice,
            name: "pick".to_owned(),
            instructions: None,
            before: Vec::new(),
            after: Vec::new(),
        }
        .into(),
        options: ["a", "b"]
            .map(|key| CaseOption {
                key: Key(key.to_owned()),
                text: None,
            })
            .to_vec()
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
    .checked()
    .unwrap()
}

fn plan(cases: usize, orders: &str, model: &Backend) -> Plan {
    let orders = OrderSpec::parse_list(orders).unwrap();
    let input = PlanInput {
        orders: &orders,
        seed: 3,
        ..PlanInput::orders(&orders, 0)
    };
    Plan::build(
        &distinct((0..cases).map(case).collect()).unwrap(),
        &input,
        model,
    )
    .unwrap()
}

/// Gates under which no flip is confirmed.
fn gates() -> Gates {
    Gates {
        confirm: Confirm::Never,
        ..Gates::resolve(&[], true, &[], false)
    }
}

fn limits() -> Limits {
    Limits {
        concurrency: 4,
        timeout: Duration::from_secs(10),
        policy: Policy {
            attempts: 3,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(5),
            budget: Duration::from_secs(30),
        },
        rate: None,
        max_asks: None,
        max_cost_usd_micros: None,
        price: None,
    }
}

async fn run(
    plan: &Plan,
    limits: &Limits,
    model: &Backend,
    journal: Option<Append>,
    asked: Vec<Option<Asked>>,
) -> Ended {
    let gates = gates();
    let run = Run {
        plan,
        limits,
        journal,
        course: Course::new(plan, &gates).unwrap(),
        asked,
        before: Before::default(),
    };
    run.execute(model, &Signals::default(), &mut |_| {}).await
}

fn fresh(plan: &Plan) -> Vec<Option<Asked>> {
    vec![None; plan.slots()]
}

/// The key that stands first in a request.
fn first_key(request: &str) -> String {
    let (_, keys) = request.split_once(':').unwrap();
    keys[..1].to_owned()
}

#[tokio::test(start_paused = true)]
async fn concurrency_is_never_exceeded_and_is_reached() {
    let model = Backend::new(|request, _| Ok(first_key(request)));
    let plan = plan(20, "reverse", &model);
    let ended = run(&plan, &limits(), &model, None, fresh(&plan)).await;
    assert_eq!(ended.stopped, None);
    assert_eq!(ended.requests, 40);
    assert_eq!(model.seen.lock().unwrap().most_in_flight, 4);
}

#[tokio::test(start_paused = true)]
async fn a_line_is_in_the_journal_before_the_observer_hears_of_its_ask() {
    let folder = tempfile::tempdir().unwrap();
    let path = Utf8Path::from_path(folder.path())
        .unwrap()
        .join("asks.jsonl");
    let model = Backend::new(|request, _| Ok(first_key(request)));
    let plan = plan(5, "reverse,rotate:1,same:1", &model);
    let journal = Append::open(&path, 0, BTreeSet::new()).unwrap();
    let mut heard = 0;
    let mut observer = |event: &Event<'_>| {
        if let Event::Asked { ask, .. } = event {
            let lines = journal::read(&path).unwrap().lines;
            assert!(lines.iter().any(|line| line.ask as usize == *ask));
            heard += 1;
        }
    };
    let (limits, gates) = (limits(), gates());
    let run = Run {
        plan: &plan,
        limits: &limits,
        journal: Some(journal),
        course: Course::new(&plan, &gates).unwrap(),
        asked: fresh(&plan),
        before: Before::default(),
    };
    run.execute(&model, &Signals::default(), &mut observer)
        .await;
    assert_eq!(heard, plan.asks.len());
    assert_eq!(
        model.sent().len(),
        15,
        "reverse and rotate:1 of two options are one request"
    );
    let lines = journal::read(&path).unwrap().lines;
    let with_request = lines.iter().filter(|line| line.request.is_some()).count();
    assert_eq!(with_request, 10, "each exact request is kept once");
}

#[tokio::test(start_paused = true)]
async fn what_the_journal_has_is_not_asked_again_and_a_shared_reply_is_read_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = Utf8Path::from_path(folder.path())
        .unwrap()
        .join("asks.jsonl");
    let model = Backend::new(|request, _| Ok(first_key(request)));
    let plan = plan(4, "reverse,rotate:1", &model);
    let journal = Append::open(&path, 0, BTreeSet::new()).unwrap();
    run(&plan, &limits(), &model, Some(journal), fresh(&plan)).await;
    // A process that was killed between an answer and the asks that share it.
    let text = std::fs::read_to_string(&path).unwrap();
    let leaders: Vec<&str> = text
        .lines()
        .filter(|line| !line.contains("\"shares\""))
        .collect();
    assert_eq!(leaders.len(), 8);
    std::fs::write(&path, leaders.join("\n") + "\n").unwrap();
    let sent = model.sent().len();
    let resumed = resume(&path, &plan, &model).unwrap();
    assert!(resumed.asked[..plan.asks.len()].iter().all(Option::is_some));
    let ended = run(
        &plan,
        &limits(),
        &model,
        Some(resumed.journal),
        resumed.asked,
    )
    .await;
    assert_eq!(ended.requests, 0);
    assert_eq!(model.sent().len(), sent);
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 12);
}

#[tokio::test(start_paused = true)]
async fn a_journal_of_other_asks_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = Utf8Path::from_path(folder.path())
        .unwrap()
        .join("asks.jsonl");
    let model = Backend::new(|request, _| Ok(first_key(request)));
    let one = plan(3, "reverse", &model);
    let journal = Append::open(&path, 0, BTreeSet::new()).unwrap();
    run(&one, &limits(), &model, Some(journal), fresh(&one)).await;
    let before = std::fs::read(&path).unwrap();
    let smaller = plan(1, "reverse", &model);
    let error = resume(&path, &smaller, &model).unwrap_err().to_string();
    assert!(error.contains("is not in the plan, which has 2"), "{error}");
    let other = plan(3, "same:1", &model);
    let error = resume(&path, &other, &model).unwrap_err().to_string();
    assert!(
        error.contains("is not the one that the plan has in this place"),
        "{error}"
    );
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let doubled = String::from_utf8(before).unwrap().repeat(2);
    std::fs::write(&path, doubled).unwrap();
    let error = resume(&path, &one, &model).unwrap_err().to_string();
    assert!(error.contains("stands in the journal twice"), "{error}");
    std::fs::write(&path, "{}\n").unwrap();
    let error = resume(&path, &one, &model).unwrap_err().to_string();
    assert!(error.ends_with("asks.jsonl:1: no journal line"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_busy_backend_is_asked_again_with_the_same_bytes_after_the_wait_that_it_names() {
    let model = Backend::new(|request, attempt| {
        if attempt == 1 {
            return Err(Failure::Status {
                status: 429,
                message: "busy".to_owned(),
                retry_after: Some(Duration::from_secs(7)),
                should_retry: None,
            });
        }
        Ok(first_key(request))
    });
    let plan = plan(1, "reverse", &model);
    let start = tokio::time::Instant::now();
    let ended = run(&plan, &limits(), &model, None, fresh(&plan)).await;
    assert_eq!(start.elapsed(), Duration::from_millis(7_020));
    assert!(
        ended
            .asked
            .iter()
            .flatten()
            .all(|asked| asked.attempts == 2)
    );
    let mut sent = model.sent();
    sent.sort();
    assert_eq!(sent, ["\"0\":ab", "\"0\":ab", "\"0\":ba", "\"0\":ba"]);
}

#[tokio::test(start_paused = true)]
async fn broken_asks_count_as_missing_once_the_backend_answers_others() {
    let model = Backend::new(|request, _| {
        if request.starts_with("\"0\"") {
            return Err(Failure::Broken {
                message: "the connection broke".to_owned(),
            });
        }
        Ok(first_key(request))
    });
    let plan = plan(6, "reverse", &model);
    let ended = run(&plan, &limits(), &model, None, fresh(&plan)).await;
    assert_eq!(ended.stopped, None);
    let connection = |asked: &&Asked| matches!(&asked.outcome, Outcome::Failed(failed) if failed.kind == FailedKind::Connection);
    assert_eq!(ended.asked.iter().flatten().filter(connection).count(), 2);
}

#[tokio::test(start_paused = true)]
async fn twenty_failures_in_a_row_stop_the_run_and_become_no_answer() {
    let model = Backend::new(|_, _| {
        Err(Failure::Status {
            status: 503,
            message: "down".to_owned(),
            retry_after: None,
            should_retry: Some(false),
        })
    });
    let plan = plan(30, "reverse", &model);
    let ended = run(&plan, &limits(), &model, None, fresh(&plan)).await;
    assert!(
        matches!(ended.stopped, Some(Stopped::Backend { .. })),
        "{:?}",
        ended.stopped
    );
    assert!(ended.asked.iter().all(Option::is_none));
    assert!(model.sent().len() < 30, "{}", model.sent().len());
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_chose_what_was_not_offered_is_not_tried_again() {
    let model = Backend::new(|request, _| {
        Ok(if request.ends_with("ba") {
            "z".to_owned()
        } else {
            first_key(request)
        })
    });
    let plan = plan(2, "reverse", &model);
    let ended = run(&plan, &limits(), &model, None, fresh(&plan)).await;
    let failed = |asked: &Asked| matches!(asked.outcome, Outcome::Failed(_));
    let kinds: Vec<bool> = ended.asked.iter().flatten().map(failed).collect();
    assert_eq!(kinds, [false, true, false, true]);
    assert_eq!(model.sent().len(), 4);
}

#[tokio::test(start_paused = true)]
async fn the_order_in_which_asks_end_shows_nowhere() {
    let model = Backend::new(|request, _| Ok(first_key(request)));
    let plan = plan(7, "reverse,same:1", &model);
    let mut one = limits();
    one.concurrency = 1;
    let alone = run(&plan, &one, &model, None, fresh(&plan)).await;
    let together = run(&plan, &limits(), &model, None, fresh(&plan)).await;
    let choice = |asked: &Asked| match &asked.outcome {
        Outcome::Answered(answer) => answer.choice,
        Outcome::Failed(_) => None,
    };
    let choices = |ended: &Ended| -> Vec<Option<OptionId>> {
        ended.asked.iter().flatten().map(choice).collect()
    };
    assert_eq!(choices(&alone), choices(&together));
}
