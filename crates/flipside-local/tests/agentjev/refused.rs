//! Requests that are refused, and those just within the limits.

use flipside_core::json::Json;
use flipside_local::agentjev::{AgentJev, only};
use serde_json::Value;

use super::golden::{Golden, near};
use super::support::{TIGHT, open};

/// The request of an entry as text, with what is repeated in it written out.
fn request(entry: &Value) -> String {
    let mut request = entry["request_json"].as_str().unwrap().to_owned();
    for (mark, repeat) in entry["repeat"].as_object().into_iter().flatten() {
        let count = usize::try_from(repeat[1].as_u64().unwrap()).unwrap();
        let long = repeat[0].as_str().unwrap().repeat(count);
        request = request.replace(&format!("\"{mark}\""), &format!("\"{long}\""));
    }
    request
}

fn parsed(text: &str) -> Json {
    flipside_formats::json::parse(text).unwrap()
}

fn refusal(model: &AgentJev, request: &str) -> String {
    let request = parsed(request);
    let error = model.check(&request).unwrap_err().to_string();
    // Nothing is computed for a request of which one question is refused.
    assert_eq!(model.reply("m", &request).unwrap_err().to_string(), error);
    error
}

/// Ours, by the name of the golden.
const EXPECTED: [(&str, &str); 49] = [
    (
        "request-list",
        "the request needs `state` and an array of `questions`",
    ),
    (
        "state-missing",
        "state must be nonempty text, an object or an array",
    ),
    (
        "state-null",
        "state must be nonempty text, an object or an array",
    ),
    (
        "state-blank",
        "state must be nonempty text, an object or an array",
    ),
    (
        "state-blank-separator",
        "state must be nonempty text, an object or an array",
    ),
    (
        "state-number",
        "state must be nonempty text, an object or an array",
    ),
    (
        "state-boolean",
        "state must be nonempty text, an object or an array",
    ),
    (
        "questions-missing",
        "the request needs `state` and an array of `questions`",
    ),
    (
        "questions-empty",
        "the request needs `state` and an array of `questions`",
    ),
    (
        "questions-object",
        "the request needs `state` and an array of `questions`",
    ),
    ("question-text", "a question must be an object"),
    (
        "id-empty",
        "a question's `id` must be a string that is not empty",
    ),
    (
        "id-number",
        "a question's `id` must be a string that is not empty",
    ),
    ("id-twice", "two questions have the id `q`"),
    ("id-default-taken", "two questions have the id `1`"),
    (
        "type-unknown",
        "question `q`: `type` must be `boolean`, `choice` or `score`",
    ),
    (
        "question-missing",
        "question `q`: question must be nonempty text, an object or an array",
    ),
    (
        "question-null",
        "question `q`: question must be nonempty text, an object or an array",
    ),
    (
        "question-blank",
        "question `q`: question must be nonempty text, an object or an array",
    ),
    (
        "options-missing",
        "question `q`: `options` must be an object or an array",
    ),
    (
        "options-text",
        "question `q`: `options` must be an object or an array",
    ),
    ("options-one", "question `q`: 1 option, expected 2 to 255"),
    ("options-none", "question `q`: 0 options, expected 2 to 255"),
    (
        "option-null",
        "question `q`: option must be nonempty text, an object or an array",
    ),
    (
        "option-blank",
        "question `q`: option must be nonempty text, an object or an array",
    ),
    (
        "option-number",
        "question `q`: option must be nonempty text, an object or an array",
    ),
    (
        "option-key-empty",
        "question `q`: an option's key must not be empty",
    ),
    (
        "duplicates",
        "question `q`: `a` and `b` have the same text, which no model could tell apart",
    ),
    (
        "duplicates-rendered",
        "question `q`: `0` and `1` have the same text, which no model could tell apart",
    ),
    (
        "duplicates-text-and-object",
        "question `q`: `0` and `1` have the same text, which no model could tell apart",
    ),
    (
        "duplicate-criterion",
        "question `q`: `true` and `false` have the same text, which no model could tell apart",
    ),
    (
        "criteria-list",
        "question `q`: `criteria` must be an object",
    ),
    (
        "criteria-null",
        "question `q`: `criteria` must be an object",
    ),
    (
        "criterion-null",
        "question `q`: true criterion must be nonempty text, an object or an array",
    ),
    (
        "criterion-blank",
        "question `q`: false criterion must be nonempty text, an object or an array",
    ),
    ("levels-missing", "question `q`: `levels` must be an array"),
    ("levels-object", "question `q`: `levels` must be an array"),
    ("levels-one", "question `q`: 1 level, expected 2 to 10"),
    ("levels-eleven", "question `q`: 11 levels, expected 2 to 10"),
    (
        "level-null",
        "question `q`: level must be nonempty text, an object or an array",
    ),
    (
        "levels-equal",
        "question `q`: `0` and `1` have the same text, which no model could tell apart",
    ),
    (
        "options-256",
        "question `q`: 256 options, expected 2 to 255",
    ),
    (
        "questions-129",
        "129 questions in one request, expected 128 at most",
    ),
    (
        "paths-1025",
        "1025 candidates in one request, expected 1024 at most",
    ),
    (
        "long",
        "question 'q' needs 2135 tokens; limit 2048. Shorten the input; nothing was truncated.",
    ),
    (
        "long-apostrophe",
        "question \"it's\" needs 3035 tokens; limit 2048. Shorten the input; nothing was truncated.",
    ),
    (
        "long-quotes",
        "question 'a\"b\\'c\\n' needs 2135 tokens; limit 2048. Shorten the input; nothing was truncated.",
    ),
    (
        "exactly-2049",
        "question 'q' needs 2049 tokens; limit 2048. Shorten the input; nothing was truncated.",
    ),
    (
        "infinite-number",
        "state holds the number 1e400, which is too large",
    ),
];

