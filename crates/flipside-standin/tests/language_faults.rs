//! Each fault of a language model's server, as it shows on the wire.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends here")]

mod common;

use common::{Reply, Wire, after, builder};
use flipside_standin::{Dialect, Fault, Standin, When};

const BODY: &str = r#"{"model":"m","temperature":0,"max_tokens":40,"logprobs":true,"top_logprobs":3,"messages":[{"role":"user","content":"Which?\nA) pay: x\nB) wait: y\nLetter:"}]}"#;
const COMPLETION: &str = r#"{"model":"m","temperature":0,"max_tokens":40,"logprobs":3,"prompt":"Which?\nA) pay: x\nB) wait: y\nLetter:"}"#;
const LLAMACPP: &str = r#"{"temperature":0,"n_predict":40,"n_probs":3,"prompt":"Which?\nA) pay: x\nB) wait: y\nLetter:"}"#;
const OLLAMA: &str = r#"{"model":"m","options":{"temperature":0},"stream":false,"logprobs":true,"top_logprobs":3,"messages":[{"role":"user","content":"Which?\nA) pay: x\nB) wait: y\nLetter:"}]}"#;
const ECHO: &str = r#"{"model":"m","temperature":0,"max_tokens":0,"logprobs":0,"echo":true,"prompt":"Wéll?\nA) pay: x\nB) wait: y\nAnswer: pay"}"#;

/// Every dialect with a request in its form.
const ALL: [(&str, &str); 4] = [
    ("chat", BODY),
    ("completions", COMPLETION),
    ("llamacpp", LLAMACPP),
    ("ollama", OLLAMA),
];

fn server(dialect: &str, fault: &str, when: When) -> Standin {
    let builder = builder("first")
        .dialect(dialect.parse::<Dialect>().unwrap())
        .round(4);
    builder
        .fault(fault.parse::<Fault>().unwrap(), when)
        .start()
        .unwrap()
}

fn reply(dialect: &str, fault: &str, body: &str) -> Reply {
    Wire::to(&server(dialect, fault, When::Always)).ask(body)
}

/// The text said, in whichever form.
fn said(reply: &Reply) -> String {
    let text = reply.text();
    let from = ["\"content\":\"", "\"text\":\""]
        .into_iter()
        .find(|from| text.contains(from))
        .unwrap();
    let rest = text.split_once(from).unwrap().1;
    let end = rest
        .match_indices('"')
        .find(|(at, _)| !rest[..*at].ends_with('\\'))
        .unwrap()
        .0;
    rest[..end].to_owned()
}

#[test]
fn a_model_may_say_more_than_the_letter_and_less() {
    let texts = [
        ("status:200", ""),
        ("sentence", "The answer is A."),
        ("no-text", ""),
        ("content-filter", ""),
        ("refusal-text", "I'm sorry, I can't help."),
        ("several-letters", "A or B"),
        ("json-text", "{\\\"answer\\\":\\\"A\\\"}"),
        (
            "thinks-aloud",
            "<think>\\nB looks tempting, but A fits.\\n</think>\\n\\nA",
        ),
        ("markdown", "**A**"),
    ];
    for (fault, text) in &texts[1..] {
        for (dialect, body) in ALL {
            let reply = reply(dialect, fault, body);
            assert_eq!(said(&reply), *text, "{dialect} {fault}");
            let filtered = *fault == "content-filter" && dialect != "llamacpp";
            assert_eq!(
                reply.text().contains("\"content_filter\""),
                filtered,
                "{dialect} {fault}"
            );
        }
    }
}

#[test]
fn the_letter_has_its_own_place_in_the_log_probabilities() {
    // 0.96 * 0.9 * 5/8 = 0.54 on the usual spelling: ln 0.54 = -0.6162; fixed tokens have ln 0.99 = -0.0101.
    let letter =
        "{\"token\":\"A\",\"bytes\":[65],\"logprob\":-0.6162,\"top_logprobs\":[{\"token\":\"A\"";
    let place = |fault: &str| {
        let reply = reply("chat", fault, BODY);
        let list = after(reply.text(), "\"logprobs\":{\"content\":[", "],\"refusal\"").to_owned();
        let steps: Vec<&str> = list.split("]},{\"token\"").collect();
        let at = steps.iter().position(|step| {
            format!("{{\"token\"{step}").contains(&letter[9..]) || step.starts_with(letter)
        });
        (steps.len(), at)
    };
    assert_eq!(place("reasoning-content"), (1, Some(0)));
    assert_eq!(place("json-text"), (5, Some(3)));
    assert_eq!(place("markdown"), (3, Some(1)));
    assert_eq!(place("several-letters"), (3, Some(0)));
    let sentence = reply("chat", "sentence", BODY);
    assert!(sentence.text().contains("{\"token\":\" A\",\"bytes\":[32,65],\"logprob\":-0.6162,\"top_logprobs\":[{\"token\":\" A\""));
    assert!(
        sentence
            .text()
            .contains("[{\"token\":\"The\",\"bytes\":[84,104,101],\"logprob\":-0.0101,")
    );
    let cut = reply(
        "chat",
        "json-text",
        &BODY.replace("\"max_tokens\":40", "\"max_tokens\":1"),
    );
    assert!(said(&cut) == "{\\\"" && cut.text().contains("\"finish_reason\":\"length\""));
}

