//! Plans over the axes that change words: which cases are asked what, why not, and who shares a request.

use std::collections::BTreeMap;

use flipside_core::answer::Answer;
use flipside_core::case::{Case, Phrasing, QuestionKind};
use flipside_core::json::Json;
use flipside_core::model::{
    BoxFuture, Card, Failure, Model, Rejection, Reply, Sending, Unsupported,
};
use flipside_core::order::OptionId;
use flipside_core::perturb::{Axis, AxisSpec};
use flipside_core::plan::{Plan, PlanInput, VacuousReason, distinct};
use flipside_core::present::Presentation;

use crate::cases::{choice, object, phrasing, text};

/// A model whose request is all that is shown; it is planned for and never asked.
struct Everything(Card);

impl Everything {
    fn new(whole_replies: bool) -> Self {
        Self(Card {
            spec: "everything".to_owned(),
            requested: None,
            endpoint: None,
            key_variable: None,
            remote: false,
            concurrency: 1,
            price: None,
            confidence: None,
            whole_replies,
            object_order: false,
            protocol: None,
        })
    }
}

impl Model for Everything {
    fn card(&self) -> &Card {
        &self.0
    }

    fn request(&self, shown: &Presentation<'_>) -> Result<Vec<u8>, Unsupported> {
        let question = &shown.case().question;
        let options = shown.options();
        let options = options.map(|option| {
            (
                option.key.0.clone(),
                option.text.cloned().unwrap_or(Json::Null),
            )
        });
        let asked = object(vec![
            ("type".to_owned(), text(question.kind.name())),
            (
                "instructions".to_owned(),
                shown.instructions().cloned().unwrap_or(Json::Null),
            ),
            ("criteria".to_owned(), object(options.collect())),
        ]);
        let mut questions = question.before.clone();
        questions.push((question.name.clone(), asked));
        questions.extend(question.after.clone());
        let body = object(vec![
            ("state".to_owned(), shown.state().clone()),
            ("questions".to_owned(), object(questions)),
        ]);
        Ok(body.to_text().into_bytes())
    }

    fn send<'a>(&'a self, _: Sending<'a>) -> BoxFuture<'a, Result<Reply, Failure>> {
        unreachable!("nothing is asked here")
    }

    fn read(&self, _: &Presentation<'_>, _: &Reply) -> Result<Answer, Rejection> {
        unreachable!("nothing is asked here")
    }
}

fn plan(cases: Vec<Case>, axes: &str, whole_replies: bool) -> Plan {
    let axes = AxisSpec::parse_list(axes).unwrap();
    let input = PlanInput {
        axes: &axes,
        ..PlanInput::orders(&[], 5)
    };
    let checked = cases.into_iter().map(|case| case.checked().unwrap());
    let distinct = distinct(checked.collect()).unwrap();
    Plan::build(&distinct, &input, &Everything::new(whole_replies)).unwrap()
}

/// By variant: what became of each case, `asked` or the reason.
fn fates(plan: &Plan) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<(u32, String)>> = BTreeMap::new();
    for ask in plan.asks.iter().filter(|ask| ask.variant > 0) {
        let variant = plan.variant_of(ask).to_string();
        found
            .entry(variant)
            .or_default()
            .push((ask.case, "asked".to_owned()));
    }
    for told in &plan.vacuous {
        let variant = plan.variants[told.variant as usize].to_string();
        let reason = told.reason.text().to_owned();
        found.entry(variant).or_default().push((told.case, reason));
    }
    let in_order = |mut fates: Vec<(u32, String)>| {
        fates.sort_by_key(|(case, _)| *case);
        fates.into_iter().map(|(_, fate)| fate).collect()
    };
    found
        .into_iter()
        .map(|(variant, fates)| (variant, in_order(fates)))
        .collect()
}

fn states(name: &str, state: &str) -> Phrasing {
    Phrasing {
        state: Some(text(state)),
        ..phrasing(name)
    }
}

