//! Servers of language models: what each form answers, and what each refuses.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends here")]

mod common;

use common::{Reply, Wire, after, builder};
use flipside_standin::{Dialect, Setting, Standin};

const PROMPT: &str = "Ticket: charged twice\\nWhich team?\\nA) billing: payments\\nB) technical: errors\\nC) human\\nLetter:";

/// `first`: 0.9, 0.05, 0.05; times the coverage 0.96 and the shares 5/8, 1/4, 1/8 of the spellings, the rest on five other tokens:
/// natural logarithms to four decimals, by Python's `math.log`.
const FIRST: [(&str, &str); 14] = [
    ("A", "-0.6162"),      // 0.54
    (" A", "-1.5325"),     // 0.216
    ("a", "-2.2256"),      // 0.108
    ("B", "-3.5066"),      // 0.03
    ("C", "-3.5066"),      // 0.03
    ("The", "-3.912"),     // 0.02
    (" B", "-4.4228"),     // 0.012
    (" C", "-4.4228"),     // 0.012
    (" The", "-4.6052"),   // 0.01
    ("b", "-5.116"),       // 0.006
    ("c", "-5.116"),       // 0.006
    ("Answer", "-5.2983"), // 0.005
    ("\\n", "-5.9915"),    // 0.0025
    ("**", "-5.9915"),     // 0.0025
];

fn server(dialect: &str, policy: &str, settings: &[&str]) -> Standin {
    let mut builder = builder(policy)
        .dialect(dialect.parse::<Dialect>().unwrap())
        .round(4);
    for setting in settings {
        builder = builder.setting(setting.parse::<Setting>().unwrap());
    }
    builder.start().unwrap()
}

/// The reply of a server to `{"model":"m",` and the rest of a body, `PROMPT` put in.
fn ask(standin: &Standin, rest: &str) -> Reply {
    let rest = rest.replace("PROMPT", PROMPT);
    Wire::to(standin).ask(&format!("{{\"model\":\"m\",{rest}}}"))
}

fn get(standin: &Standin, path: &str) -> Reply {
    Wire::to(standin).send(format!("GET {path} HTTP/1.1\r\n\r\n").as_bytes())
}

