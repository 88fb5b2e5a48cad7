//! A run made of a table: cases, and what each order's ask says.

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
use flipside_core::order::OptionId;
use flipside_core::perturb::order::OrderSpec;
use flipside_core::plan::{Plan, PlanInput, distinct};
use flipside_core::present::Presentation;
use flipside_core::record::{Asked, Failed, FailedKind, Outcome};
use flipside_core::summary::{Orders, Summary};

/// A model that is never asked: plans need its bytes, and the answers come from the test.
struct Bytes(Card);

impl Model for Bytes {
    fn card(&self) -> &Card {
        &self.0
    }

    fn request(&self, shown: &Presentation<'_>) -> Result<Vec<u8>, Unsupported> {
        let mut bytes = shown.state().to_text().into_bytes();
        shown
            .options()
            .for_each(|option| bytes.extend_from_slice(option.key.0.as_bytes()));
        Ok(bytes)
    }

    fn send<'a>(&'a self, _: Sending<'a>) -> BoxFuture<'a, Result<Reply, Failure>> {
        unreachable!("nothing is asked here")
    }

    fn read(&self, _: &Presentation<'_>, _: &Reply) -> Result<Answer, Rejection> {
        unreachable!("nothing is asked here")
    }
}

/// What one ask says.
#[derive(Clone, Debug)]
pub(crate) enum Said {
    Chose(usize),
    /// A choice with its probabilities.
    With(usize, Vec<f64>),
    Nothing,
    Failed,
    Unasked,
}

/// One case: its options, the accepted ones, and what its asks say by variant, the own order first.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) name: usize,
    pub(crate) options: usize,
    pub(crate) accept: Vec<usize>,
    pub(crate) said: Vec<Said>,
}

/// Cases of `options` options without labels, one text per case: a letter per order, `-` for no decision, `!` for a
/// failed ask, `?` for one that was not made.
pub(crate) fn rows(options: usize, texts: &[&str]) -> Vec<Row> {
    let said = |letter: char| match letter {
        '-' => Said::Nothing,
        '!' => Said::Failed,
        '?' => Said::Unasked,
        letter => Said::Chose(letter as usize - 'a' as usize),
    };
    let row = |(name, text): (usize, &&str)| Row {
        name,
        options,
        accept: Vec::new(),
        said: text.chars().map(said).collect(),
    };
    texts.iter().enumerate().map(row).collect()
}

/// The same, where option `a` is right.
pub(crate) fn labelled(options: usize, texts: &[&str]) -> Vec<Row> {
    let mut rows = rows(options, texts);
    for row in &mut rows {
        row.accept = vec![0];
    }
    rows
}

fn id(option: usize) -> OptionId {
    OptionId(u16::try_from(option).unwrap())
}

fn case(row: &Row, prefix: &str) -> Case {
    let option = |place: usize| CaseOption {
        key: Key(format!("{prefix}{place}")),
        text: None,
    };
    Case {
        id: CaseId(format!("c{}", row.name)),
        source: Source {
            format: "test".to_owned(),
            file: "test".to_owned(),
            line: row.name as u64 + 1,
        },
        state: Json::String(row.name.to_string()),
        question: Question {
            kind: QuestionKind::Choice,
            name: "pick".to_owned(),
            instructions: None,
            before: Vec::new(),
            after: Vec::new(),
        },
        options: (0..row.options).map(option).collect(),
        keys: KeyBinding::Option,
        accept: row.accept.iter().map(|&option| id(option)).collect(),
        named: true,
        position_dependent: None,
        note: None,
        fields: Vec::new(),
        equal: Vec::new(),
    }
    .checked()
    .unwrap()
}

fn asked(said: &Said) -> Option<Asked> {
    let answered = |choice, probabilities| {
        Outcome::Answered(Answer {
            choice,
            probabilities,
            ..Answer::default()
        })
    };
    let outcome = match said {
        Said::Unasked => return None,
        Said::Chose(option) => answered(Some(id(*option)), None),
        Said::With(option, probabilities) => {
            answered(Some(id(*option)), Some(probabilities.clone()))
        }
        Said::Nothing => answered(None, None),
        Said::Failed => Outcome::Failed(Failed {
            kind: FailedKind::Timeout,
            message: String::new(),
            unanswered: false,
        }),
    };
    Some(Asked {
        outcome,
        ms: 1.0,
        attempts: 1,
    })
}

/// The summary of a run of `rows` under `orders`; a row's answers go to its asks in plan order.
pub(crate) fn summary(rows: &[Row], orders: &str, prefix: &str) -> Summary {
    let specs = if orders.is_empty() {
        Vec::new()
    } else {
        OrderSpec::parse_list(orders).unwrap()
    };
    let input = PlanInput {
        orders: &specs,
        seed: 5,
        max_orders: 120,
        lists: &[],
    };
    let model = Bytes(Card {
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
    });
    let cases = rows.iter().map(|row| case(row, prefix)).collect();
    let plan = Plan::build(&distinct(cases).unwrap(), &input, &model).unwrap();
    let mut next = vec![0; rows.len()];
    let answers = plan
        .asks
        .iter()
        .map(|ask| {
            let row = &rows[ask.case as usize];
            let place = &mut next[ask.case as usize];
            *place += 1;
            asked(&row.said[*place - 1])
        })
        .collect();
    let about = About {
        version: "test",
        card: model.card(),
        stopped: None,
        threshold: None,
        asking: None,
    };
    summarise(&plan, answers, &Gates::resolve(&[], true, false), about)
}

/// The figures across all orders of such a run.
pub(crate) fn orders(rows: &[Row], specs: &str) -> Orders {
    summary(rows, specs, "k").orders.unwrap()
}

/// Compares up to the digits that a reference prints.
#[track_caller]
pub(crate) fn near(found: Option<f64>, expected: f64) {
    let found = found.unwrap();
    assert!((found - expected).abs() < 1e-9, "{found} {expected}");
}
