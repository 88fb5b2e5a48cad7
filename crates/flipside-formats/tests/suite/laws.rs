//! What holds for every base case.

use flipside_core::case::QuestionKind;
use flipside_core::json::Json;
use flipside_core::order::OptionId;
use flipside_core::suite::{BaseCase, BaseOption, BaseParts, generate};
use flipside_formats::json::parse;
use flipside_formats::suite::{Reading, rows_text};
use proptest::prelude::*;

use crate::{in_file, told};

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-c0-3LA: \\\\\"]{1,6}",
        any::<String>().prop_filter("not empty", |text| !text.is_empty())
    ]
}

fn texts(count: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<String>> {
    prop::collection::btree_set(text(), count)
        .prop_map(|texts| texts.into_iter().collect::<Vec<_>>())
        .prop_shuffle()
}

prop_compose! {
    fn parts()(
        words in (text(), text()),
        kind in prop::sample::select(vec![QuestionKind::Choice, QuestionKind::Score, QuestionKind::Noul]),
        states in texts(2..4),
        questions in texts(2),
        names in texts(2..7),
        descriptions in texts(7),
        accept in any::<prop::sample::Index>(),
    ) -> BaseParts {
        let noul = kind == QuestionKind::Noul;
        let options: Vec<BaseOption> = names
            .into_iter()
            .zip(descriptions)
            .map(|(name, description)| BaseOption { name, description })
            .collect();
        let identities = if noul { 2 } else { options.len() };
        BaseParts {
            id: words.0,
            family: words.1,
            kind,
            states,
            questions: questions.into_iter().take(if noul { 2 } else { 1 }).collect(),
            options: if noul { Vec::new() } else { options },
            accept: OptionId(u16::try_from(accept.index(identities)).unwrap()),
        }
    }
}

/// Base cases with different ids; names that look like aliases are left out.
fn bases() -> impl Strategy<Value = Vec<BaseCase>> {
    let base = parts().prop_filter_map("a base case", |parts| BaseCase::new(parts).ok());
    prop::collection::vec(base, 1..4).prop_map(|bases| {
        let numbered = bases.into_iter().enumerate().map(|(place, base)| {
            let mut parts = base.into_parts();
            parts.id += &place.to_string();
            BaseCase::new(parts).unwrap()
        });
        numbered.collect()
    })
}

/// Rows in which gold answers are written anew, at random: for each row perhaps another label, and a list in some order.
fn with_other_gold() -> impl Strategy<Value = String> {
    let change = (any::<bool>(), 0..6_usize, any::<bool>());
    let changes = prop::collection::vec(change, 1..5);
    let scored = any::<bool>();
    (0..4_u16, scored, changes).prop_map(|(accept, scored, changes)| {
        let kind = if scored {
            QuestionKind::Score
        } else {
            QuestionKind::Choice
        };
        let base = crate::base("b", kind, &["w", "x", "y", "z"], accept);
        let mut text = String::new();
        for (place, row) in generate(&[base], "").into_iter().enumerate() {
            let (changed, turn, backwards) = changes[place % changes.len()];
            let line = row.json.to_text();
            if !changed {
                text += &(line + "\n");
                continue;
            }
            let (before, gold) = line.split_once("\"gold\":").unwrap();
            let gold = parse(gold.strip_suffix('}').unwrap()).unwrap();
            let gold = parse(gold.as_str().unwrap()).unwrap();
            let listed = gold.as_object().unwrap().get("options").unwrap();
            let mut listed = listed.as_array().unwrap().to_vec();
            let label = listed.get(turn).cloned().unwrap_or(Json::Number(1.into()));
            if backwards {
                listed.reverse();
            }
            let gold = format!("{{\"label\":{label},\"options\":{}}}", Json::Array(listed));
            text.extend([before, "\"gold\":", &Json::String(gold).to_text(), "}\n"]);
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn rows_that_are_written_are_read_back_as_they_were(bases in bases()) {
        let rows = rows_text(&generate(&bases, ""));
        prop_assert!(rows.ends_with('\n'));
        let count: usize = bases.iter().map(|base| base.states().len() * 4).sum();
        prop_assert_eq!(rows.matches('\n').count(), count);
        in_file(&rows, |input| {
            let suite = flipside_formats::suite::read_suite(input);
            let suite = suite.map_err(|errors| TestCaseError::fail(told(&errors)))?;
            let made = generate(&bases, &input.to_string());
            let made: Vec<_> = made.into_iter().map(|row| row.suite).collect();
            prop_assert_eq!(suite.rows, made);
            prop_assert!(suite.readings.contains(&Reading::ALL[0]));
            Ok(())
        })?;
    }

    #[test]
    fn whatever_gold_says_all_rows_accept_what_is_described_alike_or_the_file_is_refused(
        text in with_other_gold(),
    ) {
        match crate::read_text(&text) {
            Err(errors) => prop_assert!(!errors.is_empty()),
            Ok(suite) => {
                let accepted = suite.rows.iter().map(|row| {
                    let shown = row.case.options[row.case.accept[0].index()].text.as_ref().unwrap();
                    let (_, about) = shown.as_str().unwrap().split_once("about ").unwrap();
                    about.to_owned()
                });
                let accepted: std::collections::BTreeSet<String> = accepted.collect();
                prop_assert_eq!(accepted.len(), 1);
            }
        }
    }

    #[test]
    fn reversing_and_renaming_change_order_and_names_and_nothing_else(bases in bases()) {
        for row in generate(&bases, "") {
            let base = bases.iter().find(|base| base.id() == row.suite.row.base).unwrap();
            let json = row.json.as_object().unwrap();
            let asked = parse(json.get("questions").unwrap().as_str().unwrap()).unwrap();
            let asked = asked.as_object().unwrap().get("q").unwrap().as_object().unwrap();
            let descriptions: Vec<String> = match asked.get("criteria") {
                None => Vec::new(),
                Some(Json::Array(levels)) => levels.iter().map(|level| level.as_str().unwrap().to_owned()).collect(),
                Some(options) => options
                    .as_object()
                    .unwrap()
                    .members()
                    .iter()
                    .map(|(_, text)| text.as_str().unwrap().to_owned())
                    .collect(),
            };
            for (place, shown) in descriptions.iter().enumerate() {
                let id = row.suite.row.canonical[place];
                prop_assert!(shown.ends_with(&base.options()[id.index()].description));
            }
            let accepted = row.suite.case.accept[0];
            prop_assert_eq!(row.suite.row.canonical[accepted.index()], base.accept());
        }
    }
}