#[test]
fn thoughts_may_have_a_field_of_their_own() {
    let thoughts = "B looks tempting, but A fits.";
    let chat = reply("chat", "reasoning-content", BODY);
    assert!(
        said(&chat) == "A"
            && chat
                .text()
                .contains(&format!("\"reasoning_content\":\"{thoughts}\""))
    );
    let ollama = reply("ollama", "reasoning-content", OLLAMA);
    assert!(
        said(&ollama) == "A"
            && ollama
                .text()
                .contains(&format!("\"thinking\":\"{thoughts}\""))
    );
}

#[test]
fn a_refusal_has_a_field_where_the_form_has_one() {
    let chat = reply("chat", "refusal", BODY);
    let expected = "\"message\":{\"role\":\"assistant\",\"content\":null,\"refusal\":\"I'm sorry, I can't help with that.\"},\"logprobs\":null";
    assert!(chat.text().contains(expected), "{}", chat.text());
    for (dialect, body) in &ALL[1..] {
        assert_eq!(
            said(&reply(dialect, "refusal", body)),
            "I'm sorry, I can't help."
        );
    }
    let policy = builder("refuse-reversed")
        .dialect("chat".parse().unwrap())
        .start()
        .unwrap();
    let backward = BODY.replace("A) pay: x\\nB) wait: y", "A) wait: y\\nB) pay: x");
    assert!(
        Wire::to(&policy)
            .ask(&backward)
            .text()
            .contains("\"content\":null")
    );
    assert!(
        !Wire::to(&policy)
            .ask(BODY)
            .text()
            .contains("\"content\":null")
    );
}

#[test]
fn log_probabilities_may_be_missing_or_impossible() {
    for (dialect, body, null) in [
        ("chat", BODY, "\"logprobs\":null"),
        ("completions", COMPLETION, "\"logprobs\":null"),
        ("llamacpp", LLAMACPP, "\"completion_probabilities\":null"),
        ("ollama", OLLAMA, "\"logprobs\":null"),
    ] {
        assert!(
            reply(dialect, "logprobs-null", body).text().contains(null),
            "{dialect}"
        );
    }
    // 0.54, 0.216, 0.108 on the three spellings of A.
    let list = |fault: &str, dialect: &str, body: &str| {
        let reply = reply(dialect, fault, body);
        let text = reply
            .text()
            .split("top_logprobs\":[")
            .nth(1)
            .unwrap()
            .to_owned();
        let numbers = text
            .split("\"logprob\":")
            .skip(1)
            .map(|rest| rest.split(['}', ',']).next().unwrap().to_owned());
        numbers.collect::<Vec<String>>()
    };
    for (dialect, body) in [ALL[0], ALL[2], ALL[3]] {
        assert_eq!(
            list("positive-logprob", dialect, body),
            ["0.5", "-1.5325", "-2.2256"],
            "{dialect}"
        );
        assert_eq!(
            list("unsorted-list", dialect, body),
            ["-2.2256", "-1.5325", "-0.6162"],
            "{dialect}"
        );
        assert_eq!(
            list("zero-logprobs", dialect, body),
            ["0.0", "0.0", "0.0"],
            "{dialect}"
        );
    }
    let map = |fault: &str| {
        let reply = reply("completions", fault, COMPLETION);
        after(reply.text(), "\"top_logprobs\":[", "]").to_owned()
    };
    assert_eq!(
        map("positive-logprob"),
        "{\"A\":0.5,\" A\":-1.5325,\"a\":-2.2256}"
    );
    assert_eq!(
        map("unsorted-list"),
        "{\"a\":-2.2256,\" A\":-1.5325,\"A\":-0.6162}"
    );
    assert_eq!(map("zero-logprobs"), "{\"A\":0.0,\" A\":0.0,\"a\":0.0}");
    // B: 0.06, 0.024, 0.012; others 0.02, 0.01, 0.005, 0.0025, 0.0025: the last three are below 1 %.
    let long = BODY.replace("\"top_logprobs\":3", "\"top_logprobs\":20");
    let unlikely = list("unlikely-entries", "chat", &long);
    assert_eq!(unlikely.len(), 11);
    assert_eq!(
        unlikely
            .iter()
            .filter(|number| *number == "-9999.0")
            .count(),
        3,
        "{unlikely:?}"
    );
}