fn post(standin: &Standin, path: &str, body: &str) -> Reply {
    let body = body.replace("PROMPT", PROMPT);
    let head = format!(
        "POST {path} HTTP/1.1\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    Wire::to(standin).send((head + &body).as_bytes())
}

fn bytes(text: &str) -> String {
    let bytes: Vec<String> = text
        .replace("\\n", "\n")
        .bytes()
        .map(|byte| byte.to_string())
        .collect();
    bytes.join(",")
}

/// Entries as OpenAI's chat and Ollama list them.
fn listed(of: &[(&str, &str)]) -> String {
    let entries: Vec<String> = of
        .iter()
        .map(|(token, logprob)| {
            format!(
                "{{\"token\":\"{token}\",\"bytes\":[{}],\"logprob\":{logprob}}}",
                bytes(token)
            )
        })
        .collect();
    entries.join(",")
}

const CHAT: &str = r#""temperature":0,"max_completion_tokens":1,"logprobs":true,"top_logprobs":20,"seed":7,"messages":[{"role":"system","content":"Answer with one letter."},{"role":"user","content":"PROMPT"}]"#;

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

#[test]
fn a_letter_is_preferred_wherever_its_option_stands() {
    let standin = server("chat", "letter:B", &[]);
    let content = |body: &str| after(ask(&standin, body).text(), "\"content\":\"", "\"").to_owned();
    assert_eq!(content(CHAT), "B");
    let turned = CHAT.replace(
        "PROMPT",
        "Which?\\nA) human\\nB) billing: payments\\nLetter:",
    );
    assert_eq!(content(&turned), "B");
    assert_eq!(standin.seen()[1].keys, ["human", "billing"]);
    let moved = CHAT.replace(
        "PROMPT",
        "Which?\\nB) human\\nA) billing: payments\\nLetter:",
    );
    assert_eq!(content(&moved), "B");
    assert_eq!(standin.seen()[2].letters, ["B", "A"]);
    let numbers = ask(
        &standin,
        &CHAT.replace("PROMPT", "Which?\\n1) human\\n2) billing\\nNumber:"),
    );
    assert_eq!(
        (
            numbers.status,
            after(numbers.text(), "\"message\":\"", "\"")
        ),
        (400, "no letter `B` before an option")
    );
}

#[test]
fn policies_read_the_prompt_as_they_read_a_question() {
    let best = |policy: &str, prompt: &str| {
        let reply = ask(
            &server("chat", policy, &[]),
            &CHAT.replace("PROMPT", prompt),
        );
        after(reply.text(), "\"content\":\"", "\"").to_owned()
    };
    let forward = "paid twice\\nWhich?\\nA) no: x\\nB) yes: paid twice\\nC) also: y\\nLetter:";
    let backward = "paid twice\\nWhich?\\nA) also: y\\nB) yes: paid twice\\nC) no: x\\nLetter:";
    assert_eq!(
        (best("overlap", forward), best("key-biased", forward)),
        ("B".into(), "C".into())
    );
    assert_eq!(
        (best("overlap", backward), best("key-biased", backward)),
        ("B".into(), "A".into())
    );
    assert_eq!(
        (
            best("last", forward),
            best("slot:2", forward),
            best("uniform", forward)
        ),
        ("C".into(), "B".into(), "A".into())
    );
    let turn = |letter: &str| match letter {
        "A" => "C",
        "C" => "A",
        _ => "B",
    };
    assert_eq!(best("content", backward), turn(&best("content", forward)));
}

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

#[test]
fn each_server_says_what_it_is() {
    for (dialect, path, said) in [
        (
            "chat",
            "/v1/models",
            "\"data\":[{\"id\":\"standin-lm\",\"object\":\"model\",\"created\":1790812800,\"owned_by\":\"openai\"}]",
        ),
        (
            "completions",
            "/v1/models",
            "\"owned_by\":\"vllm\",\"root\":\"standin\",\"parent\":null,\"max_model_len\":8192",
        ),
        ("completions", "/version", "{\"version\":\"0.12.0\"}"),
        ("completions", "/health", ""),
        ("llamacpp", "/v1/models", "\"owned_by\":\"llamacpp\""),
        ("llamacpp", "/props", "\"build_info\":\"b7200-standin\""),
        ("llamacpp", "/health", "{\"status\":\"ok\"}"),
        ("ollama", "/v1/models", "\"owned_by\":\"library\""),
        (
            "ollama",
            "/api/tags",
            "{\"models\":[{\"name\":\"standin-lm\",\"model\":\"standin-lm\",",
        ),
        ("ollama", "/api/version", "{\"version\":\"0.13.0\"}"),
    ] {
        let standin = server(dialect, "first", &[]);
        let reply = get(&standin, path);
        assert!(
            reply.status == 200 && reply.text().contains(said),
            "{dialect} {path}: {}",
            reply.text()
        );
        assert_eq!(standin.count(), 0);
        assert_eq!(post(&standin, path, "{}").status, 405);
    }
    let standin = server("ollama", "first", &[]);
    let shown = post(&standin, "/api/show", "{\"model\":\"standin-lm\"}");
    assert!(
        shown.text().contains("\"family\":\"standin\"")
            && shown.text().contains("\"capabilities\":[\"completion\"]")
    );
    assert_eq!(get(&standin, "/props").status, 404);
    assert_eq!(get(&server("chat", "first", &[]), "/api/tags").status, 404);
}

#[test]
fn x_seen_tells_the_keys_of_the_list() {
    let standin = builder("first")
        .dialect("chat".parse().unwrap())
        .echo_seen(true)
        .start()
        .unwrap();
    let reply = ask(&standin, CHAT);
    assert!(
        reply
            .text()
            .contains("},\"x_seen\":{\"keys\":[\"billing\",\"technical\",\"human\"],\"sha256\":\""),
        "{}",
        reply.text()
    );
    assert!(
        reply
            .text()
            .ends_with("\"headers\":[\"Host\",\"Content-Type\",\"Content-Length\"]}}")
    );
}