fn bringing(id: &str, phrasings: Vec<Phrasing>) -> Case {
    let mut case = choice(id, text(format!("words of {id}")));
    case.brought.phrasings = phrasings.into();
    case
}

#[test]
fn every_line_of_phrasings_accounts_for_every_case() {
    let unapproved = Phrasing {
        approved: false,
        ..states("long", "never read")
    };
    let cases = vec![
        bringing("none", Vec::new()),
        bringing("both", vec![states("short", "s"), states("long", "l")]),
        bringing("turned", vec![states("long", "L"), states("short", "S")]),
        bringing("unapproved", vec![unapproved, states("short", "s")]),
    ];
    let plan = plan(cases, "phrasing", false);
    let lacking = "the case brings no such rewording";
    let expected = [
        (
            "phrasing/long",
            [lacking, "asked", "asked", "nobody approved the rewording"],
        ),
        ("phrasing/short", [lacking, "asked", "asked", "asked"]),
    ]
    .map(|(variant, fates)| (variant.to_owned(), fates.map(str::to_owned).to_vec()));
    assert_eq!(fates(&plan), BTreeMap::from(expected));
    // The same name means each case's own rewording, wherever it stands.
    let words = |case: u32, name: &str| {
        let mut asks = plan.asks.iter();
        let ask = asks.find(|ask| ask.case == case && plan.variant_of(ask).name == name);
        plan.shown_case(ask.unwrap()).state.clone()
    };
    assert_eq!(
        [
            words(1, "long"),
            words(2, "long"),
            words(1, "short"),
            words(2, "short")
        ],
        ["l", "L", "s", "S"].map(text)
    );
}

#[test]
fn a_run_in_which_no_case_brings_a_rewording_says_so_for_each() {
    let cases = vec![bringing("one", Vec::new()), bringing("other", Vec::new())];
    let plan = plan(cases, "phrasing", false);
    let lacking = "the case brings no such rewording".to_owned();
    assert_eq!(
        fates(&plan),
        BTreeMap::from([("phrasing/1".to_owned(), vec![lacking.clone(), lacking])])
    );
    assert!(
        plan.vacuous
            .iter()
            .all(|told| told.reason == VacuousReason::NoPhrasing)
    );
}

#[test]
fn cases_that_bring_other_rewordings_are_two_cases_and_the_same_ones_are_one() {
    let with = |id: &str, phrasings| Case {
        state: text("alike"),
        ..bringing(id, phrasings)
    };
    let kept = |cases: Vec<Case>| distinct(cases).unwrap().cases.len();
    assert_eq!(kept(vec![with("a", Vec::new()), with("b", Vec::new())]), 1);
    assert_eq!(
        kept(vec![
            with("a", Vec::new()),
            with("b", vec![states("1", "t")])
        ]),
        2
    );
    assert_eq!(
        kept(vec![
            with("a", vec![states("1", "t")]),
            with("b", vec![states("1", "t")])
        ]),
        1
    );
    for other in [
        states("2", "t"),
        states("1", "u"),
        Phrasing {
            approved: false,
            ..states("1", "t")
        },
        Phrasing {
            instructions: Some(text("i")),
            ..states("1", "t")
        },
        Phrasing {
            texts: vec![(OptionId(1), text("x"))],
            ..states("1", "t")
        },
    ] {
        let cases = vec![
            with("a", vec![states("1", "t")]),
            with("b", vec![other.clone()]),
        ];
        assert_eq!(kept(cases), 2, "{other:?}");
    }
}

