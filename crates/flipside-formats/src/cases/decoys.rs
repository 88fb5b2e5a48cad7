//! Irrelevant options that a probe case brings, to be offered beside its own one at a time.

use flipside_core::case::{CaseOption, QuestionKind};
use flipside_core::json::Json;

use super::Fields;
use super::probe::{identity, keyed_options};
use crate::read::Error;

/// The options under `decoys`, written as `options` are: none of them under a key of `options`.
pub(super) fn decoys(
    row: Fields<'_>,
    kind: QuestionKind,
    options: &[CaseOption],
) -> Result<Vec<CaseOption>, Error> {
    let Some(value) = row.object.get("decoys") else {
        return Ok(Vec::new());
    };
    if kind != QuestionKind::Choice {
        let expected = "nothing: levels and statements gain no option";
        return Err(row.type_error("decoys", value, expected));
    }
    let decoys = keyed_options(row, "decoys", value)?;
    if decoys.is_empty() {
        return Err(row.empty("decoys", "leave `decoys` out where there is none"));
    }
    let taken = |decoy: &&CaseOption| identity(options, &decoy.key.0).is_some();
    match decoys.iter().find(taken) {
        None => Ok(decoys),
        Some(decoy) => {
            let key = Json::String(decoy.key.0.clone());
            let expected = "options under other keys than those of `options`";
            Err(row.value_error("decoys", &key, expected))
        }
    }
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;
    use flipside_core::case::CaseOption;

    use crate::read::{Input, ReadOptions, read_cases};

    /// What a case with `rest` in it has for decoys, or what is wrong with it.
    fn decoys(rest: &str) -> Result<Vec<CaseOption>, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("c.jsonl");
        fs_err::write(
            &file,
            format!("{{\"state\":\"s\",\"rules\":\"r\",{rest}}}\n"),
        )
        .unwrap();
        let name = Utf8PathBuf::from_path_buf(file).unwrap();
        match read_cases(&[Input::Path(name.clone())], &ReadOptions::default()) {
            Ok(set) => Ok(set.cases[0].brought.decoys.to_vec()),
            Err(errors) => Err(errors[0].to_string().replace(name.as_str(), "c.jsonl")),
        }
    }

    fn written(decoys: &[CaseOption]) -> Vec<String> {
        let text = |decoy: &CaseOption| decoy.text.as_ref().map(flipside_core::json::Json::to_text);
        let one =
            |decoy: &CaseOption| format!("{}={}", decoy.key.0, text(decoy).unwrap_or_default());
        decoys.iter().map(one).collect()
    }

    #[test]
    fn decoys_are_written_as_options_are() {
        let object = decoys(r#""options":{"a":"x"},"decoys":{"w":"rain","n":null,"o":{"k":1}}"#);
        assert_eq!(
            written(&object.unwrap()),
            ["w=\"rain\"", "n=", "o={\"k\":1}"]
        );
        let list =
            decoys(r#""options":{"a":"x"},"decoys":[{"key":"2","text":"rain"},{"key":"1"}]"#);
        assert_eq!(written(&list.unwrap()), ["2=\"rain\"", "1="]);
        assert_eq!(decoys(r#""options":{"a":"x"}"#).unwrap(), []);
    }

    #[test]
    fn what_is_no_decoy_is_refused() {
        let choice = |decoys_of: &str| {
            let rest = format!("\"options\":{{\"a\":\"x\",\"b\":\"y\"}},\"decoys\":{decoys_of}");
            decoys(&rest).unwrap_err()
        };
        assert_eq!(
            choice(r#"{"w":"rain","b":"z"}"#),
            "c.jsonl:1: expected `decoys` to be options under other keys than those of `options`, found `\"b\"`"
        );
        assert_eq!(
            choice(r#"[{"key":"w"},{"key":"w"}]"#),
            "c.jsonl:1: option key `w` is given twice, as options 1 and 2"
        );
        assert_eq!(
            choice(r#"[{"key":"w","txt":"rain"}]"#),
            "c.jsonl:1: field `decoys[0].txt` is unknown; did you mean `text`?"
        );
        assert_eq!(
            choice(r#"[{"text":"rain"}]"#),
            "c.jsonl:1: field `decoys[0].key` is missing"
        );
        assert_eq!(choice("{}"), "c.jsonl:1: `decoys` is empty");
        assert_eq!(choice("[]"), "c.jsonl:1: `decoys` is empty");
        assert_eq!(
            choice("null"),
            "c.jsonl:1: expected `decoys` to be an object, or an array of objects with `key` and `text`, found null"
        );
        assert_eq!(
            choice(r#"["rain"]"#),
            "c.jsonl:1: expected `decoys[0]` to be an object with `key` and `text`, found a string"
        );
        let other_kind = "c.jsonl:1: expected `decoys` to be nothing: levels and statements gain no option, found an object";
        for kind in [
            r#""type":"score","options":["low","high"]"#,
            r#""type":"noul""#,
        ] {
            let found = decoys(&format!("{kind},\"decoys\":{{\"w\":\"rain\"}}"));
            assert_eq!(found.unwrap_err(), other_kind);
        }
    }
}
