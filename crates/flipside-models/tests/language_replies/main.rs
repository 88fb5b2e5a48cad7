//! Language models: what replies say, and what they are refused for.

#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

#[path = "../common/mod.rs"]
mod common;
mod letters;
mod plain;
mod texts;

use flipside_core::answer::{Answer, Declined, Readout};
use flipside_core::case::Case;
use flipside_core::model::{Rejection, Reply};
use flipside_core::order::{OptionId, Order};
use flipside_core::present::Presentation;
use flipside_models::wire::Protocol;
use flipside_models::wire::language::{Api, LanguageModel, Read, Settings, Template};
use proptest::prelude::*;

use common::{case, levels, noul};

fn protocol(api: Api, read: Read) -> LanguageModel {
    LanguageModel::new(Settings::standard(api, read), Template::standard(read))
}

fn reply(body: &str) -> Reply {
    Reply {
        body: body.to_owned(),
        ..Reply::default()
    }
}

fn read_as(api: Api, read: Read, case: &Case, body: &str) -> Result<Answer, Rejection> {
    let order = Order::own(case.options.len());
    protocol(api, read).read(&Presentation::new(case, &order), &reply(body))
}

fn letters(case: &Case, body: &str) -> Result<Answer, Rejection> {
    read_as(Api::Chat, Read::Letter, case, body)
}

