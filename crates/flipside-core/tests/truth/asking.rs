//! Simulated models asked by the program: planned, asked in the course that it takes, confirmed and summarised.

use flipside_core::answer::Answer;
use flipside_core::case::{
    Case, CaseId, CaseOption, Key, KeyBinding, Question, QuestionKind, Source,
};
use flipside_core::course::Course;
use flipside_core::gate::Gates;
use flipside_core::json::Json;
use flipside_core::measure::{About, summarise};
use flipside_core::model::{
    BoxFuture, Card, Failure, Model, Rejection, Reply, Sending, Unsupported,
};
use flipside_core::order::OptionId;
use flipside_core::perturb::order::{DrawName, OrderSpec};
use flipside_core::plan::{Plan, PlanInput, distinct};
use flipside_core::present::Presentation;
use flipside_core::record::{Asked, Outcome};
use flipside_core::summary::Summary;

/// One ask of a simulated model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask {
    /// The case, from 0.
    pub(crate) case: usize,
    /// Whether it is asked in the other order.
    pub(crate) changed: bool,
    /// Whether it confirms a flip.
    pub(crate) again: bool,
}

/// Asks `plan` until nothing more is needed; the summary, and how many asks it took.
pub(crate) fn measured(plan: &Plan, gates: &Gates, says: impl Fn(Ask) -> u16) -> (Summary, u64) {
    let mut asked = vec![None; plan.slots()];
    let mut asks = 0;
    let mut course = Course::new(plan, gates).expect("a plan of one order");
    loop {
        let ready = course.ready(&asked);
        if ready.is_empty() {
            break;
        }
        for slot in ready {
            let slot = slot as usize;
            let (planned, again) = plan.slot(slot);
            let choice = says(Ask {
                case: planned.case as usize,
                changed: planned.variant > 0,
                again,
            });
            asks += 1;
            asked[slot] = Some(Asked {
                outcome: Outcome::Answered(Answer {
                    choice: Some(OptionId(choice)),
                    ..Answer::default()
                }),
                ms: 1.0,
                attempts: 1,
            });
        }
    }
    assert!(course.is_done(), "the course ends");
    let model = Simulated::new();
    let about = About {
        version: "truth",
        card: model.card(),
        stopped: None,
        threshold: None,
        asking: None,
    };
    (summarise(plan, asked, gates, about), asks)
}

/// `cases` cases of some options, each to be asked in one random other order; in labelled ones the first option is accepted.
pub(crate) fn plan(cases: u64, options: &[&str], labelled: bool, seed: u64) -> Plan {
    let cases = (0..cases).map(|number| case(number, options, labelled));
    let input = PlanInput {
        orders: &[OrderSpec::Random {
            draws: 1,
            name: DrawName::Random,
        }],
        seed,
        max_orders: 120,
        lists: &[],
    };
    let distinct = distinct(cases.collect()).expect("the cases differ");
    Plan::build(&distinct, &input, &Simulated::new()).expect("every case can be asked")
}

fn case(number: u64, options: &[&str], labelled: bool) -> Case {
    let option = |key: &&str| CaseOption {
        key: Key((*key).to_owned()),
        text: None,
    };
    Case {
        id: CaseId(format!("c{number}")),
        named: true,
        source: Source {
            format: "truth".to_owned(),
            file: "truth".to_owned(),
            line: number + 1,
        },
        state: Json::String(number.to_string()),
        question: Question {
            kind: QuestionKind::Choice,
            name: "pick".to_owned(),
            instructions: None,
            before: Vec::new(),
            after: Vec::new(),
        },
        options: options.iter().map(option).collect(),
        keys: KeyBinding::Option,
        accept: labelled.then_some(OptionId(0)).into_iter().collect(),
        position_dependent: None,
        note: None,
        fields: Vec::new(),
        equal: Vec::new(),
    }
    .checked()
    .expect("a case with options")
}

/// A model that is planned for and never asked.
struct Simulated(Card);

impl Simulated {
    fn new() -> Self {
        Self(Card {
            spec: "simulated".to_owned(),
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

impl Model for Simulated {
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
        unreachable!("the answers are drawn")
    }

    fn read(&self, _: &Presentation<'_>, _: &Reply) -> Result<Answer, Rejection> {
        unreachable!("the answers are drawn")
    }
}
