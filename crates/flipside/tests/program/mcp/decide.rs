//! The tool `decide`.

use flipside_standin::{Fault, Policy, Standin, When};
use serde_json::{Value, json};

use super::{Host, conforms, desks, standin, tools};
use crate::support::{folder, model, probe_line};

#[test]
fn a_decision_by_position_is_order_sensitive_with_its_votes_and_one_by_content_is_stable() {
    let [decide, _] = tools();
    let server = standin(Policy::First);
    let mut host = Host::ready(&["--model", &model(&server)]);
    let result = host.call(1, "decide", &desks());
    conforms(&decide, &result);
    let found = &result["structuredContent"];
    assert_eq!(result["isError"], false);
    assert_eq!(found["choice"], "billing");
    assert_eq!(found["stable"], "order-sensitive");
    // 0.9 on the first of three, the rest shared equally.
    assert_eq!(
        found["probabilities"],
        json!([{"key": "billing", "p": 0.9}, {"key": "delivery", "p": 0.05}, {"key": "other", "p": 0.05}])
    );
    assert!((found["margin"].as_f64().unwrap() - 0.85).abs() < 1e-12);
    // Own order, reversal and rotation each put another option first.
    assert_eq!(
        found["votes"],
        json!([{"key": "billing", "n": 1}, {"key": "delivery", "n": 1}, {"key": "other", "n": 1}])
    );
    // Four planned, and both orders of the flip once more.
    assert_eq!(found["asks"], 6);
    assert_eq!(
        found["orders"],
        json!([
            {"order": "given", "outcome": "answered", "choice": "billing"},
            {"order": "reverse", "outcome": "answered", "choice": "other"},
            {"order": "rotate:1", "outcome": "answered", "choice": "delivery"},
            {"order": "same:1", "outcome": "answered", "choice": "billing"},
            {"order": "given", "outcome": "answered", "choice": "billing", "again": true},
            {"order": "reverse", "outcome": "answered", "choice": "other", "again": true},
        ])
    );
    assert_eq!(found["model"], server_model(&server));
    assert!(found["ms"].as_f64().unwrap() > 0.0);
    assert_eq!(found.get("warnings"), None);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert_eq!(&serde_json::from_str::<Value>(text).unwrap(), found);
    let orders: Vec<Vec<String>> = server.seen().into_iter().map(|seen| seen.keys).collect();
    for order in [
        ["billing", "delivery", "other"],
        ["other", "delivery", "billing"],
        ["delivery", "other", "billing"],
    ] {
        assert!(
            orders.contains(&order.map(str::to_owned).to_vec()),
            "{orders:?}"
        );
    }
    assert_eq!(host.end().code, 0);

    let server = standin(Policy::Content);
    let mut host = Host::ready(&["--model", &model(&server)]);
    let result = host.call(1, "decide", &desks());
    conforms(&decide, &result);
    let found = &result["structuredContent"];
    assert_eq!(found["stable"], "stable");
    assert_eq!(found["asks"], 4);
    assert_eq!(found["votes"], json!([{"key": found["choice"], "n": 3}]));
    assert_eq!(host.end().code, 0);
}

/// The model that a stand-in says it is.
fn server_model(server: &Standin) -> Value {
    let (_guard, path) = folder(&crate::support::unlabelled(1));
    let (_, summary) = probe_line(&path, &format!("cases.jsonl --model {}", model(server)));
    summary["model"]["served"][0].clone()
}

#[test]
fn a_model_that_contradicts_itself_is_noisy() {
    // Every answer is drawn anew.
    let server = standin(Policy::Random { seed: 3 });
    let mut host = Host::ready(&["--model", &model(&server), "--concurrency", "1"]);
    let (mut noisy, mut swapped) = (0, 0);
    for id in 1..=60 {
        let result = host.call(id, "decide", &desks());
        assert_eq!(result["isError"], false, "{result}");
        let found = &result["structuredContent"];
        let (expected, turned) = expected(found["orders"].as_array().unwrap());
        assert_eq!(found["stable"], expected, "{found}");
        noisy += u32::from(expected == "noisy");
        swapped += u32::from(turned);
    }
    // The repeat agrees in 1 of 3 calls; a flip comes again in both orders in 1 of 9.
    assert!(noisy >= 35, "{noisy}");
    assert!(swapped >= 1, "no flip came again the other way round");
    assert_eq!(host.end().code, 0);
}

