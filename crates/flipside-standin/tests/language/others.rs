//! Completions, llama.cpp and Ollama.

use super::{CHAT, FIRST, ask, listed, post, server};
use crate::common::after;

const COMPLETION: &str = r#""prompt":"PROMPT","max_tokens":1,"temperature":0,"logprobs":3"#;

#[test]
fn completions_answer_as_vllm_does() {
    let standin = server("completions", "first", &[]);
    let reply = ask(&standin, COMPLETION);
    // 92 characters stand before the generated token.
    assert_eq!(
        reply.text(),
        "{\"id\":\"cmpl-1\",\"object\":\"text_completion\",\"created\":1790812800,\"model\":\"m\",\"choices\":[{\"index\":0,\"text\":\"A\",\
         \"logprobs\":{\"tokens\":[\"A\"],\"token_logprobs\":[-0.6162],\"top_logprobs\":[{\"A\":-0.6162,\" A\":-1.5325,\"a\":-2.2256}],\
         \"text_offset\":[92]},\"finish_reason\":\"length\"}],\"system_fingerprint\":\"fp_standin\",\"usage\":{\"prompt_tokens\":23,\
         \"completion_tokens\":1,\"total_tokens\":24,\"prompt_tokens_details\":{\"cached_tokens\":0}}}"
    );
    let more = ask(&standin, &COMPLETION.replace('3', "21"));
    assert_eq!(
        (more.status, after(more.text(), "\"message\":\"", "\"")),
        (
            400,
            "Requested sample logprobs of 21, which is greater than max allowed: 20"
        )
    );
    assert_eq!(
        ask(&standin, &COMPLETION.replace("\"PROMPT\"", "[1,2]")).status,
        400
    );
    let chat = post(
        &standin,
        "/v1/chat/completions",
        &format!("{{\"model\":\"m\",{CHAT}}}"),
    );
    assert!(chat.text().contains("\"object\":\"chat.completion\""));
}

const ECHO: &str = r#""prompt":["Wéll?\nA) pay: cash\nB) wait\nAnswer: pay","Wéll?\nA) pay: cash\nB) wait\nAnswer: wait"],"max_tokens":0,"echo":true,"logprobs":1,"temperature":0"#;

