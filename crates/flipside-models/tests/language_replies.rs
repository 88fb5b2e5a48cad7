//! Language models: what replies say, and what they are refused for.

#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

mod common;

use common::{case, levels, noul};
use flipside_core::answer::{Answer, Declined, Readout, ReadoutKind, Usage};
use flipside_core::case::{Case, KeyBinding};
use flipside_core::model::{Rejection, Reply};
use flipside_core::order::{OptionId, Order};
use flipside_core::present::Presentation;
use flipside_models::wire::Protocol;
use flipside_models::wire::language::{
    Api, LOW_COVERAGE, LanguageModel, Read, Settings, TIED, Template,
};
use proptest::prelude::*;

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

#[test]
fn the_worked_reply_gives_its_distribution() {
    let answer = letters(&three(), WORKED).unwrap();
    assert_eq!(answer.choice, Some(OptionId(0)));
    // Python: a, b, c = exp(-.3425), exp(-1.4697), exp(-3.1011) + exp(-4.1997); log(c), a + b + c, a / (a + b + c), ..
    let p = answer.probabilities.as_deref().unwrap();
    close(p[0], 0.710_002_104_994_970_7);
    close(p[1], 0.229_997_383_969_444_08);
    close(p[2], 0.060_000_511_035_585_1);
    let found = readout(&answer);
    assert_eq!(
        (found.kind, found.bound),
        (ReadoutKind::LetterLogprobs, None)
    );
    close(found.covered.unwrap(), 0.999_987_344_249_606_7);
    close(
        found.log_probabilities[2].unwrap(),
        -2.813_414_855_367_034_4,
    );
    assert_eq!((answer.tied, answer.rounding), (false, 0.0));
    assert_eq!(answer.served_model.as_deref(), Some("m"));
    assert_eq!(answer.build.unwrap().fingerprint.as_deref(), Some("fp1"));
    let usage = Usage {
        input_tokens: Some(41),
        output_tokens: Some(1),
        cached_tokens: Some(32),
        cost_usd_micros: None,
    };
    assert_eq!(answer.usage, usage.into());
    assert!(answer.remarks.is_empty());
}

#[test]
fn a_distribution_goes_to_identities_whatever_the_order() {
    let three = three();
    let order = Order::rotate(3, 1);
    let shown = Presentation::new(&three, &order);
    let answer = protocol(Api::Chat, Read::Letter)
        .read(&shown, &reply(WORKED))
        .unwrap();
    let first = order.identities()[0];
    assert_eq!(answer.choice, Some(first));
    close(
        answer.probabilities.unwrap()[first.index()],
        0.710_002_104_994_970_7,
    );
    close(
        readout_log(&protocol(Api::Chat, Read::Letter), &shown, first),
        -0.3425,
    );
}

fn readout_log(protocol: &LanguageModel, shown: &Presentation<'_>, id: OptionId) -> f64 {
    let answer = protocol.read(shown, &reply(WORKED)).unwrap();
    readout(&answer).log_probabilities[id.index()].unwrap()
}

#[test]
fn the_forms_of_a_letter_are_added_up() {
    let listed = [
        ("A", -1.2),
        ("B", -1.5),
        (" A", -1.6),
        ("x", -2.0),
        ("a", -3.0),
    ];
    let answer = letters(&two(), &listing(&listed)).unwrap();
    // Python: log(exp(-1.2) + exp(-1.6) + exp(-3)) = -0.58852.., that plus exp(-1.5) covered.
    let a: f64 = [-1.2_f64, -1.6, -3.0].iter().map(|log| log.exp()).sum();
    close(readout(&answer).log_probabilities[0].unwrap(), A_FORMS);
    close(readout(&answer).covered.unwrap(), FORMS_COVERED);
    close(answer.probabilities.unwrap()[0], A_SHARE);
    close(a.ln(), A_FORMS);
}

const A_FORMS: f64 = -0.592_618_281_491_109_4;
const FORMS_COVERED: f64 = 0.776_007_958_423_151_3;
const A_SHARE: f64 = 0.712_464_082_711_431_9;

