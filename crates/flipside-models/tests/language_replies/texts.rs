//! Texts of options by echo: what is scored, and why some are not.

use flipside_core::answer::{Answer, ReadoutKind};
use flipside_core::model::Rejection;
use flipside_core::order::{OptionId, Order};
use flipside_core::present::Presentation;
use flipside_models::wire::Protocol;
use flipside_models::wire::language::{Api, LanguageModel, Read, Settings, TIED, Template};

use super::{
    PREFIX, billing, close, completions, echoed, human, readout, refused, reply, scored, texts,
};

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

#[test]
fn of_equally_likely_texts_the_first_shown_is_the_choice_whatever_it_is() {
    let alike = |index, name: &str| echoed(index, &[(PREFIX, Some(-9.0)), (name, Some(-1.5))]);
    let body = completions(&[alike(0, " billing: payments"), alike(1, " human")]);
    let answer = texts("sum", &body).unwrap();
    assert_eq!(answer.probabilities.as_deref(), Some(&[0.5, 0.5][..]));
    assert_eq!(
        (answer.choice, answer.tied, answer.tie_broken),
        (Some(OptionId(0)), true, true)
    );
    assert_eq!(answer.remarks, [TIED]);
    // The other option is shown first.
    let alike = |index, name: &str| echoed(index, &[(REVERSED, Some(-9.0)), (name, Some(-1.5))]);
    let body = completions(&[alike(0, " human"), alike(1, " billing: payments")]);
    let answer = reversed(&body);
    assert_eq!(
        (answer.choice, answer.tied, answer.tie_broken),
        (Some(OptionId(1)), true, true)
    );
}

const REVERSED: &str = "é\n\nWhich team?\n- human\n- billing: payments\nAnswer:";

fn reversed(body: &str) -> Answer {
    let settings = Settings::standard(Api::Completions, Read::Text);
    let case = scored();
    let order = Order::reverse(2);
    LanguageModel::new(settings, Template::standard(Read::Text))
        .read(&Presentation::new(&case, &order), &reply(body))
        .unwrap()
}

const BY_BYTE: f64 = 0.589_309_376_091_426_5;

const NO_ECHO: &str = "the reply has no log-probabilities of what was sent; the server does not echo them, or a hop before it drops `echo` or `logprobs`: ask for letters with `read=letter`, with `scores=prompt` for vLLM's `prompt_logprobs`, or with `read=plain` (no-echo)";

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

/// A choice with `prompt_logprobs`, of which the first is null.
fn listed(index: usize, tokens: &[(&str, &str)]) -> String {
    let place = |(number, (token, log)): (usize, &(&str, &str))| {
        format!(r#"{{"{number}":{{"logprob":{log},"rank":1,"decoded_token":{token:?}}}}}"#)
    };
    let places: Vec<String> = tokens.iter().enumerate().map(place).collect();
    format!(
        r#"{{"index":{index},"text":"x","logprobs":null,"prompt_logprobs":[null,{}]}}"#,
        places.join(",")
    )
}

fn prompted(choices: &[String]) -> Result<Answer, Rejection> {
    let mut settings = Settings::standard(Api::Completions, Read::Text);
    settings.set("scores", "prompt").unwrap();
    let (case, order) = (scored(), Order::own(2));
    LanguageModel::new(settings, Template::standard(Read::Text)).read(
        &Presentation::new(&case, &order),
        &reply(&completions(choices)),
    )
}

#[test]
fn texts_are_scored_by_the_last_tokens_of_what_was_sent() {
    let first = listed(
        0,
        &[(":", "-9.0"), (" billing", "-0.5"), (": payments", "-1.25")],
    );
    let second = listed(
        1,
        &[
            (":", "-9.0"),
            (" hum", "-0.25"),
            ("a", "-2.0"),
            ("n", "-0.5"),
        ],
    );
    let answer = prompted(&[second.clone(), first.clone()]).unwrap();
    assert_eq!(
        readout(&answer).log_probabilities,
        [Some(-1.75), Some(-2.75)]
    );
    let of = |first: String| prompted(&[first, second.clone()]);
    refused(
        of(first.replace("prompt_logprobs", "other")),
        "the reply has no `prompt_logprobs`; the server does not know them, or a hop before it drops the field: ask with `scores=echo`, or for letters with `read=letter` (no-prompt-logprobs)",
    );
    refused(
        of(listed(0, &[(": b", "-1.0"), ("illing: payments", "-1.0")])),
        "no token begins where the option begins: token `: b` stands across; end the template's `[user]` part in another character, such as `:` (token-boundary)",
    );
    refused(
        of(listed(0, &[(" billing", "-1.0"), (": payment", "-1.0")])),
        "a token of `prompt_logprobs` is `: payment`, which does not end ` billing: payments` (prompt-tokens)",
    );
    refused(
        of(first.replace("-0.5", "0.5")),
        "a token of ` billing: payments` has the log-probability 0.5, which is above 0 (logprob-positive)",
    );
    refused(
        of(listed(0, &[(": payments", "-1.0")])),
        "a place of `prompt_logprobs` is null, expected the one token that was sent (prompt-tokens)",
    );
    refused(
        of(first.replace("[null,", "[").replace(r#"{"0":{"logprob":-9.0,"rank":1,"decoded_token":":"}},{"1":{"logprob":-0.5,"rank":1,"decoded_token":" billing"}},"#, "")),
        "`prompt_logprobs` ends before ` billing` of the option is read (prompt-tokens)",
    );
    refused(
        of(first.replace(
            r#""decoded_token":": payments"}"#,
            r#""decoded_token":": payments"},"9":{"logprob":-1.0,"decoded_token":"x"}"#,
        )),
        "a place of `prompt_logprobs` is 2 tokens, expected the one token that was sent (prompt-tokens)",
    );
    refused(
        of(first.replace(r#""decoded_token":": payments""#, r#""decoded_token":"""#)),
        "a token of `prompt_logprobs` has no `decoded_token` with its `logprob` (prompt-tokens)",
    );
}

#[test]
fn scores_are_by_echo_or_by_prompt_and_a_record_says_which() {
    let mut settings = Settings::standard(Api::Completions, Read::Text);
    let problem = |settings: &mut Settings, name, value| settings.set(name, value).unwrap_err().0;
    assert_eq!(
        problem(&mut settings, "scores", "both"),
        "`scores` is `both`, expected `echo` or `prompt`"
    );
    let wire = |settings: &Settings| {
        LanguageModel::new(settings.clone(), Template::standard(Read::Text)).wire()
    };
    assert_eq!(wire(&settings).settings.get("scores"), None);
    settings.set("scores", "prompt").unwrap();
    assert_eq!(
        problem(&mut settings, "tokens", "0"),
        "`tokens` is `0`, expected `1` with `scores=prompt`"
    );
    let wire = wire(&settings);
    assert_eq!(wire.settings["scores"], "prompt");
    assert_eq!(wire.settings["tokens"], "1");
    assert_eq!(flipside_models::wire::open(&wire).unwrap().wire(), wire);
}
