//! The chat route: forms, limits, settings, coverage.

use super::{CHAT, FIRST, PROMPT, ask, listed, server};
use crate::common::{Wire, after, builder};

#[test]
fn chat_answers_as_openai_does() {
    let standin = server("chat", "first", &[]);
    let reply = ask(&standin, CHAT);
    // 23 bytes of the system's text, a line end, 92 of the user's: 116, a quarter of it.
    let expected = format!(
        "{{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion\",\"created\":1790812800,\"model\":\"m\",\"choices\":[{{\"index\":0,\
         \"message\":{{\"role\":\"assistant\",\"content\":\"A\",\"refusal\":null}},\"logprobs\":{{\"content\":[{{\"token\":\"A\",\
         \"bytes\":[65],\"logprob\":-0.6162,\"top_logprobs\":[{}]}}],\"refusal\":null}},\"finish_reason\":\"length\"}}],\
         \"system_fingerprint\":\"fp_standin\",\"usage\":{{\"prompt_tokens\":29,\"completion_tokens\":1,\"total_tokens\":30,\
         \"prompt_tokens_details\":{{\"cached_tokens\":0}}}}}}",
        listed(&FIRST)
    );
    assert_eq!(reply.text(), expected);
    assert_eq!(
        (reply.status, reply.header("x-request-id")),
        (200, Some("req-1"))
    );
    let seen = &standin.seen()[0];
    assert_eq!(seen.keys, ["billing", "technical", "human"]);
    assert_eq!(seen.letters, ["A", "B", "C"]);
}

#[test]
fn chat_lists_what_is_asked_for_and_refuses_more_than_twenty() {
    let standin = server("chat", "first", &[]);
    let three = ask(&standin, &CHAT.replace("20", "3"));
    assert!(
        three
            .text()
            .contains(&format!("\"top_logprobs\":[{}]", listed(&FIRST[..3]))),
        "{}",
        three.text()
    );
    let none = ask(&standin, &CHAT.replace(",\"top_logprobs\":20", ""));
    assert!(
        none.text()
            .contains("\"logprob\":-0.6162,\"top_logprobs\":[]"),
        "{}",
        none.text()
    );
    let silent = ask(
        &standin,
        &CHAT.replace("\"logprobs\":true,\"top_logprobs\":20,", ""),
    );
    assert!(
        silent.text().contains("\"content\":\"A\"") && silent.text().contains("\"logprobs\":null"),
        "{}",
        silent.text()
    );
    let more = ask(&standin, &CHAT.replace("20", "21"));
    assert_eq!(
        (more.status, more.text()),
        (
            400,
            "{\"error\":{\"message\":\"Invalid value for 'top_logprobs': must be less than or equal to 20.\",\
               \"type\":\"invalid_request_error\",\"param\":\"top_logprobs\",\"code\":null}}"
        )
    );
    let five = server("chat", "first", &["top:5"]);
    assert_eq!(
        (
            ask(&five, &CHAT.replace("20", "6")).status,
            ask(&five, &CHAT.replace("20", "5")).status
        ),
        (400, 200)
    );
}

#[test]
fn a_list_may_be_cut_at_five_and_log_probabilities_ignored_without_a_word() {
    let five = ask(&server("top5", "first", &[]), CHAT);
    assert!(
        five.text()
            .contains(&format!("\"top_logprobs\":[{}]", listed(&FIRST[..5]))),
        "{}",
        five.text()
    );
    assert_eq!(ask(&server("top5", "first", &["top:5"]), CHAT).status, 400);
    let ignored = ask(&server("no-logprobs", "first", &[]), CHAT);
    assert!(
        ignored.text().contains("\"content\":\"A\"")
            && ignored.text().contains("\"logprobs\":null"),
        "{}",
        ignored.text()
    );
}

