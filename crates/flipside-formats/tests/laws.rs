//! Laws: what holds for every text, value and case.

use std::collections::BTreeSet;

use flipside_core::answer::{Answer, Declined, Usage};
use flipside_core::case::{
    Brought, Case, CaseId, CaseOption, FieldValue, Key, KeyBinding, Phrasing, Question,
    QuestionKind, Source,
};
use flipside_core::json::{Json, Number, Object, pretty, tokens};
use flipside_core::order::OptionId;
use flipside_core::record::{Failed, FailedKind, Outcome};
use flipside_formats::canonical::{read_canonical, write_case};
use flipside_formats::json::{ParseErrorKind, parse, parse_bytes};
use flipside_formats::read::{Input, ReadOptions, read_cases};
use proptest::prelude::*;

fn number() -> impl Strategy<Value = Json> {
    "-?(0|[1-9][0-9]{0,25})(\\.[0-9]{1,12})?([eE][+-]?[0-9]{1,3})?"
        .prop_map(|text| Json::Number(Number::parse(&text).expect("a JSON number")))
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[a-z\\\\\"/\u{0}-\u{1f}é😀\u{2028}]{0,12}"]
}

fn object(members: Vec<(String, Json)>) -> Object {
    let mut seen = BTreeSet::new();
    let members = members
        .into_iter()
        .filter(|(key, _)| seen.insert(key.clone()))
        .collect();
    Object::new(members).expect("keys are different")
}

fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        number(),
        text().prop_map(Json::String)
    ];
    leaf.prop_recursive(6, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Json::Array),
            prop::collection::vec((text(), inner), 0..6)
                .prop_map(|members| Json::Object(object(members))),
        ]
    })
}

fn siblings() -> impl Strategy<Value = Vec<(String, Json)>> {
    prop::collection::vec((text(), json()), 0..3)
}

fn field_value() -> impl Strategy<Value = FieldValue> {
    let scalar = prop_oneof![
        number(),
        text().prop_map(Json::String),
        any::<bool>().prop_map(Json::Bool)
    ];
    scalar.prop_map(|value| FieldValue::of(&value).expect("a scalar"))
}

prop_compose! {
    fn phrasing(options: u16)(
        state in prop::option::of(json()),
        instructions in prop::option::of(json()),
        texts in prop::collection::btree_map(0..options, json(), 0..=usize::from(options)),
        approved in any::<bool>(),
    ) -> Phrasing {
        Phrasing {
            name: String::new(),
            state,
            instructions,
            texts: texts.into_iter().map(|(id, text)| (OptionId(id), text)).collect(),
            negated: false,
            approved,
        }
    }
}

fn brought(options: u16) -> impl Strategy<Value = Brought> {
    let phrasings = prop::collection::vec(phrasing(options), 0..4);
    let names = prop::collection::btree_set(text(), 4);
    let option = (text(), prop::option::of(json())).prop_map(|(key, text)| CaseOption {
        key: Key(key),
        text,
    });
    let decoys = prop::collection::vec(option, 0..3);
    (phrasings, names, decoys).prop_map(|(mut phrasings, names, decoys)| {
        for (phrasing, name) in phrasings.iter_mut().zip(names) {
            phrasing.name = name;
        }
        Brought {
            phrasings: phrasings.into(),
            decoys: decoys.into(),
            ..Brought::default()
        }
    })
}

prop_compose! {
    /// An outcome of an ask with six options at most, before its choice and probabilities are cut to those that there are.
    fn outcome()(
        choice in prop::option::of(any::<u16>()),
        probabilities in prop::option::of(prop::collection::vec(0.0..=1.0f64, 6)),
        flags in any::<(bool, bool, bool)>(),
        score in prop::option::of(-1e9..1e9f64),
        served_model in prop::option::of(text()),
        tokens in prop::option::of(any::<u64>()),
        failed in prop::option::of(text()),
    ) -> Outcome {
        if let Some(message) = failed {
            let kind = if flags.0 { FailedKind::Malformed } else { FailedKind::Timeout };
            return Outcome::Failed(Failed { kind, message, unanswered: flags.1 });
        }
        Outcome::Answered(Answer {
            choice: choice.map(OptionId),
            declined: choice.is_none().then_some(Declined::Abstention),
            probabilities,
            tied: flags.0,
            tie_broken: flags.1,
            rounding: if flags.2 { 0.005 } else { 0.0 },
            score,
            backend_confidence: score.map(|score| score / 3.0),
            served_model: served_model.map(Into::into),
            usage: Usage { input_tokens: tokens, ..Usage::default() }.into(),
            ..Answer::default()
        })
    }
}

/// The outcome with a choice and probabilities of `count` options.
fn fitted(mut outcome: Outcome, count: u16) -> Outcome {
    if let Outcome::Answered(answer) = &mut outcome {
        answer.choice = answer.choice.map(|id| OptionId(id.0 % count));
        if let Some(all) = &mut answer.probabilities {
            all.truncate(usize::from(count));
        }
    }
    outcome
}