fn three() -> Case {
    case(
        "c",
        r#""s""#,
        &[
            ("billing", r#""payments""#),
            ("technical", r#""errors""#),
            ("human", "null"),
        ],
    )
}

fn two() -> Case {
    case(
        "c",
        r#""s""#,
        &[("billing", r#""payments""#), ("human", "null")],
    )
}

/// One position in chat's words: each token with its number.
fn position(tokens: &[(&str, f64)]) -> String {
    let token = |(token, log): &(&str, f64)| {
        format!(r#"{{"token":{token:?},"bytes":null,"logprob":{log:?}}}"#)
    };
    let top: Vec<String> = tokens.iter().map(token).collect();
    let (first, log) = tokens[0];
    format!(
        r#"{{"token":{first:?},"bytes":null,"logprob":{log:?},"top_logprobs":[{}]}}"#,
        top.join(",")
    )
}

fn chat(content: &str, positions: &[String]) -> String {
    format!(
        r#"{{"id":"c-1","model":"m","choices":[{{"index":0,"finish_reason":"length","message":{{"role":"assistant","content":{content:?}}},"logprobs":{{"content":[{}]}}}}]}}"#,
        positions.join(",")
    )
}

/// A reply whose one position lists these tokens.
fn listing(tokens: &[(&str, f64)]) -> String {
    chat(tokens[0].0, &[position(tokens)])
}

fn readout(answer: &Answer) -> &Readout {
    answer.readout.as_deref().unwrap()
}

#[track_caller]
fn close(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() < 1e-12,
        "{found} is not {expected}"
    );
}

#[track_caller]
fn refused(found: Result<Answer, Rejection>, text: &str) {
    assert_eq!(found.unwrap_err().to_string(), text);
}

/// The reply of the wire page, 6.2.
const WORKED: &str = r#"{"id":"c-1","object":"chat.completion","model":"m","system_fingerprint":"fp1",
 "choices":[{"index":0,"finish_reason":"length","message":{"role":"assistant","content":"A"},
  "logprobs":{"content":[{"token":"A","bytes":[65],"logprob":-0.3425,"top_logprobs":[
    {"token":"A","bytes":[65],"logprob":-0.3425},{"token":"B","bytes":[66],"logprob":-1.4697},
    {"token":" C","bytes":[32,67],"logprob":-3.1011},{"token":"C","bytes":[67],"logprob":-4.1997}]}]}}],
 "usage":{"prompt_tokens":41,"completion_tokens":1,"total_tokens":42,"prompt_tokens_details":{"cached_tokens":32}}}"#;

const REASONS: &str = "the model reasons before it answers, so that its first token is no letter; turn that off with `reasoning=none` or `thinking=off`, or ask with `read=plain` (reasoning)";

#[test]
fn reasoning_is_refused_with_its_remedy() {
    let inline = chat("<think>", &[position(&[("<think>", -0.01), ("A", -5.0)])]);
    refused(letters(&two(), &inline), REASONS);
    let beside = WORKED.replace(
        r#""content":"A"}"#,
        r#""content":"A","reasoning_content":"Let me see"}"#,
    );
    refused(letters(&three(), &beside), REASONS);
    let ollama = r#"{"model":"m","message":{"role":"assistant","content":"","thinking":"Let me"},"done_reason":"length"}"#;
    refused(read_as(Api::Ollama, Read::Letter, &two(), ollama), REASONS);
}

#[test]
fn a_refusal_is_one_and_no_failed_ask() {
    for body in [
        WORKED.replace(r#""content":"A"}"#, r#""content":null,"refusal":"I cannot"}"#),
        WORKED.replace(r#""finish_reason":"length""#, r#""finish_reason":"content_filter""#),
        chat("", &[]).replace(r#""finish_reason":"length""#, r#""finish_reason":"stop""#),
        r#"{"model":"m","choices":[{"finish_reason":"stop","message":{"content":""},"logprobs":null}]}"#.to_owned(),
    ] {
        let answer = letters(&three(), &body).unwrap();
        assert_eq!((answer.choice, answer.declined), (None, Some(Declined::Refusal)), "{body}");
    }
}

#[test]
fn without_log_probabilities_the_ask_fails_with_the_way_out() {
    const NONE: &str = "the reply has no log-probabilities, so that letters cannot be read: the server or a gateway before it drops them; ask with `read=plain`, or ask a server that gives them (no-logprobs)";
    let chat = r#"{"model":"m","choices":[{"finish_reason":"length","message":{"content":"A"},"logprobs":null}]}"#;
    refused(letters(&two(), chat), NONE);
    let completion = r#"{"model":"m","choices":[{"text":" A","finish_reason":"length"}]}"#;
    refused(
        read_as(Api::Completions, Read::Letter, &two(), completion),
        NONE,
    );
    refused(
        read_as(Api::LlamaCpp, Read::Letter, &two(), r#"{"content":"A"}"#),
        NONE,
    );
    let ollama = r#"{"model":"m","message":{"content":"A"},"done":true}"#;
    refused(read_as(Api::Ollama, Read::Letter, &two(), ollama), NONE);
}

#[test]
fn the_other_servers_are_read_in_their_own_words() {
    let llamacpp = r#"{"content":"A","completion_probabilities":[{"id":32,"token":"A","bytes":[65],"logprob":-0.3425,
      "top_logprobs":[{"id":32,"token":"A","bytes":[65],"logprob":-0.3425},{"id":33,"token":"B","bytes":[66],"logprob":-1.4697}]}],
      "tokens_evaluated":40,"tokens_predicted":1,"stop_type":"limit"}"#;
    let answer = read_as(Api::LlamaCpp, Read::Letter, &two(), llamacpp).unwrap();
    // exp(-.3425) / (exp(-.3425) + exp(-1.4697))
    close(answer.probabilities.as_deref().unwrap()[0], FIRST_OF_TWO);
    assert_eq!(
        (answer.usage.input_tokens, answer.usage.output_tokens),
        (Some(40), Some(1))
    );
    assert!(answer.remarks.is_empty());
    let ollama = r#"{"model":"m:8b","message":{"role":"assistant","content":"A"},"done":true,"done_reason":"length","prompt_eval_count":39,"eval_count":1,
      "logprobs":[{"token":"A","logprob":-0.3425,"top_logprobs":[{"token":"A","logprob":-0.3425},{"token":"B","logprob":-1.4697}]}]}"#;
    let answer = read_as(Api::Ollama, Read::Letter, &two(), ollama).unwrap();
    close(answer.probabilities.as_deref().unwrap()[0], FIRST_OF_TWO);
    assert_eq!(
        (answer.usage.input_tokens, answer.served_model.as_deref()),
        (Some(39), Some("m:8b"))
    );
    let completion = r#"{"model":"m","choices":[{"text":" A","finish_reason":"length","logprobs":{"tokens":[" A"],"token_logprobs":[-0.3425],
      "top_logprobs":[{" B":-1.4697," A":-0.3425}],"text_offset":[20]}}]}"#;
    let answer = read_as(Api::Completions, Read::Letter, &two(), completion).unwrap();
    close(answer.probabilities.as_deref().unwrap()[0], FIRST_OF_TWO);
    let as_chat = completion.replace(r#""tokens":[" A"],"token_logprobs":[-0.3425],"#, r#""content":[{"token":" A","logprob":-0.3425,"top_logprobs":[{"token":" A","logprob":-0.3425},{"token":"B","logprob":-1.4697}]}],"#);
    let answer = read_as(Api::Completions, Read::Letter, &two(), &as_chat).unwrap();
    close(answer.probabilities.as_deref().unwrap()[0], FIRST_OF_TWO);
}

