//! What is refused before it is sent, and what Laya cuts.

use flipside_core::case::Case;
use flipside_core::order::Order;
use flipside_core::present::Presentation;
use flipside_models::catalog::{ModelSpec, Options, build};
use flipside_standin::{Dialect, Standin};

use super::{asked, many, small};
use crate::common::{environment, json, levels};

/// `n` levels.
fn scale(n: usize) -> Case {
    let mut scale = many(n);
    scale.question.kind = levels().question.kind;
    scale
}

/// A case with `n` further questions that are `question`.
fn beside(n: usize, question: &str) -> Case {
    let mut case = small();
    case.question.after = (0..n)
        .map(|at| (format!("s{at}"), json(question)))
        .collect();
    case
}

fn refusal(spec: &str, case: &Case) -> Option<String> {
    let values = [
        ("TYPESAFE_API_KEY", "k"),
        ("OPENROUTER_API_KEY", "k"),
        ("CLM_URL", "http://127.0.0.1:1/"),
        ("CLOUDFLARE_API_TOKEN", "k"),
        ("CLOUDFLARE_ACCOUNT_ID", "a"),
    ];
    let model = build(
        &ModelSpec::parse(spec).unwrap(),
        &environment(&values),
        &Options::default(),
    );
    let order = Order::own(case.options.len());
    let request = model.unwrap().request(&Presentation::new(case, &order));
    request.err().map(|unsupported| unsupported.reason)
}

#[test]
fn what_a_backend_is_known_to_refuse_is_not_sent_and_named_with_its_limit() {
    const LAYA: &str = "laya-served:http://127.0.0.1:1/";
    const PREDICT: &str = "laya-predict:http://127.0.0.1:1/?tournament=on";
    const OLLAMA: &str = "systemone:http://127.0.0.1:11434/v1/systemone";
    const CUA: &str = "cua-served:http://127.0.0.1:1/";
    let state = |text: String| {
        let mut case = small();
        case.state = flipside_core::json::Json::String(text);
        case
    };
    let mut number = small();
    number.options[1].text = Some(json("7"));
    let mut named = small();
    named.question.name = "which team".to_owned();
    let noul = r#"{"type":"noul"}"#;
    let of_100 = {
        let members: Vec<String> = (0..100).map(|at| format!("\"{at}\":null")).collect();
        format!(
            r#"{{"type":"choice","criteria":{{{}}}}}"#,
            members.join(",")
        )
    };
    let allowed = [
        ("jev", many(255)),
        ("jev", scale(10)),
        ("openrouter:typesafe/jev-1.14", many(255)),
        ("openrouter:other/model", many(256)),
        (LAYA, many(100)),
        (LAYA, scale(32)),
        (LAYA, beside(63, noul)),
        (LAYA, beside(5, &of_100)),
        // With its quotes.
        (LAYA, state("é".repeat(49_998))),
        (PREDICT, many(255)),
        (CUA, many(26)),
        ("clm", many(300)),
        ("clm", scale(40)),
        ("cloudflare:clef", beside(63, noul)),
        ("systemone:http://127.0.0.1:1/", many(300)),
        ("systemone:http://127.0.0.1:1/", scale(40)),
        (OLLAMA, many(26)),
        (OLLAMA, scale(40)),
    ];
    for (spec, case) in allowed {
        assert_eq!(refusal(spec, &case), None, "{spec}");
    }
    let refused = [
        (
            OLLAMA,
            many(27),
            "Ollama takes at most 26 options and is asked with 27; shorten the list: it answers with a letter from A to Z",
        ),
        (
            "jev",
            many(256),
            "Jev takes at most 255 options and is asked with 256; shorten the list",
        ),
        (
            "jev",
            scale(11),
            "Jev takes at most 10 levels and is asked with 11; take fewer levels",
        ),
        (
            "openrouter:~typesafe/jev-latest",
            many(256),
            "Jev takes at most 255 options and is asked with 256; shorten the list",
        ),
        (
            "jev",
            state("x".repeat(32 << 20)),
            "Jev takes at most 32 MiB in one request and this one has 33554588 bytes; shorten the state or the options",
        ),
        (
            LAYA,
            many(101),
            "Laya's server takes at most 100 options and is asked with 101; shorten the list, or say `?tournament=on` of a server with LAYA_TOURNAMENT_GROUP, which takes 255",
        ),
        (
            PREDICT,
            many(256),
            "Laya's server takes at most 255 options and is asked with 256; shorten the list",
        ),
        (
            LAYA,
            scale(33),
            "Laya's server takes at most 32 levels and is asked with 33; take fewer levels",
        ),
        (
            LAYA,
            beside(64, noul),
            "Laya's server takes at most 64 questions in one request and is asked 65; ask fewer at once",
        ),
        // 4 and 6 times 100 options.
        (
            LAYA,
            beside(6, &of_100),
            "Laya's server takes at most 512 options in one request and is asked with 604; ask fewer questions at once",
        ),
        (
            LAYA,
            beside(1, &of_100.replace("\"7\"", "\"a\":null,\"7\"")),
            "Laya's server takes at most 100 options and is asked with 101; shorten the list, or say `?tournament=on` of a server with LAYA_TOURNAMENT_GROUP, which takes 255",
        ),
        (
            LAYA,
            state("é".repeat(49_999)),
            "Laya's server takes at most 50000 characters of state and is asked with 50001; shorten the state",
        ),
        (
            CUA,
            many(27),
            "Cua-S1 takes at most 26 options and is asked with 27; shorten the list: it answers with a letter from A to Z",
        ),
        (
            CUA,
            scale(3),
            "Cua-S1 answers choice questions only and question `q` is a score; leave it out",
        ),
        (
            CUA,
            beside(1, noul),
            "Cua-S1 answers choice questions only and question `s0` is a noul; leave it out",
        ),
        (
            CUA,
            state(" ".to_owned()),
            "Cua-S1 takes no empty state; say what the decision is about",
        ),
        (
            CUA,
            number,
            "Cua-S1 takes texts of options and that of `10` is a number; write it as a string",
        ),
        (
            "cloudflare:clef",
            many(1),
            "Clef takes at least 2 options and is asked with 1; leave the question out",
        ),
        (
            "cloudflare:clef",
            beside(64, noul),
            "Clef takes at most 64 questions in one request and is asked 65; ask fewer at once",
        ),
        (
            "cloudflare:clef",
            named,
            "Clef takes question names of 1 to 100 letters, digits, `_`, `.` and `-`, found `which team`; rename it",
        ),
    ];
    for (spec, case, text) in refused {
        assert_eq!(refusal(spec, &case).as_deref(), Some(text), "{spec}");
    }
}