#[test]
fn tokens_may_be_half_a_character_or_lack_their_bytes() {
    let long = BODY.replace("\"top_logprobs\":3", "\"top_logprobs\":20");
    let partial = reply("chat", "partial-utf8", &long);
    // `The`, 0.02, is the most probable token that names no option.
    assert!(
        partial
            .text()
            .contains("{\"token\":\"\u{fffd}\",\"bytes\":[226,150],\"logprob\":-3.912}"),
        "{}",
        partial.text()
    );
    assert!(!partial.text().contains("\"The\"") && partial.text().contains("\" The\""));
    assert!(
        reply("chat", "no-bytes", BODY)
            .text()
            .contains("{\"token\":\"A\",\"bytes\":null,\"logprob\":-0.6162,")
    );
    assert!(
        reply("ollama", "no-bytes", OLLAMA)
            .text()
            .contains("{\"token\":\"A\",\"logprob\":-0.6162,")
    );
}

#[test]
fn names_change_on_the_requests_that_the_fault_names() {
    let fingerprints = server("chat", "fingerprint-changes", When::From(2));
    let models = server("ollama", "model-changes", When::Nth(2));
    let seen = |standin: &Standin, body: &str, name: &str| {
        let mut wire = Wire::to(standin);
        let from = format!("\"{name}\":\"");
        [0; 3].map(|_| after(wire.ask(body).text(), &from, "\"").to_owned())
    };
    assert_eq!(
        seen(&fingerprints, BODY, "system_fingerprint"),
        ["fp_standin", "fp_standin-changed", "fp_standin-changed"]
    );
    assert_eq!(seen(&models, OLLAMA, "model"), ["m", "m-changed", "m"]);
    for (dialect, body) in ALL {
        assert!(
            reply(dialect, "model-changes", body)
                .text()
                .contains("-changed\""),
            "{dialect}"
        );
    }
}

#[test]
fn counts_and_choices_may_be_missing() {
    for (dialect, body) in ALL {
        let right = reply(dialect, "no-bytes", body);
        let without = reply(dialect, "no-usage", body);
        for name in [
            "\"usage\":",
            "\"tokens_evaluated\":",
            "\"prompt_eval_count\":",
        ] {
            assert!(
                !without.text().contains(name),
                "{dialect}: {}",
                without.text()
            );
        }
        assert!(right.status == 200 && without.status == 200);
    }
    assert!(
        reply("chat", "no-choices", BODY)
            .text()
            .contains("\"choices\":[],")
    );
    assert!(
        reply("completions", "no-choices", COMPLETION)
            .text()
            .contains("\"choices\":[],")
    );
    assert_eq!(said(&reply("ollama", "no-choices", OLLAMA)), "");
}

#[test]
fn an_echo_may_straddle_or_count_otherwise() {
    let part = |fault: &str, from: &str| {
        let reply = reply("completions", fault, ECHO);
        after(reply.text(), from, "]").to_owned()
    };
    // Characters 0 to 34 are the prompt up to the colon; `é` has two bytes.
    assert!(
        part("no-usage", "\"text_offset\":[").ends_with(",33,34"),
        "{}",
        part("no-usage", "\"text_offset\":[")
    );
    assert!(part("byte-offsets", "\"text_offset\":[").ends_with(",34,35"));
    assert!(
        part("no-offsets", "\"text_offset\":[")
            .split(',')
            .all(|offset| offset == "-1")
    );
    assert!(part("straddling-token", "\"text_offset\":[").ends_with(",31,33"));
    assert!(part("straddling-token", "\"tokens\":[").ends_with(",\": pay\""));
}

#[test]
fn errors_have_each_servers_shape() {
    for (dialect, body, status, expected) in [
        (
            "chat",
            BODY,
            "status:429",
            "{\"error\":{\"message\":\"planned fault: 429 Too Many Requests\",\"type\":\"rate_limit_error\",\"param\":null,\"code\":\"rate_limit_error\"}}",
        ),
        (
            "completions",
            COMPLETION,
            "status:500",
            "{\"error\":{\"message\":\"planned fault: 500 Internal Server Error\",\"type\":\"server_error\",\"param\":null,\"code\":\"planned_fault\"}}",
        ),
        (
            "llamacpp",
            LLAMACPP,
            "status:503",
            "{\"error\":{\"code\":503,\"message\":\"Loading model\",\"type\":\"unavailable_error\"}}",
        ),
        (
            "llamacpp",
            LLAMACPP,
            "status:400",
            "{\"error\":{\"code\":400,\"message\":\"planned fault: 400 Bad Request\",\"type\":\"invalid_request_error\"}}",
        ),
        (
            "ollama",
            OLLAMA,
            "status:404",
            "{\"error\":\"planned fault: 404 Not Found\"}",
        ),
    ] {
        let reply = reply(dialect, status, body);
        assert_eq!(reply.text(), expected, "{dialect} {status}");
        assert_eq!(status, format!("status:{}", reply.status));
    }
    for (dialect, body) in ALL {
        assert!(
            reply(dialect, "html", body).text().starts_with("<html>"),
            "{dialect}"
        );
        assert_eq!(
            reply(dialect, "retry-after:429:0", body).header("retry-after"),
            Some("0"),
            "{dialect}"
        );
        assert!(
            reply(dialect, "bom", body)
                .body
                .starts_with(b"\xef\xbb\xbf{"),
            "{dialect}"
        );
    }
}
