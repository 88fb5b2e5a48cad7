//! `AgentJev`: the exact bytes out, and every rule that a reply must pass.

#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

mod common;

use common::{case, environment, json, levels, noul, orders_of_six};
use flipside_core::answer::{Answer, ConfidenceKind, Usage};
use flipside_core::case::{Case, KeyBinding};
use flipside_core::model::{Rejection, Reply};
use flipside_core::order::{OptionId, Order};
use flipside_core::present::Presentation;
use flipside_models::catalog::{ModelSpec, Options, build};
use flipside_models::wire::agentjev::{AgentJev, read, request};
use flipside_models::wire::{Protocol, open};

fn bytes(case: &Case, order: &Order) -> String {
    String::from_utf8(request(&Presentation::new(case, order)).unwrap()).unwrap()
}

fn refused(case: &Case) -> String {
    let order = Order::own(case.options.len());
    request(&Presentation::new(case, &order))
        .unwrap_err()
        .reason
}

/// The six keys that hops move, drop or rewrite; `Ab` is written with an escape in the file it comes from.
fn six() -> Case {
    let escaped = json(r#""\u0041b""#);
    case(
        "six",
        r#"{"zeta":"Charged twice","10":"naïve é / \"quoted\" \t tab"}"#,
        &[
            ("zeta", r#""payments""#),
            ("10", r#"{"z":1,"10":[1e2],"2":null}"#),
            ("2", "null"),
            ("alpha", r#""é""#),
            (escaped.as_str().unwrap(), r#"["x"]"#),
            ("é", r#""accent""#),
        ],
    )
}

#[test]
fn the_golden_bytes_come_out_in_every_order() {
    let head = r#"{"state":{"zeta":"Charged twice","10":"naïve é / \"quoted\" \t tab"},"questions":[{"id":"q","type":"choice","question":"Which team?","options":{"#;
    let options = [
        r#""zeta":"payments""#,
        r#""10":{"z":1,"10":[1e2],"2":null}"#,
        r#""2":"2""#,
        r#""alpha":"é""#,
        r#""Ab":["x"]"#,
        r#""é":"accent""#,
    ];
    for (order, places) in orders_of_six() {
        let expected = places.map(|place| options[place]).join(",");
        assert_eq!(bytes(&six(), &order), format!("{head}{expected}}}}}]}}"));
    }
}

#[test]
fn forty_keys_keep_their_order() {
    let keys: Vec<String> = (0..40).map(|i| format!("k{}", (i * 7) % 40)).collect();
    let options: Vec<(&str, &str)> = keys.iter().map(|key| (key.as_str(), "null")).collect();
    let listed: Vec<String> = keys
        .iter()
        .map(|key| format!(r#""{key}":"{key}""#))
        .collect();
    assert_eq!(
        bytes(&case("c", r#""s""#, &options), &Order::own(40)),
        format!(
            r#"{{"state":"s","questions":[{{"id":"q","type":"choice","question":"Which team?","options":{{{}}}}}]}}"#,
            listed.join(",")
        )
    );
}

#[test]
fn every_question_keeps_its_place_and_its_kind() {
    let mut case = case("c", r#""s""#, &[("b", r#""y""#), ("a", r#""x""#)]);
    case.question.before = vec![
        (
            "angry".into(),
            json(
                r#"{"type":"noul","instructions":"It is.","criteria":{"false":"no","true":"yes"}}"#,
            ),
        ),
        (
            "team".into(),
            json(r#"{"type":"choice","instructions":["Who?"],"criteria":{"2":"two","1":null}}"#),
        ),
    ];
    case.question.after = vec![(
        "soon".into(),
        json(r#"{"type":"score","instructions":"How soon?","criteria":["later",{"now":1}]}"#),
    )];
    assert_eq!(
        bytes(&case, &Order::reverse(2)),
        r#"{"state":"s","questions":[{"id":"angry","type":"boolean","question":"It is.","criteria":{"true":"yes","false":"no"}},{"id":"team","type":"choice","question":["Who?"],"options":{"2":"two","1":"1"}},{"id":"q","type":"choice","question":"Which team?","options":{"a":"x","b":"y"}},{"id":"soon","type":"score","question":"How soon?","levels":["later",{"now":1}]}]}"#
    );
}

#[test]
fn a_statement_is_asked_in_the_one_order_that_the_service_has() {
    let statement = noul([Some(r#""yes""#), Some(r#""no""#)]);
    let own = bytes(&statement, &Order::own(2));
    assert!(
        own.ends_with(r#""criteria":{"true":"yes","false":"no"}}]}"#),
        "{own}"
    );
    assert_eq!(bytes(&statement, &Order::reverse(2)), own);
    let bare = bytes(&noul([None, None]), &Order::own(2));
    assert!(
        bare.ends_with(r#""type":"boolean","question":"Which team?"}]}"#),
        "{bare}"
    );
    // Asked as its opposite, each side has the other's key.
    let mut opposite = statement;
    opposite.keys = KeyBinding::Opposite;
    let found = bytes(&opposite, &Order::own(2));
    assert!(
        found.contains(r#""criteria":{"true":"no","false":"yes"}"#),
        "{found}"
    );
    let scored = bytes(&levels(), &Order::rotate(3, 1));
    assert!(
        scored.ends_with(r#""levels":["mid","high","low"]}]}"#),
        "{scored}"
    );
}

#[test]
fn what_the_service_would_refuse_is_refused_before_it_is_sent() {
    let many = |n: usize| {
        let keys: Vec<String> = (0..n).map(|i| format!("k{i}")).collect();
        let options: Vec<(&str, &str)> = keys.iter().map(|key| (key.as_str(), "null")).collect();
        case("m", r#""s""#, &options)
    };
    assert_eq!(
        refused(&many(1)),
        "AgentJev takes 2 to 255 options, question `q` has 1"
    );
    assert_eq!(
        refused(&many(256)),
        "AgentJev takes 2 to 255 options, question `q` has 256"
    );
    let mut scored = many(11);
    scored.question.kind = flipside_core::case::QuestionKind::Score;
    assert_eq!(
        refused(&scored),
        "AgentJev takes 2 to 10 levels, question `q` has 11"
    );
    let two = |state: &str, texts: [&str; 2]| case("t", state, &[("a", texts[0]), ("b", texts[1])]);
    let plain = [r#""x""#, r#""y""#];
    let text = "AgentJev takes a text that is not blank, an object or an array";
    for (state, found) in [
        ("7", "a number"),
        ("true", "a boolean"),
        (r#"" ""#, "a blank string"),
    ] {
        assert_eq!(
            refused(&two(state, plain)),
            format!("the state is {found}, {text}")
        );
    }
    assert_eq!(
        refused(&two(r#""s""#, [r#""""#, r#""y""#])),
        format!("the text of `a` in question `q` is a blank string, {text}")
    );
    for texts in [
        [r#""x""#, r#""x""#],
        [r#"{"p":1,"q":[2]}"#, r#"{"q":[2],"p":1}"#],
        [r#"{"p":1}"#, r#""{\"p\":1}""#],
        ["null", r#""a""#],
    ] {
        assert_eq!(
            refused(&two(r#""s""#, texts)),
            "two options of question `q` have one text, and the model of AgentJev sees nothing else of them",
            "{texts:?}"
        );
    }
    assert_eq!(
        refused(&noul([Some(r#""FALSE""#), None])),
        "`true` and `false` of question `q` have one text, and the model of AgentJev sees nothing else of them"
    );
    assert_eq!(
        refused(&noul([Some("7"), None])),
        format!("`true` of question `q` is a number, {text}")
    );
    let mut silent = many(2);
    silent.question.instructions = None;
    assert_eq!(
        refused(&silent),
        "AgentJev takes no question without instructions, `q` has none"
    );
    silent.question.instructions = Some(json(r#""\n""#));
    assert_eq!(
        refused(&silent),
        format!("what question `q` asks is a blank string, {text}")
    );
    let mut nameless = many(2);
    nameless.question.name = String::new();
    assert_eq!(
        refused(&nameless),
        "AgentJev takes no question without a name"
    );
    let empty = case("e", r#""s""#, &[("", r#""x""#), ("b", r#""y""#)]);
    assert_eq!(
        refused(&empty),
        "AgentJev takes no empty key, question `q` has one"
    );
}

#[test]
fn a_request_has_limits_of_questions_paths_and_bytes() {
    let beside = |n: usize, question: &str| {
        let mut case = case("c", r#""s""#, &[("a", r#""x""#), ("b", r#""y""#)]);
        let question = json(question);
        case.question.after = (0..n)
            .map(|i| (format!("s{i}"), question.clone()))
            .collect();
        case
    };
    let statement = r#"{"type":"noul","instructions":"It is."}"#;
    assert!(bytes(&beside(127, statement), &Order::own(2)).contains("s126"));
    assert_eq!(
        refused(&beside(128, statement)),
        "AgentJev takes at most 128 questions in one request, this one has 129"
    );
    // 2 of its own, and 10 levels each: 102 make 1,022, 103 make 1,032.
    let scored = r#"{"type":"score","instructions":"How?","criteria":["0","1","2","3","4","5","6","7","8","9"]}"#;
    assert!(bytes(&beside(102, scored), &Order::own(2)).contains("s101"));
    assert_eq!(
        refused(&beside(103, scored)),
        "AgentJev takes at most 1024 options, levels and sides in one request, this one has 1032"
    );
    let long = case(
        "c",
        &format!("\"{}\"", "x".repeat(1_000_000)),
        &[("a", r#""x""#), ("b", r#""y""#)],
    );
    // Everything but the state's letters has 106 bytes.
    assert_eq!(
        refused(&long),
        "AgentJev takes at most 1000000 bytes in one request, this one has 1000106"
    );
}

fn three() -> Case {
    case(
        "c",
        r#""s""#,
        &[("a", r#""x""#), ("b", r#""y""#), ("é", "null")],
    )
}

fn reply(answers: &str) -> String {
    format!(
        r#"{{"api_version":"agentjev.decision.v1","model":"agentjev","results":[{{"id":"0","answers":[{answers}]}}],"usage":{{"questions":1,"candidate_paths":3,"input_path_tokens":88,"generated_tokens":0,"truncated_inputs":0,"wall_ms":12.4}}}}"#
    )
}

fn answer(case: &Case, order: &Order, body: &str) -> Result<Answer, Rejection> {
    read(&Presentation::new(case, order), body)
}

const CHOICE: &str = r#"{"id":"q","type":"choice","value":"é","top_probability":0.7,"margin":0.5,"distribution":{"é":0.7,"a":0.2,"b":0.1}}"#;

#[test]
fn answers_are_aligned_by_key_and_never_by_place() {
    for order in [Order::own(3), Order::reverse(3), Order::rotate(3, 1)] {
        let found = answer(&three(), &order, &reply(CHOICE)).unwrap();
        assert_eq!(found.choice, Some(OptionId(2)));
        assert_eq!(found.probabilities, Some(vec![0.2, 0.1, 0.7]));
        assert_eq!(found.backend_confidence, Some(0.5), "the margin");
        assert_eq!(found.served_model.as_deref(), Some("agentjev"));
        let usage = Usage {
            input_tokens: Some(88),
            output_tokens: Some(0),
            ..Usage::default()
        };
        assert_eq!(found.usage, usage.into());
        assert_eq!(
            found.remarks,
            ["option `é` has no text, so its key was sent as one"]
        );
    }
}

#[test]
fn a_margin_that_is_none_is_remarked_and_not_kept() {
    let body = reply(
        &CHOICE
            .replace("0.5", "0.7")
            .replace("\"top_probability\":0.7", "\"top_probability\":0.8"),
    );
    let found = answer(&three(), &Order::own(3), &body).unwrap();
    assert_eq!(found.backend_confidence, None);
    assert_eq!(
        found.remarks[..2],
        [
            "`top_probability` is 0.8, the distribution's is 0.7000",
            "`margin` is 0.7, the distribution's is 0.5000"
        ]
    );
    let body = reply(CHOICE).replace("\"truncated_inputs\":0", "\"truncated_inputs\":2");
    let found = answer(&three(), &Order::own(3), &body).unwrap();
    assert_eq!(found.remarks[1], "the server cut 2 inputs short");
    let body = reply(CHOICE).replace("\"input_path_tokens\":88", "\"input_path_tokens\":8.5");
    let found = answer(&three(), &Order::own(3), &body).unwrap();
    assert_eq!(found.usage.input_tokens, None);
    assert_eq!(
        found.remarks[1],
        "`usage.input_path_tokens` is 8.5, expected a whole number"
    );
}

#[test]
fn several_options_without_a_text_are_remarked_once() {
    let case = case(
        "c",
        r#""s""#,
        &[("a", "null"), ("b", "null"), ("é", "null")],
    );
    let found = answer(&case, &Order::own(3), &reply(CHOICE)).unwrap();
    assert_eq!(
        found.remarks,
        ["`a` and 2 more options have no text, so their keys were sent"]
    );
}

#[test]
fn statements_and_levels_are_read() {
    let body = reply(
        r#"{"id":"q","type":"boolean","probability":0.8,"value":true,"distribution":{"true":0.8,"false":0.2}}"#,
    );
    let found = answer(&noul([None, None]), &Order::own(2), &body).unwrap();
    assert_eq!(found.choice, Some(OptionId(0)));
    assert_eq!(found.backend_confidence, None);
    // Shown as mid, high, low: places 0.1, 0.7, 0.2 expect 1.1; by identity low 0.2, mid 0.1, high 0.7 expect 1.5.
    let body = reply(
        r#"{"id":"q","type":"score","score":1.1,"level":"1","legend":{"0":"mid","1":"high","2":"low"},"distribution":{"2":0.2,"0":0.1,"1":0.7}}"#,
    );
    let found = answer(&levels(), &Order::rotate(3, 1), &body).unwrap();
    assert_eq!(found.probabilities, Some(vec![0.2, 0.1, 0.7]));
    assert!((found.score.unwrap() - 1.5).abs() < 1e-12);
}

#[test]
fn every_broken_rule_is_named() {
    let changed = |from: &str, to: &str| reply(&CHOICE.replace(from, to));
    for (body, message) in [
        (
            reply(CHOICE).replace("agentjev.decision.v1", "agentjev.decision.v2"),
            "`api_version` is the string `agentjev.decision.v2`, expected `agentjev.decision.v1` (api-version)",
        ),
        (
            r#"{"model":"m","results":[]}"#.to_owned(),
            "0 results came for 1 state (results)",
        ),
        (
            r#"{"model":"m"}"#.to_owned(),
            "the reply has no `results` (answer-shape)",
        ),
        (reply(""), "no answer for question `q` (answer-missing)"),
        (
            reply(&format!("{CHOICE},{CHOICE}")),
            "two answers have the id the string `q` (answer-extra)",
        ),
        (
            reply(&format!(r#"{CHOICE},{{"id":"p"}}"#)),
            "an answer has the id the string `p`, which was not asked (answer-extra)",
        ),
        (
            changed("\"choice\"", "\"boolean\""),
            "the answer has the type the string `boolean`, the question `choice` (answer-type)",
        ),
        (
            changed("\"é\",\"top", "7,\"top"),
            "`value` is 7, expected a string (choice)",
        ),
        (
            changed("\"value\":\"é\",", ""),
            "the answer has no `value` (choice)",
        ),
        (
            changed("\"b\":0.1", "\"b\":0.1,\"c\":0"),
            "a probability for `c`, which was not offered (probability-keys)",
        ),
        (
            changed("{\"é\":0.7,\"a\":0.2,\"b\":0.1}", "[]"),
            "`distribution` is an array, expected an object (answer-shape)",
        ),
        (
            changed("\"a\":0.2", "\"a\":\"0.2\""),
            "`a` is the string `0.2`, expected a number (number)",
        ),
        (
            r#"{"error":"question 'q' needs 3000 tokens"}"#.to_owned(),
            "the reply is an error: question 'q' needs 3000 tokens",
        ),
    ] {
        assert_eq!(
            answer(&three(), &Order::own(3), &body)
                .unwrap_err()
                .to_string(),
            message,
            "{body}"
        );
    }
    for (given, message) in [
        (
            r#"{"id":"q","type":"boolean","probability":0.2,"value":true}"#,
            "the reply says true with probability 0.2 of `true` (choice-not-peak)",
        ),
        (
            r#"{"id":"q","type":"boolean","probability":0.2,"distribution":{"true":0.8,"false":0.2}}"#,
            "`true` has the probability 0.8, `probability` makes it 0.2 (probability-sum)",
        ),
        (
            r#"{"id":"q","type":"boolean","probability":0.2,"distribution":{"yes":0.2}}"#,
            "a probability for `yes`, expected `true` and `false` (probability-keys)",
        ),
    ] {
        let found = answer(&noul([None, None]), &Order::own(2), &reply(given));
        assert_eq!(found.unwrap_err().to_string(), message);
    }
    for (given, message) in [
        (
            r#"{"id":"q","type":"score","score":0,"distribution":{"0":1,"3":0}}"#,
            "`distribution` has the level `3`, expected \"0\" to \"2\" (score-keys)",
        ),
        (
            r#"{"id":"q","type":"score","score":0,"distribution":{"0":1,"1":0}}"#,
            "no probability for level \"2\" (score-keys)",
        ),
        (
            r#"{"id":"q","type":"score","score":0}"#,
            "the answer has no `distribution` (answer-shape)",
        ),
    ] {
        let found = answer(&levels(), &Order::own(3), &reply(given));
        assert_eq!(found.unwrap_err().to_string(), message);
    }
}

#[test]
fn a_record_opens_the_protocol_again() {
    let protocol = open(&AgentJev.wire()).unwrap();
    assert_eq!(protocol.wire(), AgentJev.wire());
    assert!(protocol.object_order() && protocol.whole_replies());
    let (case, order) = (three(), Order::own(3));
    let shown = Presentation::new(&case, &order);
    let reply = Reply {
        body: reply(CHOICE),
        ..Reply::default()
    };
    assert_eq!(
        protocol.read(&shown, &reply).unwrap().choice,
        Some(OptionId(2))
    );
}

#[test]
fn the_service_is_on_this_machine_unless_another_place_is_named() {
    let card = |spec: &str| {
        let spec = ModelSpec::parse(spec).map_err(|error| error.to_string())?;
        let model = build(
            &spec,
            &environment(&[("OPENAI_API_KEY", "sk-1")]),
            &Options::default(),
        );
        Ok::<_, String>(model.unwrap().card().clone())
    };
    for (spec, endpoint) in [
        ("agentjev-served", "http://127.0.0.1:18765/api/evaluate"),
        (
            "agentjev-served:https://h:1/api/evaluate",
            "https://h:1/api/evaluate",
        ),
    ] {
        let card = card(spec).unwrap();
        assert_eq!(card.endpoint.as_deref(), Some(endpoint));
        assert_eq!(
            (card.key_variable, card.requested, card.concurrency),
            (None, None, 1)
        );
        assert_eq!(card.confidence, Some(ConfidenceKind::Margin));
        assert_eq!(card.protocol, Some(AgentJev.wire()));
    }
    for bad in [
        "agentjev-served:",
        "agentjev-served:h",
        "agentjev-served:https://me:hush@h/",
    ] {
        let error = card(bad).unwrap_err();
        assert!(
            error.ends_with("expected a URL with http:// or https:// and without user name and password, such as `agentjev-served:http://127.0.0.1:18765/api/evaluate`, or `agentjev-served` alone"),
            "{error}"
        );
        assert!(!error.contains("hush"), "{error}");
    }
}
