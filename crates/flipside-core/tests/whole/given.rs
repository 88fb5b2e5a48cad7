//! Cases and answers as tests state them, planned and summarised by the program.

use flipside_core::answer::{self, Answer, Declined, Reported};
use flipside_core::case::{
    Case, CaseError, CaseId, CaseOption, Key, KeyBinding, Question, QuestionKind, Source,
};
use flipside_core::course::Course;
use flipside_core::gate::Gates;
use flipside_core::json::Json;
use flipside_core::measure::{About, summarise};
use flipside_core::model::{
    BoxFuture, Card, Failure, Model, Rejection, Reply, Sending, Unsupported,
};
use flipside_core::order::OptionId;
use flipside_core::perturb::order::OrderSpec;
use flipside_core::plan::{Plan, PlanInput, distinct};
use flipside_core::present::Presentation;
use flipside_core::record::{Asked, Failed, FailedKind, Outcome};
use flipside_core::summary::{Line, Summary};

/// What a simulated model says to one presentation of the variant called so.
pub(crate) type Says<'a> = dyn Fn(&Presentation<'_>, &str) -> Outcome + 'a;

/// The summary of `cases` asked in `orders`.
pub(crate) fn summary(cases: Vec<Case>, orders: &str, strict: bool, says: &Says<'_>) -> Summary {
    let gates = Gates::resolve(&[], true, strict);
    gated(cases, orders, &gates, says)
}

/// The same under other gates than the usual ones.
pub(crate) fn gated(cases: Vec<Case>, orders: &str, gates: &Gates, says: &Says<'_>) -> Summary {
    interrupted(cases, orders, gates, &|shown, variant| {
        Some(says(shown, variant))
    })
}

/// The same where some asks, those without an outcome, were not made.
pub(crate) fn interrupted(
    cases: Vec<Case>,
    orders: &str,
    gates: &Gates,
    says: &dyn Fn(&Presentation<'_>, &str) -> Option<Outcome>,
) -> Summary {
    let plan = plan(cases, orders);
    let answer = |slot: usize| {
        let (ask, _) = plan.slot(slot);
        let shown = Presentation::new(plan.case_of(ask), &ask.order);
        let outcome = says(&shown, &plan.variant_of(ask).name)?;
        Some(Asked {
            outcome,
            ms: 1.0,
            attempts: 1,
        })
    };
    let mut asked = vec![None; plan.slots()];
    for (slot, asked) in asked.iter_mut().enumerate().take(plan.asks.len()) {
        *asked = answer(slot);
    }
    // Flips that are to be confirmed are asked once more, and answered alike.
    let mut course = Course::new(&plan, gates).unwrap();
    for slot in course.ready(&asked) {
        asked[slot as usize] = answer(slot as usize);
    }
    let model = Unasked::new();
    let about = About {
        version: "test",
        card: model.card(),
        stopped: None,
        threshold: None,
        asking: None,
    };
    summarise(&plan, asked, gates, about)
}

/// The plan of `cases` in `orders`.
pub(crate) fn plan(cases: Vec<Case>, orders: &str) -> Plan {
    let input = PlanInput {
        orders: &OrderSpec::parse_list(orders).unwrap(),
        seed: 5,
        max_orders: 120,
        lists: &[],
    };
    Plan::build(&distinct(cases).unwrap(), &input, &Unasked::new()).unwrap()
}

/// The line of one order.
pub(crate) fn line<'a>(summary: &'a Summary, variant: &str) -> &'a Line {
    &summary.axes["order"][variant]
}

/// An unlabelled choice between `keys`.
pub(crate) fn case(number: usize, keys: &[&str]) -> Case {
    unchecked(number, keys).checked().unwrap()
}

/// The same with accepted options.
pub(crate) fn labelled(number: usize, keys: &[&str], accept: &[u16]) -> Case {
    let accept = accept.iter().map(|&id| OptionId(id)).collect();
    Case {
        accept,
        ..case(number, keys)
    }
}