#[test]
fn each_reason_for_not_asking_is_told() {
    let cases = vec![
        choice("text", text("UPPER 12")),
        choice(
            "object",
            object(vec![
                ("a".to_owned(), text("one")),
                ("b".to_owned(), text("lower words")),
            ]),
        ),
        choice("numbers", Json::Array(vec![Json::Null])),
    ];
    let plan = plan(cases, "state-keys,whitespace,letter-case,batch", false);
    let (asked, same, alone) = (
        "asked",
        "there is nothing to change",
        "the question is asked alone",
    );
    let flat = "no object of the state has two members";
    let expected = [
        ("batch/alone", [alone; 3]),
        ("batch/reverse", [alone; 3]),
        ("letter-case/lower", [asked, same, same]),
        ("letter-case/upper", [same, asked, same]),
        ("state-keys/reverse", [flat, asked, flat]),
        ("whitespace/doubled", [asked, asked, same]),
        ("whitespace/line-ends", [same; 3]),
        ("whitespace/pretty", [same; 3]),
        ("whitespace/trailing", [asked, asked, same]),
    ]
    .map(|(variant, fates)| (variant.to_owned(), fates.map(str::to_owned).to_vec()));
    assert_eq!(fates(&plan), BTreeMap::from(expected));
}

/// Three questions of one body, a case each.
fn body() -> Vec<Case> {
    let names = ["p", "q", "r"];
    let sibling = |name: &str| {
        let asked = object(vec![
            ("type".to_owned(), text("choice")),
            ("instructions".to_owned(), Json::Null),
            (
                "criteria".to_owned(),
                object(vec![
                    ("a".to_owned(), text("text of a")),
                    ("b".to_owned(), text("text of b")),
                ]),
            ),
        ]);
        (name.to_owned(), asked)
    };
    let case = |place: usize| {
        let mut case = choice(&format!("body#{}", names[place]), text("s"));
        case.question.kind = QuestionKind::Choice;
        names[place].clone_into(&mut case.question.name);
        case.question.before = names[..place].iter().map(|name| sibling(name)).collect();
        case.question.after = names[place + 1..]
            .iter()
            .map(|name| sibling(name))
            .collect();
        case
    };
    (0..3).map(case).collect()
}

#[test]
fn questions_of_one_body_share_it_turned_round_too_and_each_alone_has_its_own_request() {
    let sent = |plan: &Plan, axis: Axis| {
        let asks = plan.asks.iter();
        let of_axis = asks.filter(|ask| plan.variant_of(ask).axis == axis && ask.shares.is_none());
        let mut names: Vec<&str> = of_axis
            .map(|ask| plan.variant_of(ask).name.as_str())
            .collect();
        names.sort_unstable();
        names.join(" ")
    };
    let together = plan(body(), "batch", true);
    assert_eq!(together.asks.len(), 9);
    assert_eq!(sent(&together, Axis::Baseline), "own");
    assert_eq!(sent(&together, Axis::Batch), "alone alone alone reverse");
    let apart = plan(body(), "batch", false);
    assert_eq!(sent(&apart, Axis::Baseline), "own own own");
    assert_eq!(
        sent(&apart, Axis::Batch),
        "alone alone alone reverse reverse reverse"
    );
    // Every ask that shares a request has its leader's bytes.
    for ask in &together.asks {
        let leader = ask
            .shares
            .map_or(ask, |leader| &together.asks[leader as usize]);
        assert_eq!(ask.digest, leader.digest);
    }
}

#[test]
fn a_question_that_is_in_a_file_alone_too_shares_what_is_asked_alone() {
    let mut cases = body();
    let mut alone = cases[1].clone();
    alone.id.0 = "alone".to_owned();
    alone.question.before.clear();
    alone.question.after.clear();
    cases.push(alone);
    let plan = plan(cases, "batch:alone", true);
    let of = |id: &str, axis: Axis| {
        let mut asks = plan.asks.iter().enumerate();
        let found =
            asks.find(|(_, ask)| plan.case_of(ask).id.0 == id && plan.variant_of(ask).axis == axis);
        found.unwrap()
    };
    let (leader, asked_alone) = of("body#q", Axis::Batch);
    let (_, baseline) = of("alone", Axis::Baseline);
    assert_eq!(asked_alone.digest, baseline.digest);
    assert_eq!(baseline.shares.map(|place| place as usize), Some(leader));
}