#[test]
fn texts_that_laya_cuts_are_told_and_options_that_become_one_are_told_too() {
    const CUT: &str = "by an estimate of ours some option texts are longer than what Laya reads of each, so that their ends were cut";
    const ALIKE: &str =
        "by an estimate of ours Laya cut options to the same text: choosing between them is a tie";
    const FULL: &str =
        "`usage.input_tokens` is all that Laya reads of a question: the end of the state was cut";
    let remarks_of = |served: &str, max_len: Option<&str>, case: &Case| {
        let standin = Standin::builder()
            .dialect(Dialect::Laya)
            .model(served)
            .start()
            .unwrap();
        let url = standin.url();
        let mut values = vec![("LAYA_SERVED_URL", url.as_str())];
        values.extend(max_len.map(|most| ("LAYA_SERVED_MAX_LEN", most)));
        let spec = ModelSpec::parse("laya-served").unwrap();
        let model = build(&spec, &environment(&values), &Options::default()).unwrap();
        let order = Order::reverse(case.options.len());
        asked(model.as_ref(), case, &order).unwrap().1.remarks
    };
    let with_texts = |n: usize, text: &dyn Fn(usize) -> String| {
        let mut case = many(n);
        for (at, option) in case.options.iter_mut().enumerate() {
            option.text = Some(flipside_core::json::Json::String(text(at)));
        }
        case
    };
    // 48 tokens of 4 bytes, `k0: ` among them: 188 bytes more are read whole, 189 are not.
    let long = |bytes: usize| with_texts(2, &|_| "x".repeat(bytes));
    assert!(remarks_of("english", None, &long(188)).is_empty());
    assert_eq!(remarks_of("english", None, &long(189)), [CUT]);
    // The same 192 bytes first, then what tells them apart.
    let twins = {
        let mut case = with_texts(2, &|at| "x".repeat(188) + ["a", "b"][at]);
        case.options[0].key.0 = "k".to_owned();
        case.options[1].key.0 = "k".to_owned() + "x";
        case
    };
    assert_eq!(
        remarks_of("english", None, &twins),
        [CUT],
        "their keys differ"
    );
    // 77 options of 8 tokens each are more than 192 and more than 256: 4 tokens are left of each, `k10: opt`.
    let crowd = with_texts(77, &|at| format!("option number {at:03}"));
    let prefixed = {
        let mut case = crowd.clone();
        for (at, option) in case.options.iter_mut().enumerate() {
            option.key.0 = format!("the_same_start_of_{at}");
        }
        case
    };
    assert_eq!(remarks_of("english", None, &crowd), [CUT]);
    assert_eq!(remarks_of("multilingual", None, &prefixed), [CUT, ALIKE]);
    // 30 options of 8 tokens: 240 and 3 of instructions fit 256 and not 192.
    let some = with_texts(30, &|at| {
        format!("{at:02} {}", "y".repeat(24 - at.to_string().len().min(2)))
    });
    assert!(remarks_of("multilingual", None, &some).is_empty());
    assert_eq!(remarks_of("english", None, &some), [CUT]);
    // 31 options of 6 tokens and 3 of instructions fit 192; 32 do not, and (192 - 16) / 32 leaves 5 of each.
    let even = |n: usize| with_texts(n, &|at| "z".repeat(24 - format!("k{at}: ").len()));
    assert!(remarks_of("english", None, &even(31)).is_empty());
    assert_eq!(remarks_of("english", None, &even(32)), [CUT]);
    let full = |chars: usize| {
        let mut case = small();
        case.state = flipside_core::json::Json::String("x".repeat(chars));
        case
    };
    assert_eq!(remarks_of("english", None, &full(3_000)), [FULL]);
    assert!(remarks_of("multilingual", None, &full(3_000)).is_empty());
    assert_eq!(remarks_of("multilingual", None, &full(5_000)), [FULL]);
    assert_eq!(
        remarks_of("multilingual", Some("700"), &full(3_000)),
        [FULL]
    );
    assert!(remarks_of("english", Some("1024"), &full(3_000)).is_empty());
    // Two questions have two windows.
    let mut two = full(3_000);
    two.question.after = vec![("s".to_owned(), json(r#"{"type":"noul"}"#))];
    assert_eq!(remarks_of("english", None, &two), [FULL]);
    assert!(remarks_of("english", None, &full(1_000)).is_empty());
}
