//! Combinations of axes, and what tells a slot from a key: through plans and planted answers to the summary.

mod drawn;
mod laws;
mod lost;
mod plans;
mod planted;
mod table;

use flipside_core::answer::Answer;
use flipside_core::case::Case;
use flipside_core::gate::Gates;
use flipside_core::json::{Json, Number, Object};
use flipside_core::order::Position;
use flipside_core::perturb::AxisSpec;
use flipside_core::perturb::order::OrderSpec;
use flipside_core::plan::{Cross, Plan, PlanError, PlanInput, distinct};
use flipside_core::present::Presentation;
use flipside_core::record::{Asked, Outcome};
use flipside_core::summary::{SlotsAndKeys, Summary};

use crate::common::{self, Bytes};
use crate::made::keys;

/// The seed of every plan here that says no other.
const SEED: u64 = 5;

/// A choice between described options about a state of two members.
fn case(number: usize, options: usize) -> Case {
    let member = |name: &str, value: usize| {
        let value = Json::Number(Number::from(value as u64));
        (name.to_owned(), value)
    };
    let mut case = common::case(number, keys("k", options));
    let members = vec![member("n", number), member("other", 7)];
    case.state = Json::Object(Object::new(members).unwrap());
    for (place, option) in case.options.iter_mut().enumerate() {
        option.text = Some(Json::String(format!("text {place}")));
    }
    case
}

/// The first `count` of such cases.
fn cases(count: usize, options: usize) -> Vec<Case> {
    (0..count).map(|number| case(number, options)).collect()
}

/// The plan of `cases` in `orders` and on `axes`, written as on the command line, and combined.
fn planned(
    cases: Vec<Case>,
    orders: &str,
    axes: &str,
    cross: Option<Cross>,
    seed: u64,
) -> Result<Plan, Vec<PlanError>> {
    let orders = match orders {
        "" => Vec::new(),
        orders => OrderSpec::parse_list(orders).unwrap(),
    };
    let axes = AxisSpec::parse_list(axes).unwrap();
    let input = PlanInput {
        axes: &axes,
        cross,
        ..PlanInput::orders(&orders, seed)
    };
    Plan::build(&distinct(cases).unwrap(), &input, &Bytes::new())
}

/// As [`planned`], all combinations of what can be planned.
fn full(cases: Vec<Case>, orders: &str, axes: &str) -> Plan {
    planned(cases, orders, axes, Some(Cross::Full), SEED).unwrap()
}

/// Both orders under the cases' own keys and under theirs changed by `keys`.
fn four(cases: Vec<Case>, keys: &str) -> Plan {
    full(cases, "reverse", keys)
}

/// The summary of `plan`, answered by `model` from what it is shown.
fn answered(plan: &Plan, model: impl Fn(&Presentation<'_>) -> Outcome) -> Summary {
    let asked = plan.asks.iter().map(|ask| {
        let case = plan.shown_case(ask);
        let shown = Presentation::new(&case, &ask.order);
        Some(common::asked(model(&shown)))
    });
    told(
        plan,
        asked.collect(),
        &Gates::resolve(&[], true, &[], false),
    )
}

fn told(plan: &Plan, asked: Vec<Option<Asked>>, gates: &Gates) -> Summary {
    crate::made::summary(plan, asked, gates)
}

/// Picks the option in `position`.
fn at(shown: &Presentation<'_>, position: u16) -> Outcome {
    let id = shown.order().at(Position(position));
    Outcome::Answered(Answer {
        choice: id,
        ..Answer::default()
    })
}

/// The figures under one variant of the keys axis.
fn slots<'a>(summary: &'a Summary, keys: &str) -> &'a SlotsAndKeys {
    summary
        .slots_and_keys
        .get(keys)
        .unwrap_or_else(|| panic!("no table under {keys}"))
}

/// Names of the combinations, in plan order.
fn combined(plan: &Plan) -> Vec<&str> {
    use flipside_core::perturb::Axis;
    let variants = plan.variants.iter();
    variants
        .filter(|variant| variant.axis == Axis::Cross)
        .map(|variant| variant.name.as_str())
        .collect()
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 5e-7, "{found} is not {expected}");
}

fn near_each(found: [f64; 2], expected: [f64; 2]) {
    near(found[0], expected[0]);
    near(found[1], expected[1]);
}