/// What the orders of a decision make of it, and whether each order of its flip gave the other's answer once more.
fn expected(orders: &[Value]) -> (&'static str, bool) {
    let choice = |order: &Value, again: bool| {
        let mut asked = orders.iter();
        let found = asked
            .find(|each| each["order"] == *order && each.get("again").is_some() == again)
            .unwrap();
        found["choice"].clone()
    };
    let given = json!("given");
    let own = choice(&given, false);
    let others = ["reverse", "rotate:1"].map(|order| choice(&json!(order), false));
    if choice(&json!("same:1"), false) != own {
        return ("noisy", false);
    }
    if others.iter().all(|other| *other == own) {
        return ("stable", false);
    }
    let again = |each: &&Value| each.get("again").is_some() && each["order"] != given;
    let flipped = orders.iter().find(again).unwrap();
    let first = (own, choice(&flipped["order"], false));
    let second = (choice(&given, true), flipped["choice"].clone());
    if first == second {
        return ("order-sensitive", false);
    }
    ("noisy", first == (second.1, second.0))
}

#[test]
fn an_order_that_changes_no_request_is_not_applicable() {
    let [decide, _] = tools();
    let mut host = Host::ready(&["--model", "first"]);
    let mut question = desks();
    // Three options rotated by three places are as they were.
    question["order"] = json!("rotate:3");
    let result = host.call(1, "decide", &question);
    conforms(&decide, &result);
    let found = &result["structuredContent"];
    assert_eq!(
        (&found["stable"], &found["asks"]),
        (&json!("not applicable"), &json!(1))
    );
    assert_eq!(found["votes"], json!([{"key": "billing", "n": 1}]));
    assert_eq!(host.end().code, 0);
}

