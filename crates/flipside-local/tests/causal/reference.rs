//! Tiny models with random weights, against transformers.

use std::path::Path;

use camino::Utf8PathBuf;
use flipside_core::json::Json;
use flipside_local::causal::{Causal, Numbers, Read, Request, Words};

use crate::golden::{Golden, floats, near, near_scaled, texts, whole};
use crate::support::{letters, plain};

pub(crate) const ALL: [&str; 4] = [
    "causal-llama",
    "causal-llama3",
    "causal-qwen2",
    "causal-qwen3",
];

/// The file of a golden.
pub(crate) fn file(name: &str) -> Utf8PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens");
    Utf8PathBuf::from_path_buf(folder.join(name).join("model.gguf")).unwrap()
}

pub(crate) fn open(name: &str) -> (Causal, Golden) {
    let model = Causal::open(&file(name), Numbers::F32).unwrap();
    (model, Golden::open(name))
}

#[test]
fn tokens_and_logits_are_those_of_transformers() {
    for name in ALL {
        let (model, golden) = open(name);
        for case in golden.list("cases") {
            let text = case["text"].as_str().unwrap();
            let ids = whole::<u32>(&case["ids"]);
            assert_eq!(model.encode(text).unwrap(), ids, "{name}: {text}");
            let what = format!("{}/logits", case["name"].as_str().unwrap());
            let logits = model.next(&ids).unwrap();
            near_scaled(&format!("{name} {what}"), &logits, &golden.numbers(&what));
        }
    }
}

#[test]
fn conversations_are_written_as_transformers_writes_them() {
    for name in ALL {
        let (model, golden) = open(name);
        for chat in golden.list("chats") {
            let request = Request {
                chat: true,
                words: Words {
                    system: chat["system"].as_str().map(str::to_owned),
                    user: chat["user"].as_str().unwrap().to_owned(),
                },
                read: letters(2),
                less: None,
            };
            let ids = whole::<u32>(&chat["ids"]);
            assert_eq!(model.before(&request).unwrap(), ids, "{name}: {chat}");
        }
    }
}

#[test]
fn letters_are_all_their_tokens_together() {
    for name in ALL {
        let (model, golden) = open(name);
        for (letter, ids) in (b'A'..).zip(golden.list("letter_ids")) {
            assert_eq!(model.letter(letter), whole::<u32>(ids), "{name}");
        }
        let before = golden.all["before"].as_str().unwrap();
        let asked = model.ask_alone(&plain(before, letters(2))).unwrap();
        let found = asked.scores;
        check(name, "letters", &found.log_probabilities, &golden);
        check(name, "letter_logits", &found.logits, &golden);
        let covered = golden.all["covered"].as_f64().unwrap();
        assert!((found.covered.unwrap() - covered).abs() < 1e-5, "{name}");
        assert_eq!(asked.naive, model.encode(before).unwrap().len());
    }
}

#[test]
fn texts_are_the_sums_of_their_tokens() {
    for name in ALL {
        let (model, golden) = open(name);
        let before = golden.all["before"].as_str().unwrap();
        let answers = texts(&golden.all["answers"]);
        let request = plain(before, crate::support::texts(&answers));
        let asked = model.ask_alone(&request).unwrap();
        check(name, "texts", &asked.scores.log_probabilities, &golden);
        let tokens = whole::<usize>(&golden.all["tokens"]);
        assert_eq!(asked.scores.tokens, tokens, "{name}");
        let start = model.encode(before).unwrap().len();
        let naive = tokens.iter().map(|own| start + own).sum::<usize>();
        assert_eq!(asked.naive, naive, "{name}");
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "32-bit numbers are compared"
)]
fn check(name: &str, what: &str, found: &[f64], golden: &Golden) {
    let found: Vec<f32> = found.iter().map(|value| *value as f32).collect();
    let expected = floats(&golden.all[what]);
    near(&format!("{name} {what}"), &found, &expected, (1e-5, 1e-5));
}

/// As the program sends it.
#[test]
fn a_request_is_read_member_by_member() {
    let parsed = |text: &str| {
        let json: Json = flipside_formats::json::parse(text).unwrap();
        Request::parse(&json)
    };
    let own = parsed(r#"{"chat":true,"system":"s","user":"u","letters":"AB","less":{"user":"v"}}"#);
    assert_eq!(
        own.unwrap(),
        Request {
            chat: true,
            words: Words {
                system: Some("s".to_owned()),
                user: "u".to_owned()
            },
            read: Read::Letters(b"AB".to_vec()),
            less: Some(Words {
                system: None,
                user: "v".to_owned()
            }),
        }
    );
    let refused = [
        ("[]", "the request is an array, expected an object"),
        (
            "{}",
            "expected either `letters`, a string, or `texts`, an array",
        ),
        (r#"{"letters":"A"}"#, "no `user`"),
        (
            r#"{"letters":"A","user":1}"#,
            "`user` is a number, expected a string",
        ),
        (
            r#"{"texts":[1],"user":"u"}"#,
            "`texts` holds a number, expected strings",
        ),
        (
            r#"{"letters":"A","user":"u","less":1}"#,
            "`less` is a number, expected an object",
        ),
    ];
    for (text, message) in refused {
        assert_eq!(parsed(text).unwrap_err().to_string(), message);
    }
}
