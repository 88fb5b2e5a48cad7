//! Summaries of runs whose answers are made by hand.

use flipside_core::answer::Answer;
use flipside_core::case::{
    Case, CaseId, CaseOption, Key, KeyBinding, Question, QuestionKind, Source,
};
use flipside_core::gate::Gates;
use flipside_core::json::Json;
use flipside_core::measure::{About, summarise};
use flipside_core::model::{
    BoxFuture, Card, Failure, Model, Rejection, Reply, Sending, Unsupported,
};
use flipside_core::order::{OptionId, Order, Position};
use flipside_core::perturb::order::OrderSpec;
use flipside_core::plan::{Plan, PlanInput, distinct};
use flipside_core::present::Presentation;
use flipside_core::record::{Asked, Failed, FailedKind, Outcome};
use flipside_core::summary::{PositionPreference, Summary};

/// What one ask says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Say {
    /// The option shown in this position.
    At(usize),
    /// The option with this identity.
    Is(usize),
    Nothing,
    Fails,
}

/// A case: its options, its accepted identities, what the keys begin with.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) number: usize,
    pub(crate) options: usize,
    pub(crate) accept: Vec<usize>,
    pub(crate) prefix: &'static str,
}

/// `count` cases of `options` options without labels.
pub(crate) fn shapes(count: usize, options: usize) -> Vec<Shape> {
    let shape = |number| Shape {
        number,
        options,
        accept: Vec::new(),
        prefix: "k",
    };
    (0..count).map(shape).collect()
}

/// The same with the accepted identity of each.
pub(crate) fn labelled(options: usize, accept: &[usize]) -> Vec<Shape> {
    let mut all = shapes(accept.len(), options);
    for (shape, id) in all.iter_mut().zip(accept) {
        shape.accept = vec![*id];
    }
    all
}

fn case(shape: &Shape) -> Case {
    let option = |place: usize| CaseOption {
        key: Key(format!("{}{place}", shape.prefix)),
        text: None,
    };
    Case {
        id: CaseId(format!("c{}", shape.number)),
        source: Source {
            format: "test".to_owned(),
            file: "test".to_owned(),
            line: shape.number as u64 + 1,
        },
        state: Json::String(shape.number.to_string()),
        question: Question {
            kind: QuestionKind::Choice,
            name: "pick".to_owned(),
            instructions: None,
            before: Vec::new(),
            after: Vec::new(),
        },
        options: (0..shape.options).map(option).collect(),
        keys: KeyBinding::Option,
        accept: shape.accept.iter().map(|&id| self::id(id)).collect(),
        named: true,
        position_dependent: None,
        note: None,
        fields: Vec::new(),
        equal: Vec::new(),
    }
    .checked()
    .unwrap()
}

fn id(place: usize) -> OptionId {
    OptionId(u16::try_from(place).unwrap())
}

/// A model that is never asked.
struct Bytes(Card);

impl Model for Bytes {
    fn card(&self) -> &Card {
        &self.0
    }

    fn request(&self, shown: &Presentation<'_>) -> Result<Vec<u8>, Unsupported> {
        let mut bytes = shown.state().to_text().into_bytes();
        for option in shown.options() {
            bytes.extend_from_slice(option.key.0.as_bytes());
        }
        Ok(bytes)
    }

    fn send<'a>(&'a self, _: Sending<'a>) -> BoxFuture<'a, Result<Reply, Failure>> {
        unreachable!("nothing is asked here")
    }

    fn read(&self, _: &Presentation<'_>, _: &Reply) -> Result<Answer, Rejection> {
        unreachable!("nothing is asked here")
    }
}

/// The summary of `shapes` asked in `orders`, each ask saying what `says` makes of the case, the variant and the order.
pub(crate) fn summary(
    shapes: &[Shape],
    orders: &str,
    says: impl Fn(usize, &str, &Order) -> Say,
) -> Summary {
    let card = Card {
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
    };
    let model = Bytes(card);
    let orders = OrderSpec::parse_list(orders).unwrap();
    let input = PlanInput {
        orders: &orders,
        seed: 5,
        max_orders: 120,
        lists: &[],
    };
    let cases = shapes.iter().map(case).collect();
    let plan = Plan::build(&distinct(cases).unwrap(), &input, &model).unwrap();
    let ask = |ask: &flipside_core::plan::Planned| {
        let number = plan.case_of(ask).id.0[1..].parse().unwrap();
        let choice = match says(number, &plan.variant_of(ask).name, &ask.order) {
            Say::At(place) => ask.order.at(Position(u16::try_from(place).unwrap())),
            Say::Is(identity) => Some(id(identity)),
            Say::Nothing => None,
            Say::Fails => {
                return Outcome::Failed(Failed {
                    kind: FailedKind::Timeout,
                    message: String::new(),
                    unanswered: false,
                });
            }
        };
        Outcome::Answered(Answer {
            choice,
            ..Answer::default()
        })
    };
    let asked = |outcome| {
        Some(Asked {
            outcome,
            ms: 1.0,
            attempts: 1,
        })
    };
    let answers = plan.asks.iter().map(|each| asked(ask(each))).collect();
    let about = About {
        version: "test",
        card: model.card(),
        stopped: None,
        asking: None,
        threshold: None,
    };
    summarise(&plan, answers, &Gates::resolve(&[], true, false), about)
}

/// The position preference of a run whose cases all have one number of options.
pub(crate) fn one(summary: Summary) -> PositionPreference {
    let mut all = summary.position.unwrap().by_options;
    assert_eq!(all.len(), 1);
    all.remove(0)
}