#[test]
fn bytes_come_before_the_token_and_only_ascii_is_folded() {
    let body = WORKED.replace(
        r#""token":"A","bytes":[65]"#,
        r#""token":"�","bytes":[226,150,129,65]"#,
    );
    assert_eq!(
        letters(&three(), &body).unwrap().choice,
        Some(OptionId(0)),
        "the space marker of three bytes"
    );
    let kelvin = listing(&[("\u{212a}", -0.2), ("A", -2.5), ("B", -3.5)]);
    let mut eleven = two();
    eleven.keys = KeyBinding::Place;
    for (option, key) in eleven.options.iter_mut().zip(["K", "B"]) {
        option.key.0 = key.to_owned();
    }
    let answer = letters(&eleven, &kelvin);
    refused(
        answer,
        "the letters have a probability of 0.0302 together, expected at least 0.05: the model does not answer with a letter; change the template, or ask with `read=plain` (coverage)",
    );
}

#[test]
fn a_letter_that_is_not_listed_is_not_observed_and_never_zero() {
    let answer = letters(&three(), &listing(&[("B", -0.2), ("A", -2.0), ("x", -4.0)])).unwrap();
    assert_eq!(answer.choice, Some(OptionId(1)));
    assert_eq!(
        answer.probabilities, None,
        "no distribution without the third"
    );
    let found = readout(&answer);
    assert_eq!(found.log_probabilities, [Some(-2.0), Some(-0.2), None]);
    // 1 - exp(-.2) - exp(-2) - exp(-4) is 0.0276, of which the smallest listed token leaves at most exp(-4) to one.
    assert_eq!(found.bound, Some(-4.0));
    // What is left of 1 bounds it where that is less: 1 - exp(-.0005) - exp(-7.7) = 0.000047.
    let answer = letters(&two(), &listing(&[("A", -0.0005), ("x", -7.7)])).unwrap();
    close(readout(&answer).bound.unwrap(), BOUND);
    assert_eq!(answer.choice, Some(OptionId(0)));
}

const BOUND: f64 = -9.964_345_645_296_651;

#[test]
fn the_top_letter_decides_only_above_what_others_may_have() {
    refused(
        letters(&two(), &listing(&[("x", -0.9), ("y", -1.9), ("A", -2.5)])),
        "1 of 2 letters are listed and the top one has no more than one that is not may have; ask with a larger `top` or `deeper` (bound)",
    );
}

/// The choice, and whether it is tied and nobody stated it.
fn settled(answer: &Answer) -> (Option<OptionId>, bool, bool) {
    assert_eq!(
        answer.tie_broken,
        answer.remarks.iter().any(|remark| remark == TIED)
    );
    (answer.choice, answer.tied, answer.tie_broken)
}

#[test]
fn the_generated_letter_decides_a_tie_else_the_first_position() {
    // All letters listed, and with C not listed.
    for third in ["C", "x"] {
        let tie = |generated: &str, then: &str| {
            let body = listing(&[(generated, -1.0), (then, -1.0), (third, -3.0)]);
            settled(&letters(&three(), &body).unwrap())
        };
        assert_eq!(tie("B", "A"), (Some(OptionId(1)), true, false), "{third}");
        assert_eq!(tie("A", "B"), (Some(OptionId(0)), true, false), "{third}");
    }
    // What was generated is none of the most likely: the first position of B and C, in every order.
    let body = listing(&[("A", -3.0), ("B", -1.0), ("C", -1.0), ("x", -4.0)]);
    for by in 0..3 {
        let three = three();
        let order = Order::rotate(3, by);
        let shown = Presentation::new(&three, &order);
        let answer = protocol(Api::Chat, Read::Letter).read(&shown, &reply(&body));
        assert_eq!(
            settled(&answer.unwrap()),
            (Some(order.identities()[1]), true, true),
            "{by}"
        );
    }
    // The generated letter is a statement within a tie alone.
    let body = listing(&[("B", -1.5), ("A", -0.5), ("C", -3.0)]);
    assert_eq!(
        settled(&letters(&three(), &body).unwrap()),
        (Some(OptionId(0)), false, false)
    );
    // Yes and no: the second letter is `false`.
    let body = listing(&[("B", -0.7), ("A", -0.7)]);
    assert_eq!(
        settled(&letters(&noul([None, None]), &body).unwrap()),
        (Some(OptionId(1)), true, false)
    );
}

#[test]
fn too_unlikely_to_say_is_not_observed() {
    let answer = letters(
        &two(),
        &listing(&[("A", -0.15), ("x", -3.0), ("B", -9999.0)]),
    )
    .unwrap();
    let found = readout(&answer);
    assert_eq!(found.log_probabilities, [Some(-0.15), None]);
    assert_eq!(found.bound, Some(-3.0));
    assert_eq!(
        (answer.choice, answer.probabilities),
        (Some(OptionId(0)), None)
    );
}