prop_compose! {
    fn case()(
        words in (text(), text(), text(), text()),
        line in any::<u64>(),
        state in json(),
        instructions in prop::option::of(json()),
        company in (siblings(), siblings()),
        options in prop::collection::btree_map(text(), prop::option::of(json()), 1..6),
        accepted in any::<u16>(),
        flags in any::<(bool, bool, bool)>(),
        note in prop::option::of(text()),
        fields in prop::collection::btree_map(text(), field_value(), 0..4),
        equal in any::<u8>(),
        mut brought in brought(6),
        recorded in prop::option::of(outcome()),
        unlisted in any::<bool>(),
    ) -> Case {
        let (id, format, file, name) = words;
        let count = u16::try_from(options.len()).expect("a few");
        let option = |(key, text): (String, Option<Json>)| CaseOption { key: Key(key), text };
        for phrasing in &mut brought.phrasings {
            phrasing.texts.retain(|(id, _)| id.0 < count);
        }
        brought.recorded = recorded.map(|outcome| Box::new(fitted(outcome, count)));
        brought.unlisted = unlisted;
        Case {
            id: CaseId(id),
            source: Source { format: format.into(), file: file.into(), line },
            state,
            question: Question {
                kind: if flags.0 { QuestionKind::Choice } else { QuestionKind::Score },
                name,
                instructions,
                before: company.0,
                after: company.1,
            }.into(),
            options: options.into_iter().map(option).collect(),
            keys: if flags.1 { KeyBinding::Option } else { KeyBinding::Place },
            accept: (0..count).filter(|id| accepted >> id & 1 == 1).map(OptionId).collect(),
            named: !flags.2,
            position_dependent: flags.2.then(|| "all of the above".to_owned()),
            note,
            fields: fields.into_iter().collect(),
            // One class of the first options, where that leaves another answer.
            equal: (2..count)
                .filter(|size| u16::from(equal % 8) == *size)
                .map(|size| (0..size).map(OptionId).collect())
                .collect(),
            brought,
        }
        .checked()
        .expect("a case")
    }
}

