//! What plans of made-up cases need, and what their asks may say: the answers come from the test.

use flipside_core::answer::Answer;
use flipside_core::case::{
    Case, CaseId, CaseOption, Key, KeyBinding, Question, QuestionKind, Source,
};
use flipside_core::json::Json;
use flipside_core::measure::About;
use flipside_core::model::{
    BoxFuture, Card, Failure, Model, Rejection, Reply, Sending, Unsupported,
};
use flipside_core::order::OptionId;
use flipside_core::perturb::order::OrderSpec;
use flipside_core::plan::{Plan, PlanInput, distinct};
use flipside_core::present::Presentation;
use flipside_core::record::{Asked, Outcome};
use flipside_core::shared::List;

/// The card of [`Bytes`].
pub(crate) fn card() -> Card {
    Card {
        spec: "bytes".to_owned(),
        requested: None,
        endpoint: None,
        key_variable: None,
        remote: false,
        concurrency: 1,
        price: None,
        confidence: None,
        whole_replies: false,
        object_order: false,
        protocol: None,
    }
}

/// A model that is planned for and never asked.
pub(crate) struct Bytes(Card);

impl Bytes {
    pub(crate) fn new() -> Self {
        Self(card())
    }
}

impl Model for Bytes {
    fn card(&self) -> &Card {
        &self.0
    }

    fn request(&self, shown: &Presentation<'_>) -> Result<Vec<u8>, Unsupported> {
        let mut text = shown.state().to_text();
        for option in shown.options() {
            text.push_str(&option.key.0);
            text.extend(option.text.map(Json::to_text));
        }
        Ok(text.into_bytes())
    }

    fn send<'a>(&'a self, _: Sending<'a>) -> BoxFuture<'a, Result<Reply, Failure>> {
        unreachable!("nothing is asked here")
    }

    fn read(&self, _: &Presentation<'_>, _: &Reply) -> Result<Answer, Rejection> {
        unreachable!("nothing is asked here")
    }
}

/// An unlabelled choice between options that are keys alone. Nothing is checked: a test changes what it is about first.
pub(crate) fn case(number: usize, keys: impl IntoIterator<Item = impl Into<String>>) -> Case {
    let option = |key: String| CaseOption {
        key: Key(key),
        text: None,
    };
    Case {
        id: CaseId(format!("c{number}")),
        named: true,
        source: Source {
            format: "test".into(),
            file: "test".into(),
            line: number as u64 + 1,
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
        options: keys.into_iter().map(|key| option(key.into())).collect(),
        keys: KeyBinding::Option,
        accept: List::new(),
        position_dependent: None,
        note: None,
        fields: List::new(),
        equal: List::new(),
        brought: flipside_core::case::Brought::default(),
    }
}

/// The plan of `cases` in `orders`.
pub(crate) fn plan(cases: Vec<Case>, orders: &[OrderSpec], seed: u64) -> Plan {
    let input = PlanInput {
        orders,
        seed,
        ..PlanInput::orders(orders, 0)
    };
    let distinct = distinct(cases).expect("the cases differ");
    Plan::build(&distinct, &input, &Bytes::new()).expect("every case can be asked")
}

/// What a summary is told about a finished run.
pub(crate) fn about(card: &Card) -> About<'_> {
    About {
        version: "test",
        card,
        stopped: None,
        threshold: None,
        recordings: Vec::new(),
        asking: None,
        canary: None,
        paying: None,
    }
}

/// An ask that ended so.
pub(crate) fn asked(outcome: Outcome) -> Asked {
    Asked {
        outcome,
        ms: 1.0,
        attempts: 1,
    }
}

/// A pick by identity, without probabilities.
pub(crate) fn chose(option: u16) -> Outcome {
    Outcome::Answered(Answer {
        choice: Some(OptionId(option)),
        ..Answer::default()
    })
}