#[test]
fn each_token_of_a_prompt_is_listed_alone_where_no_others_are_asked_for() {
    let body = ECHO.replace(
        r#""max_tokens":0,"echo":true,"logprobs":1"#,
        r#""max_tokens":1,"prompt_logprobs":0"#,
    );
    let reply = ask(&server("completions", "first", &["no-echo"]), &body);
    let text = reply.text();
    assert_eq!(reply.status, 200, "{text}");
    // One token each, so the whole logarithm: ln 0.9 = -0.1054 and ln 0.1 = -2.3026.
    assert!(text.contains(r#""prompt_logprobs":[null,{"#), "{text}");
    for last in [
        r#"{"logprob":-0.1054,"rank":1,"decoded_token":" pay"}}]"#,
        r#"{"logprob":-2.3026,"rank":1,"decoded_token":" wait"}}]"#,
    ] {
        assert!(text.contains(last), "{text}");
    }
    assert!(
        text.contains(r#""logprobs":null"#) && !text.contains("text_offset"),
        "{text}"
    );
    for (wrong, why) in [
        (
            body.replace(r#""prompt_logprobs":0"#, r#""prompt_logprobs":1"#),
            "no other tokens of a prompt",
        ),
        (
            body.replace(r#""max_tokens":1"#, r#""max_tokens":0"#),
            "max_tokens must be at least 1",
        ),
    ] {
        let refused = ask(&server("completions", "first", &[]), &wrong);
        assert!(
            refused.status == 400 && refused.text().contains(why),
            "{}",
            refused.text()
        );
    }
}

#[test]
fn an_echo_gives_each_token_of_each_prompt() {
    let standin = server("completions", "first", &[]);
    let reply = ask(&standin, ECHO);
    let start = "\"Wéll\",\"?\",\"\\n\",\"A\",\")\",\" pay\",\":\",\" cash\",\"\\n\",\"B\",\")\",\" wait\",\"\\n\",\"Answ\",\"er\",\":\"";
    let offsets = "0,4,5,6,7,8,12,13,18,19,20,21,26,27,31,33";
    let twos = ",-2.0".repeat(15);
    let tops: Vec<String> = start
        .split("\",\"")
        .skip(1)
        .map(|token| format!(",{{\"{}\":-2.0}}", token.trim_matches('"')))
        .collect();
    let tops = tops.concat();
    // One token each, so the whole logarithm: ln 0.9 = -0.1054 and ln 0.1 = -2.3026, both at character 34 (byte 35).
    let choice = |index: usize, end: &str, logprob: &str| {
        format!(
            "{{\"index\":{index},\"text\":\"Wéll?\\nA) pay: cash\\nB) wait\\nAnswer:{end}\",\"logprobs\":{{\"tokens\":[{start},\"{end}\"],\
             \"token_logprobs\":[null{twos},{logprob}],\"top_logprobs\":[null{tops},{{\"{end}\":{logprob}}}],\
             \"text_offset\":[{offsets},34]}},\"finish_reason\":\"length\"}}"
        )
    };
    let expected = format!(
        "\"choices\":[{},{}]",
        choice(0, " pay", "-0.1054"),
        choice(1, " wait", "-2.3026")
    );
    assert!(
        reply.text().contains(&expected),
        "{}\n{expected}",
        reply.text()
    );
    assert_eq!(standin.seen()[0].keys, ["pay", "wait"]);
    let one_more = ask(
        &standin,
        &ECHO.replace("\"max_tokens\":0", "\"max_tokens\":1"),
    );
    assert!(one_more.text().contains(",34,38]"), "{}", one_more.text());
    assert_eq!(
        ask(&server("completions", "first", &["min-tokens:1"]), ECHO).status,
        400
    );
    let refused = ask(&server("completions", "first", &["no-echo"]), ECHO);
    assert!(
        refused.status == 400 && refused.text().contains("'echo' and 'logprobs'"),
        "{}",
        refused.text()
    );
}

#[test]
fn llamacpp_answers_as_its_server_does() {
    let standin = server("llamacpp", "first", &[]);
    let body = r#""prompt":"PROMPT","n_predict":1,"n_probs":2,"temperature":0,"cache_prompt":true"#;
    let reply = ask(&standin, body);
    assert_eq!(
        reply.text(),
        "{\"index\":0,\"content\":\"A\",\"tokens\":[],\"id_slot\":0,\"stop\":true,\"model\":\"m\",\"tokens_predicted\":1,\
         \"tokens_evaluated\":23,\"tokens_cached\":24,\"generation_settings\":{},\"truncated\":false,\"stop_type\":\"limit\",\
         \"stopping_word\":\"\",\"timings\":{},\"completion_probabilities\":[{\"id\":32,\"token\":\"A\",\"bytes\":[65],\"logprob\":-0.6162,\
         \"top_logprobs\":[{\"id\":32,\"token\":\"A\",\"bytes\":[65],\"logprob\":-0.6162},{\"id\":12057,\"token\":\" A\",\"bytes\":[32,65],\
         \"logprob\":-1.5325}]}]}"
    );
    // 1000 * 31 + 32 = 31032; 31032 * 31 + 65 = 962057; less 19 * 50000.
    let all = ask(&standin, &body.replace("\"n_probs\":2", "\"n_probs\":4000"));
    assert_eq!(all.text().matches("\"id\":").count(), 1 + FIRST.len());
    let after_sampling = ask(&standin, &format!("{body},\"post_sampling_probs\":true"));
    assert!(after_sampling.text().contains(
        "\"prob\":0.54,\"top_probs\":[{\"id\":32,\"token\":\"A\",\"bytes\":[65],\"prob\":0.54}"
    ));
    assert!(
        !ask(&standin, &body.replace("\"n_probs\":2,", ""))
            .text()
            .contains("completion_probabilities")
    );
    let object = ask(
        &standin,
        &format!(
            "{},\"json_schema\":{{\"properties\":{{\"pick\":{{}}}}}}",
            body.replace("\"n_predict\":1", "\"n_predict\":-1")
        ),
    );
    assert!(
        object
            .text()
            .contains("\"content\":\"{\\\"pick\\\":\\\"A\\\"}\""),
        "{}",
        object.text()
    );
    assert_eq!(ask(&standin, "\"messages\":[]").status, 400);
    let chat = post(
        &standin,
        "/v1/chat/completions",
        &format!("{{\"model\":\"m\",{}}}", CHAT.replace("20", "40")),
    );
    assert_eq!(chat.text().matches("\"logprob\":").count(), 1 + FIRST.len());
}

#[test]
fn ollama_answers_as_it_does() {
    let standin = server("ollama", "first", &[]);
    let body = r#""messages":[{"role":"user","content":"PROMPT"}],"stream":false,"logprobs":true,"top_logprobs":2,"options":{"temperature":0,"num_predict":1}"#;
    let reply = ask(&standin, body);
    assert_eq!(
        reply.text(),
        format!(
            "{{\"model\":\"m\",\"created_at\":\"2026-10-01T00:00:00Z\",\"message\":{{\"role\":\"assistant\",\"content\":\"A\"}},\"done\":true,\
             \"done_reason\":\"length\",\"total_duration\":1000000,\"prompt_eval_count\":23,\"eval_count\":1,\"logprobs\":[{{\"token\":\"A\",\
             \"bytes\":[65],\"logprob\":-0.6162,\"top_logprobs\":[{}]}}]}}",
            listed(&FIRST[..2])
        )
    );
    let more = ask(
        &standin,
        &body.replace("\"top_logprobs\":2", "\"top_logprobs\":21"),
    );
    assert_eq!(
        (more.status, more.text()),
        (400, "{\"error\":\"top_logprobs must be between 0 and 20\"}")
    );
    let lines = ask(&standin, &body.replace("\"stream\":false,", ""));
    assert_eq!(lines.header("content-type"), Some("application/x-ndjson"));
    let lines: Vec<&str> = lines.text().lines().collect();
    assert!(
        lines.len() == 2
            && lines[0].contains("\"done\":false,\"logprobs\":[")
            && lines[1].contains("\"content\":\"\"},\"done\":true")
    );
    let generated = post(
        &standin,
        "/api/generate",
        r#"{"model":"m","system":"One letter.","prompt":"PROMPT","stream":false}"#,
    );
    assert!(
        generated
            .text()
            .contains("\"response\":\"A\",\"done\":true,\"done_reason\":\"stop\"")
            && !generated.text().contains("logprobs")
    );
    let object = ask(
        &standin,
        &body.replace(
            "\"num_predict\":1}",
            "\"num_predict\":9},\"format\":\"json\"",
        ),
    );
    assert!(
        object
            .text()
            .contains("\"content\":\"{\\\"answer\\\":\\\"A\\\"}\""),
        "{}",
        object.text()
    );
}