const FIRST_OF_TWO: f64 = 0.755_321_798_926_902_4;

#[test]
fn scores_and_statements_are_read_by_their_own_rules() {
    let answer = letters(&levels(), WORKED).unwrap();
    // 0 * .710002 + 1 * .229997 + 2 * .060001
    assert!(
        (answer.score.unwrap() - 0.349_998_406).abs() < 1e-8,
        "{:?}",
        answer.score
    );
    let statement = noul([None, None]);
    let answer = letters(&statement, &listing(&[("B", -0.2), ("A", -1.9)])).unwrap();
    assert_eq!(answer.choice, Some(OptionId(1)), "false stands at B");
    let partial = letters(&statement, &listing(&[("B", -0.2), ("x", -1.9)])).unwrap();
    assert_eq!(
        (partial.choice, partial.probabilities),
        (Some(OptionId(1)), None)
    );
}

/// A choice of echoed text in OpenAI's words: each token with where it begins, in characters.
fn echoed(index: usize, tokens: &[(&str, Option<f64>)]) -> String {
    let mut offset = 0;
    let (mut texts, mut logs, mut offsets) = (Vec::new(), Vec::new(), Vec::new());
    for (token, log) in tokens {
        texts.push(format!("{token:?}"));
        logs.push(log.map_or_else(|| "null".to_owned(), |log| format!("{log:?}")));
        offsets.push(offset.to_string());
        offset += token.chars().count();
    }
    format!(
        r#"{{"index":{index},"text":"","logprobs":{{"tokens":[{}],"token_logprobs":[{}],"text_offset":[{}]}}}}"#,
        texts.join(","),
        logs.join(","),
        offsets.join(",")
    )
}