#[test]
fn little_coverage_is_a_remark_and_less_a_failed_ask() {
    // exp(-1) + exp(-3) = 0.418
    let answer = letters(&two(), &listing(&[("x", -0.6), ("A", -1.0), ("B", -3.0)])).unwrap();
    assert_eq!(answer.remarks, [LOW_COVERAGE]);
    assert!((readout(&answer).covered.unwrap() - 0.417_666_509_5).abs() < 1e-9);
    // exp(-4) + exp(-5) = 0.0251
    refused(
        letters(&two(), &listing(&[("x", -0.1), ("A", -4.0), ("B", -5.0)])),
        "the letters have a probability of 0.0251 together, expected at least 0.05: the model does not answer with a letter; change the template, or ask with `read=plain` (coverage)",
    );
    refused(
        letters(&two(), &listing(&[("The", -0.1), ("I", -3.0)])),
        "none of the letters is among the listed tokens, so that the model does not answer with one; change the template, or ask with `read=plain` (no-letter)",
    );
}

#[test]
fn numbers_that_are_no_log_probabilities_are_refused_with_the_value() {
    for (tokens, text) in [
        (
            vec![("A", 0.7), ("B", 0.3)],
            "token `A` has the log-probability 0.7, which is above 0 (logprob-positive)",
        ),
        (
            vec![("A", -2.0), ("x", -3.0), ("B", -1.0)],
            "the listed tokens are not in order: -1 after -3 (logprob-order)",
        ),
        (
            vec![("A", 0.0), ("B", 0.0)],
            "every listed log-probability is 0, so that the server does not give them (logprob-zero)",
        ),
        (
            vec![("A", 0.0)],
            "every listed log-probability is 0, so that the server does not give them (logprob-zero)",
        ),
        (
            vec![("A", -0.1), ("B", -0.2)],
            "the listed tokens have a probability of 1.7236 together, so that they are no log-probabilities (logprob-sum)",
        ),
    ] {
        refused(letters(&two(), &listing(&tokens)), text);
    }
    let text = WORKED.replace("-1.4697", "\"-1.4697\"");
    refused(
        letters(&three(), &text),
        "a log-probability is the string `-1.4697`, expected a finite number (logprobs)",
    );
    let large = WORKED.replace("-1.4697", "-1e999");
    refused(
        letters(&three(), &large),
        "a log-probability is -1e999, expected a finite number (logprobs)",
    );
}

#[test]
fn the_generated_token_may_stand_anywhere_in_the_list() {
    // A grammar generated B, which the raw numbers rank second; the server puts it first.
    let body = listing(&[("B", -1.5), ("A", -0.3), ("x", -4.0)]);
    assert_eq!(letters(&two(), &body).unwrap().choice, Some(OptionId(0)));
}

#[test]
fn the_first_position_with_an_answer_is_read_and_an_object_by_its_offset() {
    let blank = position(&[("\n", -0.1), ("x", -3.0)]);
    let mark = position(&[("**", -0.1), ("x", -3.0)]);
    let answer = position(&[("B", -0.1), ("A", -3.0)]);
    let body = chat("\n**B", &[blank.clone(), mark, answer.clone()]);
    assert_eq!(letters(&two(), &body).unwrap().choice, Some(OptionId(1)));
    let mut parts: Vec<String> = ["{", "\"", "answer", "\":", " \""]
        .map(|token| position(&[(token, -0.1), ("A", -2.6)]))
        .into();
    parts.push(answer);
    parts.push(position(&[("\"}", -0.1)]));
    let object = chat("{\"answer\": \"B\"}", &parts);
    assert_eq!(letters(&two(), &object).unwrap().choice, Some(OptionId(1)));
    refused(
        letters(&two(), &chat("{\"an", &parts[..3])),
        "the reply begins a JSON object without an `answer` in it; set `tokens` to more, or ask for the letter alone (json-answer)",
    );
    refused(
        letters(&two(), &chat("\n", &[blank])),
        "the reply has blanks where its answer was to be; set `tokens` to more than it has, such as `tokens=4` (blank-token)",
    );
}

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