/// The service's own text stands beside each request in the goldens.
#[test]
fn what_the_service_refuses_is_refused_in_our_words() {
    let golden = Golden::open("agentjev-a");
    let (_kept, folder) = golden.checkpoint();
    let model = open(&golden, &folder);
    let mut expected = EXPECTED.into_iter();
    for entry in golden.list("errors") {
        let name = entry["name"].as_str().unwrap();
        let request = request(entry);
        let theirs = entry["error"].as_str();
        if name == "nan" || name == "infinity" {
            // No JSON: it never reaches a model.
            flipside_formats::json::parse(&request).unwrap_err();
            continue;
        }
        let Some(theirs) = theirs else {
            model.check(&parsed(&request)).unwrap();
            model.reply("m", &parsed(&request)).unwrap();
            continue;
        };
        let found = refusal(&model, &request);
        assert_eq!(Some((name, found.as_str())), expected.next());
        if name.contains("long") || name.contains("exactly") {
            assert_eq!(
                found, theirs,
                "{name}: the page gives this one word for word"
            );
        }
        if theirs.contains("must be nonempty text") {
            assert!(found.ends_with(theirs), "{found}");
        }
    }
    assert_eq!(expected.next(), None);
}

/// A question of options that are called `option 0`, `option 1`, ...
fn wide(entry: &Value) -> String {
    let count = entry["count"].as_u64().unwrap();
    let options: Vec<String> = (0..count).map(|i| format!("\"option {i}\"")).collect();
    format!(
        r#"{{"state":{},"questions":[{{"id":"q","question":"{}","options":[{}]}}]}}"#,
        entry["state_json"].as_str().unwrap(),
        entry["question"].as_str().unwrap(),
        options.join(",")
    )
}

#[test]
fn two_hundred_and_fifty_five_options_are_answered_and_one_more_is_refused() {
    let golden = Golden::open("agentjev-a");
    let (_kept, folder) = golden.checkpoint();
    let model = open(&golden, &folder);
    let [most, more] = golden.list("wide") else {
        panic!("two entries");
    };
    let (state, question) = only(&parsed(&wide(most))).unwrap();
    let asked = model.ask(&state, &question).unwrap();
    assert_eq!(asked.answer.logits.len(), 255);
    near(
        "255 options",
        &asked.answer.logits,
        &golden.numbers("wide/255/z"),
        TIGHT,
    );
    assert_eq!(
        refusal(&model, &wide(more)),
        "question `q`: 256 options, expected 2 to 255"
    );
}