fn completions(choices: &[String]) -> String {
    format!(r#"{{"model":"m","choices":[{}]}}"#, choices.join(","))
}

const PREFIX: &str = "é\n\nWhich team?\n- billing: payments\n- human\nAnswer:";

/// As [`two`], with a state of two bytes and one character.
fn scored() -> Case {
    let mut case = two();
    case.state = common::json("\"é\"");
    case
}

fn texts(length: &str, body: &str) -> Result<Answer, Rejection> {
    let mut settings = Settings::standard(Api::Completions, Read::Text);
    settings.set("length", length).unwrap();
    let case = scored();
    let order = Order::own(2);
    LanguageModel::new(settings, Template::standard(Read::Text))
        .read(&Presentation::new(&case, &order), &reply(body))
}

fn billing(index: usize) -> String {
    echoed(
        index,
        &[
            (PREFIX, None),
            (" billing", Some(-0.5)),
            (": payments", Some(-1.25)),
        ],
    )
}

fn human(index: usize) -> String {
    // The last token was generated.
    echoed(
        index,
        &[
            (PREFIX, None),
            (" hum", Some(-0.25)),
            ("a", Some(-2.0)),
            ("n", Some(-0.5)),
            ("\n", Some(-0.1)),
        ],
    )
}

fn chat_of(content: &str) -> String {
    format!(
        r#"{{"model":"m","choices":[{{"finish_reason":"stop","message":{{"content":{}}}}}]}}"#,
        flipside_core::json::Json::String(content.to_owned())
    )
}

fn plain(case: &Case, content: &str) -> Answer {
    read_as(Api::Chat, Read::Plain, case, &chat_of(content)).unwrap()
}

#[test]
fn bodies_that_are_no_reply_are_refused_as_everywhere() {
    for (body, text) in [
        ("", "the reply is empty, expected JSON (json)"),
        (
            "<html>x</html>",
            "the reply is an HTML page, expected JSON (json)",
        ),
        ("[]", "the reply is an array, expected an object (json)"),
        (
            "{}",
            "the reply has no `choices`, expected at least one (choices)",
        ),
        (
            r#"{"choices":[{}]}"#,
            "the reply's choice has no `message` (message)",
        ),
        (
            r#"{"error":{"code":429,"message":"too many"}}"#,
            "the reply is an error 429: too many",
        ),
        (r#"{"error":"down"}"#, "the reply is an error: down"),
        (
            r#"{"choices":[{"message":{"content":"A"},"logprobs":{"content":[1]}}]}"#,
            "a position is a number, expected an object (logprobs)",
        ),
        (
            r#"{"choices":[{"message":{"content":"A"},"logprobs":{"content":[{"logprob":-1}]}}]}"#,
            "a listed token has neither `bytes` nor `token` (logprobs)",
        ),
        (
            r#"{"choices":[{"message":{"content":"A"},"logprobs":{"content":[{"token":"A"}]}}]}"#,
            "a listed token has no `logprob` (logprobs)",
        ),
        (
            r#"{"choices":[{"message":{"content":"A"},"logprobs":{"content":[{"token":"A","logprob":-1,"top_logprobs":["A"]}]}}]}"#,
            "a listed token is a string, expected an object (logprobs)",
        ),
    ] {
        refused(letters(&two(), body), text);
    }
    let ollama = r#"{"model":"m","done":true}"#;
    refused(
        read_as(Api::Ollama, Read::Plain, &two(), ollama),
        "the reply has no `message` (message)",
    );
    for (part, with, text) in [
        (
            r#""tokens":["x"]"#,
            r#""tokens":[1]"#,
            "a token is a number, expected a string (logprobs)",
        ),
        (
            r#""token_logprobs":[-1]"#,
            r#""token_logprobs":[]"#,
            "`token_logprobs` is shorter than `tokens` (logprobs)",
        ),
    ] {
        let body =
            r#"{"choices":[{"text":"x","logprobs":{"tokens":["x"],"token_logprobs":[-1]}}]}"#
                .replace(part, with);
        refused(read_as(Api::Completions, Read::Letter, &two(), &body), text);
    }
    let unnamed = WORKED.replace(r#""model":"m","#, "");
    assert_eq!(
        letters(&three(), &unnamed).unwrap().remarks,
        ["the reply does not say which model answered"]
    );
}

/// A list of `n` tokens of which only the first is a letter.
fn long(n: u16) -> String {
    let words: Vec<String> = (1..n).map(|place| format!("w{place}")).collect();
    let mut tokens = vec![("A", -0.1)];
    tokens.extend(
        (1..n)
            .zip(&words)
            .map(|(place, word)| (word.as_str(), -7.0 - f64::from(place) / 100.0)),
    );
    listing(&tokens)
}

#[test]
fn a_deeper_request_is_made_where_letters_are_missing_and_may_be_found() {
    let two = two();
    let order = Order::own(2);
    let shown = Presentation::new(&two, &order);
    let deeper = |protocol: &LanguageModel, body: &str| {
        let bytes = protocol.deeper(&shown, Some("m"), &reply(body))?;
        Some(String::from_utf8(bytes).unwrap())
    };
    let chat = protocol(Api::Chat, Read::Letter);
    let asked = deeper(&chat, &long(20)).unwrap();
    let first = String::from_utf8(chat.request(&shown, Some("m")).unwrap()).unwrap();
    assert_eq!(
        asked,
        first.replace(r#""top_logprobs":20"#, r#""top_logprobs":100"#)
    );
    assert_eq!(
        deeper(&chat, &long(5)),
        None,
        "a short list is all that the server gives"
    );
    assert_eq!(
        deeper(&chat, &long(100)),
        None,
        "the reply to such a request"
    );
    assert_eq!(
        deeper(&chat, &long(20).replace("\"w3\"", "\"B\"")),
        None,
        "all letters are listed"
    );
    assert_eq!(deeper(&chat, "{"), None);
    let mut settings = Settings::standard(Api::Chat, Read::Letter);
    settings.set("deeper", "no").unwrap();
    assert_eq!(
        deeper(
            &LanguageModel::new(settings, Template::standard(Read::Letter)),
            &long(20)
        ),
        None
    );
    assert_eq!(
        deeper(&protocol(Api::Ollama, Read::Letter), &long(20)),
        None
    );
}

proptest! {
    #[test]
    fn another_form_of_a_letter_never_lowers_it(
        a in -6.0..-1.5_f64, b in -6.0..-1.5_f64, more in -6.0..-1.5_f64,
    ) {
        let sorted = |mut tokens: Vec<(&'static str, f64)>| {
            tokens.sort_by(|one, other| other.1.total_cmp(&one.1));
            listing(&tokens)
        };
        // Coverage has no part in the law.
        let filled = |tokens: &[(&'static str, f64)]| sorted([tokens, &[("B", -2.9), ("A", -2.9)]].concat());
        let before = letters(&two(), &filled(&[(" A", a), ("b", b)])).unwrap();
        let after = letters(&two(), &filled(&[(" A", a), ("b", b), ("a", more)])).unwrap();
        let first = |answer: &Answer| answer.probabilities.as_ref().unwrap()[0];
        prop_assert!(first(&after) >= first(&before));
        let log = |answer: &Answer| readout(answer).log_probabilities[0].unwrap();
        prop_assert!(log(&after) > log(&before));
    }

    #[test]
    fn equal_entries_in_another_order_change_nothing(turn in 0_usize..4, log in -3.5..-1.7_f64) {
        let mut tokens = vec![("A", log), ("B", log), ("C", log), ("x", log)];
        let own = letters(&three(), &chat("A", &[position(&tokens)])).unwrap();
        tokens.rotate_left(turn);
        // A stays what was generated, wherever the list begins.
        let first = format!(r#"{{"token":{:?}"#, tokens[0].0);
        let generated = position(&tokens).replacen(&first, r#"{"token":"A""#, 1);
        let turned = letters(&three(), &chat("A", &[generated])).unwrap();
        prop_assert_eq!(own, turned);
    }

    #[test]
    fn no_body_makes_a_reader_panic(
        start in 0_usize..600, length in 0_usize..40, with in "[\\PC\"{}\\[\\]:,0-9-]{0,12}",
    ) {
        let echo = completions(&[billing(0), human(1)]);
        for (api, read, body) in [
            (Api::Chat, Read::Letter, WORKED), (Api::Chat, Read::Plain, WORKED), (Api::LlamaCpp, Read::Letter, WORKED),
            (Api::Ollama, Read::Letter, WORKED), (Api::Completions, Read::Letter, WORKED),
            (Api::Completions, Read::Text, echo.as_str()),
        ] {
            let chars: Vec<char> = body.chars().collect();
            let start = start.min(chars.len());
            let end = (start + length).min(chars.len());
            let changed: String = chars[..start].iter().copied().chain(with.chars()).chain(chars[end..].iter().copied()).collect();
            let case = if read == Read::Text { scored() } else { three() };
            let answer = read_as(api, read, &case, &changed);
            if let Ok(answer) = answer {
                let finite = |p: &Vec<f64>| p.iter().all(|p| p.is_finite());
                prop_assert!(answer.probabilities.as_ref().is_none_or(finite));
            }
            let order = Order::own(case.options.len());
            protocol(api, read).deeper(&Presentation::new(&case, &order), None, &reply(&changed));
        }
    }
}