#[test]
fn texts_are_scored_by_their_own_tokens_and_no_others() {
    // By index, whatever the order in the reply.
    let body = completions(&[human(1), billing(0)]);
    let answer = texts("sum", &body).unwrap();
    let found = readout(&answer);
    assert_eq!(found.kind, ReadoutKind::TextLogprobs);
    assert_eq!(found.log_probabilities, [Some(-1.75), Some(-2.75)]);
    // ` billing: payments` has 18 bytes, ` human` has 6.
    close(found.per_byte[0].unwrap(), -1.75 / 18.0);
    close(found.per_byte[1].unwrap(), -2.75 / 6.0);
    assert_eq!((found.covered, answer.choice), (None, Some(OptionId(0))));
    // exp(0) / (exp(0) + exp(-1))
    close(answer.probabilities.unwrap()[0], 0.731_058_578_630_004_9);
    let by_byte = texts("mean", &body).unwrap();
    close(by_byte.probabilities.unwrap()[0], BY_BYTE);
    // A token that begins every text moves all offsets.
    let begun = |choice: String| {
        choice
            .replace(r#""tokens":["#, r#""tokens":["<s>","#)
            .replace(r#""token_logprobs":["#, r#""token_logprobs":[null,"#)
    };
    let shifted = begun(echoed_after(
        3,
        0,
        &[
            (PREFIX, Some(-9.0)),
            (" billing", Some(-0.5)),
            (": payments", Some(-1.25)),
        ],
    ));
    let answer = texts("sum", &completions(&[shifted, human(1)])).unwrap();
    assert_eq!(readout(&answer).log_probabilities[0], Some(-1.75));
}

/// As [`echoed`], after a token of `before` characters.
fn echoed_after(before: usize, index: usize, tokens: &[(&str, Option<f64>)]) -> String {
    let plain = echoed(index, tokens);
    let (head, offsets) = plain.split_once(r#""text_offset":["#).unwrap();
    let moved: Vec<String> = offsets
        .trim_end_matches("]}}")
        .split(',')
        .map(|offset| (offset.parse::<usize>().unwrap() + before).to_string())
        .collect();
    format!(r#"{head}"text_offset":[0,{}]}}}}"#, moved.join(","))
}

const BY_BYTE: f64 = 0.589_309_376_091_426_5;

const NO_ECHO: &str = "the reply has no log-probabilities of what was sent; the server does not echo them: ask for letters with `read=letter`, or with `read=plain` (no-echo)";

#[test]
fn texts_that_cannot_be_scored_say_why() {
    let merged = echoed(
        0,
        &[
            (&PREFIX[..PREFIX.len() - 1], None),
            (": b", Some(-1.0)),
            ("illing: payments", Some(-1.0)),
        ],
    );
    refused(
        texts("sum", &completions(&[merged, human(1)])),
        "no token begins where the option begins: token `: b` stands across; end the template's `[user]` part in another character, such as `:` (token-boundary)",
    );
    let silent = r#"{"index":0,"text":"x","logprobs":null}"#.to_owned();
    refused(texts("sum", &completions(&[silent])), NO_ECHO);
    let generated = echoed(0, &[("x", Some(-0.1))]);
    refused(texts("sum", &completions(&[generated])), NO_ECHO);
    refused(
        texts("sum", &completions(&[billing(0)])),
        "no choice has the index 1, so that option is not scored (choice-index)",
    );
    refused(
        texts("sum", &completions(&[billing(0), billing(0)])),
        "two choices have the index 0 (choice-index)",
    );
    refused(
        texts("sum", &completions(&[billing(2)])),
        "a choice has no `index` from 0 to 1 (choice-index)",
    );
    let unequal = billing(0).replace("-0.5,", "");
    refused(
        texts("sum", &completions(&[unequal])),
        "`tokens`, `token_logprobs` and `text_offset` have 3, 2 and 3 entries (echo-lists)",
    );
    let strange = billing(0).replace(r#""text_offset":[0"#, r#""text_offset":["0""#);
    refused(
        texts("sum", &completions(&[strange])),
        "`text_offset` has an entry that is no whole number (echo-lists)",
    );
    let positive = billing(0).replace("-0.5", "0.5");
    refused(
        texts("sum", &completions(&[positive])),
        "a token of ` billing: payments` has the log-probability 0.5, which is above 0 (logprob-positive)",
    );
    let null = billing(0).replace("-0.5", "null");
    refused(
        texts("sum", &completions(&[null])),
        "a log-probability is null, expected a finite number (logprobs)",
    );
    refused(
        texts("sum", r#"{"model":"m","choices":[]}"#),
        "the reply has no `choices`, expected at least one (choices)",
    );
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
fn plain_text_is_read_strictly() {
    for (content, id) in [
        ("B", 1),
        (" b\n", 1),
        ("B)", 1),
        ("B.", 1),
        ("technical", 1),
        ("errors", 1),
        ("technical: errors", 1),
        ("human", 2),
        (r#"{"answer":"B"}"#, 1),
        (
            "Here it is:\n```json\n{\"why\":\"x\",\"answer\": \"billing\"}\n```",
            0,
        ),
        ("<think>A? No, B.</think>\n\nB", 1),
    ] {
        let answer = plain(&three(), content);
        assert_eq!(
            (answer.choice, answer.declined),
            (Some(OptionId(id)), None),
            "{content}"
        );
        assert_eq!(
            (
                answer.probabilities,
                readout(&plain(&three(), content)).kind
            ),
            (None, ReadoutKind::Text)
        );
    }
    for content in [
        "D",
        "A or B",
        "The answer is B",
        "B) technical",
        "Technical",
        "(B)",
        "A B",
        "<think>B",
        r#"{"answer":"D"}"#,
        r#"{"answer":2}"#,
        r#"{"choice":"B"}"#,
        r#"{"answer":"A"} {"answer":"B"}"#,
        "\u{ff22}",
    ] {
        let answer = plain(&three(), content);
        assert_eq!(
            (answer.choice, answer.declined),
            (None, Some(Declined::Unreadable)),
            "{content}"
        );
        assert!(answer.is_unreadable());
    }
    assert_eq!(plain(&three(), "").declined, Some(Declined::Refusal));
}

#[test]
fn plain_text_that_fits_two_options_is_unreadable() {
    let same = case(
        "c",
        r#""s""#,
        &[("x", r#""one""#), ("y", r#""one""#), ("A", r#""two""#)],
    );
    assert!(plain(&same, "one").is_unreadable());
    assert!(
        plain(&same, "A").is_unreadable(),
        "the letter of one option and the key of another"
    );
    assert_eq!(plain(&same, "two").choice, Some(OptionId(2)));
}

#[test]
fn the_letters_that_are_shown_count_and_no_key_that_is_not() {
    // Shown as `A) green`, `B) blue`: no key is visible, and the letters stay where they are.
    for keys in [["A", "B", "C"], ["a", "b", "c"]] {
        let colours = [r#""red""#, r#""green""#, r#""blue""#];
        let lettered = case(
            "c",
            r#""s""#,
            &[
                (keys[0], colours[0]),
                (keys[1], colours[1]),
                (keys[2], colours[2]),
            ],
        );
        let order = Order::rotate(3, 1);
        let shown = Presentation::new(&lettered, &order);
        let ids = order.identities();
        for (content, place) in [("A", 0), ("b", 1), ("C)", 2)] {
            let body = chat_of(content);
            let answer = protocol(Api::Chat, Read::Plain)
                .read(&shown, &reply(&body))
                .unwrap();
            assert_eq!(answer.choice, Some(ids[place]), "{content}");
        }
        let colour = ["red", "green", "blue"][ids[1].index()];
        let line = chat_of(&format!("{}) {colour}", keys[1]));
        let answer = protocol(Api::Chat, Read::Plain)
            .read(&shown, &reply(&line))
            .unwrap();
        assert_eq!(answer.choice, Some(ids[1]));
    }
    // A template without keys: a key that is the letter of another option means the letter, another key its option.
    let template = Template::parse(
        "[user]\n{{options}}\n[option]\n{{letter}}. {{text}}\n",
        Read::Plain,
    )
    .unwrap();
    let model = LanguageModel::new(Settings::standard(Api::Chat, Read::Plain), template);
    let hidden = case(
        "c",
        r#""s""#,
        &[("x", r#""one""#), ("y", r#""two""#), ("A", r#""three""#)],
    );
    let order = Order::own(3);
    let shown = Presentation::new(&hidden, &order);
    for (content, id) in [("A", 0), ("x", 0), ("y", 1), ("C. three", 2)] {
        let answer = model.read(&shown, &reply(&chat_of(content))).unwrap();
        assert_eq!(answer.choice, Some(OptionId(id)), "{content}");
    }
    assert_eq!(
        plain(&three(), "B) technical: errors").choice,
        Some(OptionId(1))
    );
    assert!(plain(&three(), "C) technical: errors").is_unreadable());
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