/// Texts that are nearly JSON.
fn nearly() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[\\[\\]{},:]",
        "\"[a-b\\\\u0-9]{0,8}\"?",
        "-?[0-9.eE+]{1,6}",
        "true|false|null|NaN|[ \n\t]|\u{feff}",
        any::<char>().prop_map(String::from)
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// Rows of the fields that formats are told apart by, with values that may fit.
fn row() -> impl Strategy<Value = Json> {
    let field = prop::sample::select(vec![
        "state",
        "options",
        "rules",
        "accept",
        "type",
        "id",
        "questions",
        "request",
        "response",
        "status",
        "question",
        "choices",
        "answer",
        "answer_index",
        "answerKey",
        "label",
        "opa",
        "opb",
        "opc",
        "opd",
        "cop",
        "endings",
        "ctx",
        "response_a",
        "response_b",
        "winner",
        "chosen",
        "rejected",
        "schema",
    ]);
    let value = prop_oneof![
        json(),
        Just(r#"["a","b","a"]"#.to_owned()).prop_map(|text| parse(&text).expect("JSON")),
        Just(r#"{"a":"x","b":null}"#.to_owned()).prop_map(|text| parse(&text).expect("JSON")),
        Just(r#"{"q":{"type":"choice","criteria":{"a":1,"b":2}}}"#.to_owned())
            .prop_map(|text| parse(&text).expect("JSON")),
        Just(r#"{"text":["a","b"],"label":["A","B"]}"#.to_owned())
            .prop_map(|text| parse(&text).expect("JSON")),
        prop::sample::select(vec![
            "a", "b", "A", "0", "1", "choice", "noul", "score", "tie"
        ])
        .prop_map(|text| Json::String(text.to_owned())),
        (0_u64..4).prop_map(|value| Json::Number(Number::from(value))),
    ];
    prop::collection::vec((field.prop_map(str::to_owned), value), 0..8)
        .prop_map(|members| Json::Object(object(members)))
}

proptest! {
    #[test]
    fn what_is_written_is_read_back_with_its_order_and_number_text(value in json()) {
        prop_assert_eq!(parse(&value.to_text()).unwrap(), value);
    }

    #[test]
    fn the_parser_never_panics_on_bytes(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        let _ = parse_bytes(&bytes);
    }

    #[test]
    fn the_parser_takes_exactly_what_serde_json_takes_but_for_repeated_keys(text in nearly()) {
        let ours = parse(&text);
        let theirs = serde_json::from_str::<Box<serde_json::value::RawValue>>(text.trim_start_matches('\u{feff}'))
            .is_ok_and(|raw| checked(raw.get()));
        match ours {
            Ok(_) => prop_assert!(theirs, "{text:?}"),
            Err(error) if matches!(error.kind, ParseErrorKind::Duplicate { .. }) => {}
            Err(error) => prop_assert!(!theirs || text.starts_with("\u{feff}\u{feff}"), "{text:?}: {error}"),
        }
    }

    #[test]
    fn json_is_laid_out_over_lines_without_changing_its_value(value in json(), before in "[ \n\t]{0,2}") {
        let text = format!("{before}{value}");
        let laid_out = pretty(&text);
        prop_assert_eq!(laid_out.is_some(), matches!(value, Json::Object(_) | Json::Array(_)));
        if let Some(laid_out) = laid_out {
            prop_assert_eq!(parse(&laid_out).unwrap(), value);
            prop_assert_eq!(pretty(&laid_out), Some(laid_out));
        }
    }

    #[test]
    fn json_in_a_text_is_what_the_parser_takes_but_for_repeated_keys_and_half_surrogates(text in nearly()) {
        let found = tokens(&text);
        match parse(&text) {
            Ok(Json::Object(_) | Json::Array(_)) => prop_assert_eq!(found.is_some(), !text.starts_with('\u{feff}')),
            Ok(_) => prop_assert_eq!(found, None),
            Err(error) if matches!(error.kind, ParseErrorKind::Duplicate { .. } | ParseErrorKind::Surrogate { .. }) => {}
            Err(_) => prop_assert_eq!(found, None, "{:?}", text),
        }
    }

    #[test]
    fn errors_point_into_the_text(text in nearly()) {
        if let Err(error) = parse(&text) {
            prop_assert!(text.get(error.offset..error.offset + error.length).is_some(), "{error:?}");
            prop_assert!(!error.to_string().ends_with('.'));
        }
    }

    #[test]
    fn a_repeated_key_is_found_at_any_depth(
        value in json(), key in text(), turns in prop::collection::vec(any::<bool>(), 0..40)
    ) {
        let mut out = Vec::new();
        flipside_core::json::write_string(&key, &mut out);
        let name = String::from_utf8(out).unwrap();
        let mut text = format!("{{{name}:{value},\"other{key_length}\":1,{name}:2}}", key_length = key.len());
        for object in turns {
            text = if object { format!("{{\"in\":{text}}}") } else { format!("[0,{text}]") };
        }
        let error = parse(&text).unwrap_err();
        prop_assert_eq!(error.kind, ParseErrorKind::Duplicate { key });
        let second = error.second.unwrap();
        prop_assert_eq!(&text[error.offset..error.offset + error.length], &name);
        prop_assert_eq!(&text[second.offset..second.offset + second.length], &name);
        prop_assert!(error.offset < second.offset);
    }

    #[test]
    fn canonical_lines_lose_nothing(cases in prop::collection::vec(case(), 1..4)) {
        let mut lines = Vec::new();
        for case in &cases {
            write_case(case, &mut lines);
        }
        let text = String::from_utf8(lines).unwrap();
        prop_assert_eq!(text.lines().count(), cases.len());
        prop_assert_eq!(read_canonical(&text).unwrap(), cases);
    }

    #[test]
    fn what_is_on_record_is_no_part_of_what_a_case_asks(case in case()) {
        let mut bare = case.clone();
        bare.brought.recorded = None;
        bare.brought.unlisted = false;
        prop_assert_eq!(bare.content(), case.content());
        prop_assert_eq!(bare.draw_key(), case.draw_key());
    }

    #[test]
    fn readers_never_panic_and_never_return_nothing(rows in prop::collection::vec(row(), 0..5)) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("rows.jsonl");
        let text: String = rows.iter().map(|row| row.to_text() + "\n").collect();
        fs_err::write(&file, text).unwrap();
        let input = Input::Path(camino::Utf8PathBuf::from_path_buf(file).unwrap());
        match read_cases(&[input], &ReadOptions::default()) {
            Ok(set) => prop_assert!(!set.cases.is_empty()),
            Err(errors) => prop_assert!(!errors.is_empty()),
        }
    }
}

/// Whether `serde_json` takes every string of a raw value: it leaves their escapes unread until then.
fn checked(raw: &str) -> bool {
    struct Any;
    impl<'de> serde::Deserialize<'de> for Any {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_any(Visitor)
        }
    }
    struct Visitor;
    impl<'de> serde::de::Visitor<'de> for Visitor {
        type Value = Any;
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("any value")
        }
        fn visit_unit<E>(self) -> Result<Any, E> {
            Ok(Any)
        }
        fn visit_bool<E>(self, _: bool) -> Result<Any, E> {
            Ok(Any)
        }
        fn visit_u64<E>(self, _: u64) -> Result<Any, E> {
            Ok(Any)
        }
        fn visit_i64<E>(self, _: i64) -> Result<Any, E> {
            Ok(Any)
        }
        fn visit_f64<E>(self, _: f64) -> Result<Any, E> {
            Ok(Any)
        }
        fn visit_str<E>(self, _: &str) -> Result<Any, E> {
            Ok(Any)
        }
        fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Any, A::Error> {
            while seq.next_element::<Any>()?.is_some() {}
            Ok(Any)
        }
        fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Any, A::Error> {
            while map.next_entry::<String, Any>()?.is_some() {}
            Ok(Any)
        }
    }
    let number_too_large =
        |error: &serde_json::Error| error.to_string().starts_with("number out of range");
    match serde_json::from_str::<Any>(raw) {
        Ok(_) => true,
        Err(error) => number_too_large(&error),
    }
}