#[test]
fn what_chat_does_not_know_is_refused() {
    let standin = server("chat", "first", &[]);
    for (rest, param) in [
        ("\"messages\":[]", "messages"),
        ("\"messages\":[{\"content\":\"x\"}]", "messages"),
        ("\"prompt\":\"PROMPT\"", "messages"),
        (
            "\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"top_logprobs\":5",
            "top_logprobs",
        ),
        (
            "\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"logprobs\":5",
            "logprobs",
        ),
        (
            "\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"temperature\":3",
            "temperature",
        ),
        (
            "\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"max_completion_tokens\":0",
            "max_tokens",
        ),
        (
            "\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"max_tokens\":1.5",
            "max_tokens",
        ),
        (
            "\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"stream\":true",
            "stream",
        ),
        (
            "\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"n\":2",
            "n",
        ),
        (
            "\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"top_logprob\":2",
            "top_logprob",
        ),
    ] {
        let reply = ask(&standin, rest);
        assert_eq!(reply.status, 400, "{rest}");
        assert!(
            reply.text().contains(&format!("\"param\":\"{param}\"")),
            "{rest}: {}",
            reply.text()
        );
    }
    let strange = ask(&server("chat", "slot:4", &[]), CHAT);
    assert_eq!(
        (
            strange.status,
            after(strange.text(), "\"message\":\"", "\"")
        ),
        (400, "slot 4 of 3 options")
    );
    let broken = Wire::to(&standin).ask("{");
    assert_eq!(broken.status, 400);
    let keyed = builder("first")
        .dialect("chat".parse().unwrap())
        .key("k")
        .start()
        .unwrap();
    let reply = ask(&keyed, CHAT);
    assert_eq!(
        (reply.status, after(reply.text(), "\"code\":\"", "\"")),
        (401, "invalid_api_key")
    );
}

#[test]
fn settings_narrow_what_a_server_takes() {
    let warm = server("chat", "first", &["no-zero-temperature"]);
    assert_eq!(ask(&warm, CHAT).status, 400);
    assert_eq!(
        ask(&warm, &CHAT.replace("\"temperature\":0,", "")).status,
        200
    );
    let strict = server("chat", "first", &["strict-model"]);
    let reply = ask(&strict, CHAT);
    assert_eq!(
        (reply.status, after(reply.text(), "\"code\":\"", "\"")),
        (404, "model_not_found")
    );
    assert_eq!(
        Wire::to(&strict)
            .ask(&format!(
                "{{\"model\":\"standin-lm\",{}}}",
                CHAT.replace("PROMPT", PROMPT)
            ))
            .status,
        200
    );
    let named = builder("first")
        .dialect("chat".parse().unwrap())
        .model("other")
        .start()
        .unwrap();
    assert!(ask(&named, CHAT).text().contains("\"model\":\"other\""));
    let spaced = ask(&server("chat", "first", &["spaces:gpt2"]), CHAT);
    assert!(
        spaced
            .text()
            .contains("{\"token\":\"ĠA\",\"bytes\":[32,65],"),
        "{}",
        spaced.text()
    );
}

#[test]
fn letters_that_are_not_covered_leave_the_word_to_others() {
    // 0.3 * 0.9 * 5/8 = 0.16875 on `A`; 0.7 / 2 = 0.35 on `The`, the most probable token: ln 0.35 = -1.0498, ln 0.16875 = -1.7793.
    let standin = server("chat", "first", &["coverage:0.3"]);
    let reply = ask(&standin, CHAT);
    assert!(
        reply.text().contains("\"content\":\"The\""),
        "{}",
        reply.text()
    );
    let list = after(reply.text(), "\"top_logprobs\":[", "]}]");
    assert!(
        list.starts_with(&listed(&[
            ("The", "-1.0498"),
            (" The", "-1.743"),
            ("A", "-1.7793")
        ])),
        "{list}"
    );
    let long = ask(
        &standin,
        &CHAT.replace(
            "\"max_completion_tokens\":1",
            "\"max_completion_tokens\":16",
        ),
    );
    assert!(
        long.text().contains("\"content\":\"The answer is A.\""),
        "{}",
        long.text()
    );
    assert!(long.text().contains("\"finish_reason\":\"stop\""));
    // A grammar binds what is said, not what is reported.
    let bound = ask(
        &standin,
        &format!("{CHAT},\"structured_outputs\":{{\"choice\":[\"A\",\"B\",\"C\"]}}"),
    );
    assert!(
        bound.text().contains("\"content\":\"A\"")
            && bound
                .text()
                .contains("\"logprob\":-1.7793,\"top_logprobs\":[{\"token\":\"The\"")
    );
    let nothing = ask(&standin, &CHAT.replace("PROMPT", "Say something."));
    assert!(nothing.text().contains("\"content\":\"The\""));
}