/// What is wrong with a choice between `keys`.
pub(crate) fn refused(keys: &[&str]) -> CaseError {
    unchecked(0, keys).checked().unwrap_err()
}

fn unchecked(number: usize, keys: &[&str]) -> Case {
    let option = |key: &&str| CaseOption {
        key: Key((*key).to_owned()),
        text: None,
    };
    Case {
        id: CaseId(format!("c{number}")),
        named: true,
        source: Source {
            format: "test".to_owned(),
            file: "test".to_owned(),
            line: number as u64 + 1,
        },
        state: Json::String(number.to_string()),
        question: Question {
            kind: QuestionKind::Choice,
            name: "pick".to_owned(),
            instructions: None,
            before: Vec::new(),
            after: Vec::new(),
        },
        options: keys.iter().map(option).collect(),
        keys: KeyBinding::Option,
        accept: Vec::new(),
        position_dependent: None,
        note: None,
        fields: Vec::new(),
        equal: Vec::new(),
    }
}

/// `number` cases of the same keys.
pub(crate) fn cases(number: usize, keys: &[&str]) -> Vec<Case> {
    (0..number).map(|place| case(place, keys)).collect()
}

/// The number that `case` gave the case.
pub(crate) fn number(shown: &Presentation<'_>) -> usize {
    shown.case().id.0[1..].parse().unwrap()
}

/// A pick by identity, without probabilities.
pub(crate) fn chose(id: u16) -> Outcome {
    served(id, None)
}

/// A pick by identity, answered by the model called so.
pub(crate) fn served(id: u16, model: Option<&str>) -> Outcome {
    Outcome::Answered(Answer {
        choice: Some(OptionId(id)),
        served_model: model.map(str::to_owned),
        ..Answer::default()
    })
}

/// The pick of what stands first.
pub(crate) fn first(shown: &Presentation<'_>) -> Outcome {
    chose(shown.options().next().unwrap().id.0)
}

/// A reply that states `key` and gives probabilities by key; without a stated key the choice is derived.
pub(crate) fn replied(
    shown: &Presentation<'_>,
    key: Option<&str>,
    probabilities: &[(&str, f64)],
) -> Outcome {
    let reported = Reported {
        choice: key,
        probabilities: Some(probabilities.to_vec()),
        confidence: None,
    };
    Outcome::Answered(answer::choice(shown, &reported).unwrap())
}

/// A refusal.
pub(crate) fn declined() -> Outcome {
    Outcome::Answered(Answer {
        declined: Some(Declined::Refusal),
        ..Answer::default()
    })
}

/// No answer in time.
pub(crate) fn failed() -> Outcome {
    Outcome::Failed(Failed {
        kind: FailedKind::Timeout,
        message: String::new(),
        unanswered: false,
    })
}

/// A model that is planned for and never asked.
pub(crate) struct Unasked(Card);

impl Unasked {
    fn new() -> Self {
        Self(Card {
            spec: "unasked".to_owned(),
            requested: None,
            endpoint: None,
            key_variable: None,
            remote: false,
            concurrency: 1,
            price: None,
            confidence: None,
            whole_replies: false,
            object_order: false,
        })
    }
}

impl Model for Unasked {
    fn card(&self) -> &Card {
        &self.0
    }

    fn request(&self, shown: &Presentation<'_>) -> Result<Vec<u8>, Unsupported> {
        let mut bytes = shown.state().to_text().into_bytes();
        let keys = shown.options().map(|option| option.key.0.as_bytes());
        keys.for_each(|key| bytes.extend_from_slice(key));
        Ok(bytes)
    }

    fn send<'a>(&'a self, _: Sending<'a>) -> BoxFuture<'a, Result<Reply, Failure>> {
        unreachable!("the answers come from the test")
    }

    fn read(&self, _: &Presentation<'_>, _: &Reply) -> Result<Answer, Rejection> {
        unreachable!("the answers come from the test")
    }
}