#[test]
fn options_as_an_object_are_taken_in_their_order_and_integer_like_keys_are_warned_about() {
    let [decide, _] = tools();
    let server = standin(Policy::First);
    let mut host = Host::ready(&["--model", &model(&server)]);
    // Written by hand: the order of members and the text of a number are what this is about.
    let line = |options: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{{"name":"decide","arguments":{{"state":{{"z":1.10,"a":2}},"options":{options},"rules":"Pick."}}}}}}"#
        )
    };
    let answer = host.ask(&line(r#"{"zeta":"payments","alpha":null}"#));
    conforms(&decide, &answer["result"]);
    assert_eq!(answer["result"]["structuredContent"]["choice"], "zeta");
    assert_eq!(answer["result"]["structuredContent"].get("warnings"), None);
    assert_eq!(answer["result"]["content"].as_array().unwrap().len(), 1);
    let body = String::from_utf8(server.seen()[0].body.clone()).unwrap();
    assert!(body.contains(r#""state":{"z":1.10,"a":2}"#), "{body}");
    assert!(
        body.contains(r#""criteria":{"zeta":"payments","alpha":null}"#),
        "{body}"
    );

    let answer = host.ask(&line(r#"{"zeta":"payments","10":"ten","2":"two"}"#));
    conforms(&decide, &answer["result"]);
    let found = &answer["result"]["structuredContent"];
    assert_eq!(found["choice"], "zeta");
    let warning = "`options` is an object with integer-like keys (`10`, `2`): hosts in JavaScript move these to the front, so the \
                   order asked may not be the order written; give `options` as an array";
    let warnings = found["warnings"].as_array().unwrap();
    assert!(warnings.contains(&json!(warning)), "{warnings:?}");
    let texts = answer["result"]["content"].as_array().unwrap();
    assert!(texts.contains(&json!({"type": "text", "text": format!("warning: {warning}")})));
    let seen = server.seen().pop().unwrap().keys;
    assert!(seen.contains(&"10".to_owned()), "{seen:?}");

    // The largest index of a JavaScript array, and a key that is none.
    let warned = |answer: &Value| {
        let warnings = answer["result"]["structuredContent"]["warnings"].to_string();
        warnings.contains("integer-like keys (`4294967294`)")
    };
    let answer = host.ask(&line(
        r#"{"z":"one","4294967294":"two","4294967295":"three"}"#,
    ));
    assert!(warned(&answer), "{answer}");
    let answer = host.ask(&line(r#"{"z":"one","4294967295":"two"}"#));
    let found = &answer["result"]["structuredContent"];
    assert!(
        !found.to_string().contains("hosts in JavaScript"),
        "{answer}"
    );

    let answer = host.ask(&line(r#"{"a":"one","b":"two","\u0061":"three"}"#));
    assert_eq!(answer["result"]["isError"], true);
    assert_eq!(
        answer["result"]["content"][0]["text"],
        "error: `params.arguments.options`: key `a` is given twice\n\
         help: give each key once; flipside never merges or drops one"
    );
    assert_eq!(host.end().code, 0);
}

#[test]
fn bad_arguments_are_told_together_in_the_words_of_the_tool() {
    let mut host = Host::ready(&["--model", "first"]);
    let told = host.refused("decide", &json!({"optoins": 1, "state": 3, "options": [{"key": ""}, 7, {"text": "x"}], "order": "shuffle:01"}));
    assert_eq!(
        told,
        "error: `optoins` is unknown, expected one of `state`, `options`, `rules`, `model`, `order`\n\
         error: `state` is a number, expected an object, an array or a string\n\
         error: `options[0].key` is empty\n\
         error: `options[1]` is a number, expected an object with `key` and `text`\n\
         error: `options[2].key` is missing\n\
         error: `rules` is missing\n\
         error: `order`: `shuffle:01`: expected a plain number from 1 to 50 after `shuffle:`\n\
         help: orders are reverse, rotate, rotate:K, balanced, random:N, shuffle:N, all, same:N, check, certify"
    );
    let mut question = desks();
    question["options"] = json!([{"key": "a"}, {"key": "b"}, {"key": "a"}]);
    assert_eq!(
        host.refused("decide", &question),
        "error: `options`: key `a` is given twice, as option 1 and option 3\n\
         help: give each option its own key; flipside never merges or drops one"
    );
    question["options"] = json!([{"key": "a"}]);
    assert_eq!(
        host.refused("decide", &question),
        "error: `options`: expected 2 to 255 options, found 1"
    );
    let many = |count: u32| {
        let options = (0..count).map(|n| json!({"key": format!("k{n}")}));
        options.collect::<Value>()
    };
    question["options"] = many(256);
    assert_eq!(
        host.refused("decide", &question),
        "error: `options`: expected 2 to 255 options, found 256"
    );
    question["options"] = many(255);
    assert_eq!(host.call(1, "decide", &question)["isError"], false);
    question["options"] = json!("a,b");
    assert_eq!(
        host.refused("decide", &question),
        "error: `options` is a string, expected an array of objects with `key` and `text`"
    );
    question["options"] = json!({"a": "x", "b": 1});
    assert_eq!(
        host.refused("decide", &question),
        "error: `options.b` is a number, expected a string or null"
    );
    let mut question = desks();
    question["order"] = json!("same:1");
    assert_eq!(
        host.refused("decide", &question),
        "error: `order same:1` asks no other order, so that nothing could be called stable\n\
         help: leave it out for `check`, or add an order such as `reverse`"
    );
    assert_eq!(host.end().code, 0);
}

#[test]
fn a_call_may_name_the_servers_models_and_harmless_controls_and_nothing_else() {
    let mut host = Host::ready(&["--model", "last", "--model", "slot:2"]);
    let mut question = desks();
    for (named, choice) in [
        (None, "other"),
        (Some("slot:2"), "delivery"),
        (Some("first"), "billing"),
    ] {
        question["model"] = json!(named);
        if named.is_none() {
            question.as_object_mut().unwrap().remove("model");
        }
        let result = host.call(1, "decide", &question);
        assert_eq!(result["structuredContent"]["choice"], choice, "{result}");
    }
    for named in [
        "exec:touch ran",
        "systemone:http://127.0.0.1:1/",
        "rule:/etc/passwd",
        "replay:x",
        "jev",
    ] {
        question["model"] = json!(named);
        assert_eq!(
            host.refused("decide", &question),
            format!(
                "error: `model {named}`: this server asks `last`, `slot:2`, and controls such as `first`\n\
                 help: start it with that `--model` too, where calls are to name it"
            )
        );
    }
    question["model"] = json!("firts");
    let told = host.refused("decide", &question);
    assert!(
        told.starts_with("error: `model`: `firts`: no such model"),
        "{told}"
    );
    assert_eq!(host.end().code, 0);
}

#[test]
fn an_order_that_gets_no_answer_leaves_it_open_and_says_why() {
    // Of two asks, one at a time, the reversal goes out first, and fails for good.
    let server = Standin::builder()
        .policy(Policy::Content)
        .fault(Fault::Status(400), When::Nth(1))
        .start()
        .unwrap();
    let mut host = Host::ready(&["--model", &model(&server), "--concurrency", "1"]);
    let mut question = desks();
    question["order"] = json!("reverse");
    let told = host.refused("decide", &question);
    assert!(told.starts_with("error: the model chose `"), "{told}");
    assert!(
        told.contains("in the order given, and whether the order decides is open: undecided"),
        "{told}"
    );
    assert!(
        told.contains("; order `reverse` failed: answered 400"),
        "{told}"
    );
    assert!(
        told.ends_with("\nhelp: call again, or with another `order`"),
        "{told}"
    );
    let server = Standin::builder()
        .fault(Fault::Refusal, When::Always)
        .start()
        .unwrap();
    drop(host.end());
    let mut host = Host::ready(&["--model", &model(&server)]);
    let told = host.refused("decide", &desks());
    assert_eq!(told, "error: the model did not decide: refused");
    drop(host.end());
}

#[test]
fn each_order_says_whether_it_was_answered_refused_or_failed() {
    let [decide, _] = tools();
    let mut question = desks();
    question["options"] = json!([{"key": "delivery"}, {"key": "billing"}, {"key": "other"}]);
    // Refused where the first key sorts after the last one, so in the reversal alone.
    let server = standin(Policy::RefuseReversed);
    let mut host = Host::ready(&["--model", &model(&server)]);
    let result = host.call(1, "decide", &question);
    conforms(&decide, &result);
    let found = &result["structuredContent"];
    let choice = &found["choice"];
    assert_eq!(found["stable"], "order-sensitive");
    assert_eq!(found["votes"], json!([{"key": choice, "n": 2}]));
    assert_eq!(
        found["orders"],
        json!([
            {"order": "given", "outcome": "answered", "choice": choice},
            {"order": "reverse", "outcome": "refused"},
            {"order": "rotate:1", "outcome": "answered", "choice": choice},
            {"order": "same:1", "outcome": "answered", "choice": choice},
            {"order": "given", "outcome": "answered", "choice": choice, "again": true},
            {"order": "reverse", "outcome": "refused", "again": true},
        ])
    );
    assert_eq!(host.end().code, 0);

    // One at a time the asks go out in the order that the seed draws: the reversal first, the repeat third, the rotation last.
    let failing = |nth: u64| {
        let server = Standin::builder()
            .policy(Policy::Content)
            .fault(Fault::Status(400), When::Nth(nth))
            .start()
            .unwrap();
        let mut host = Host::ready(&["--model", &model(&server), "--concurrency", "1"]);
        let result = host.call(1, "decide", &question);
        assert_eq!(host.end().code, 0);
        result
    };
    let why = "answered 400: planned fault: 400 Bad Request";
    let result = failing(3);
    conforms(&decide, &result);
    assert_eq!(result["structuredContent"]["stable"], "stable");
    let orders = result["structuredContent"]["orders"].as_array().unwrap();
    assert_eq!(orders.len(), 4);
    assert_eq!(
        orders[3],
        json!({"order": "same:1", "outcome": "failed", "why": why})
    );
    for (nth, order) in [(1, "reverse"), (4, "rotate:1")] {
        let result = failing(nth);
        let told = result["content"][0]["text"].as_str().unwrap();
        let expected =
            format!("; order `{order}` failed: {why}\nhelp: call again, or with another `order`");
        assert!(told.ends_with(&expected), "{told}");
    }
}

#[test]
fn a_flip_that_could_not_be_confirmed_within_the_bound_is_refused_before_anything_is_asked() {
    let server = standin(Policy::First);
    let mut question = desks();
    for most in ["4", "5"] {
        let mut host = Host::ready(&["--model", &model(&server), "--max-asks", most]);
        assert_eq!(
            host.refused("decide", &question),
            format!(
                "error: this needs 4 asks, and 2 more to confirm a flip, and the call may make {most}\n\
                 help: ask fewer orders, or start the server with a larger `--max-asks`"
            )
        );
        assert_eq!(host.end().code, 0);
    }
    assert_eq!(server.count(), 0);
    let mut host = Host::ready(&["--model", &model(&server), "--max-asks", "3"]);
    assert_eq!(
        host.refused("decide", &question),
        "error: this needs 4 asks, and the call may make 3\n\
         help: ask fewer cases or orders, or start the server with a larger `--max-asks`"
    );
    // Nothing is to be confirmed where no order changes the request.
    question["order"] = json!("rotate:3");
    assert_eq!(
        host.call(1, "decide", &question)["structuredContent"]["asks"],
        1
    );
    assert_eq!(host.end().code, 0);
    let mut host = Host::ready(&["--model", &model(&server), "--max-asks", "6"]);
    assert_eq!(
        host.call(1, "decide", &desks())["structuredContent"]["asks"],
        6
    );
    assert_eq!(host.end().code, 0);
}
