//! Cases and options that are alike where nothing says that they belong together.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::case::Case;
use crate::json::Json;
use crate::order::OptionId;

/// Cases with two options of the same text that are not declared to be the same answer.
pub(super) fn equal_texts(cases: &[Case]) -> u64 {
    let has_equal = |case: &&Case| {
        let options = case.options.iter().zip(0u16..);
        let mut texts: Vec<(u64, OptionId)> = options
            .filter_map(|(option, id)| {
                let id = case.class_of(OptionId(id));
                option.text.as_ref().map(|text| (digest(text), id))
            })
            .collect();
        texts.sort_unstable();
        texts
            .windows(2)
            .any(|two| two[0].0 == two[1].0 && two[0].1 != two[1].1)
    };
    cases.iter().filter(has_equal).count() as u64
}

/// Cases whose state is that of another one; a state that says nothing is none.
pub(super) fn shared_states(cases: &[Case]) -> u64 {
    let empty = |state: &Json| match state {
        Json::Null => true,
        Json::String(text) => text.trim().is_empty(),
        Json::Object(members) => members.is_empty(),
        Json::Array(items) => items.is_empty(),
        _ => false,
    };
    let states = cases.iter().map(|case| &case.state);
    let mut states: Vec<u64> = states.filter(|state| !empty(state)).map(digest).collect();
    states.sort_unstable();
    let runs = states.chunk_by(|a, b| a == b);
    runs.map(<[u64]>::len).filter(|run| *run > 1).sum::<usize>() as u64
}

/// 64 bits of a value's text: two that differ look equal less than once in a billion files of 100,000.
fn digest(value: &Json) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.to_text().hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::QuestionKind;
    use crate::json::Object;
    use crate::perturb::test_case;

    fn choice(options: &[(&str, Option<&str>)]) -> Case {
        test_case::case(QuestionKind::Choice, options)
    }

    #[test]
    fn options_with_one_text_are_alike_unless_they_are_declared_so() {
        let alike = choice(&[("a", Some("one")), ("b", Some("two")), ("c", Some("one"))]);
        let mut declared = alike.clone();
        declared.equal = vec![vec![OptionId(0), OptionId(2)]].into();
        let other = choice(&[("a", Some("one")), ("b", Some("One"))]);
        let bare = choice(&[("a", None), ("b", None)]);
        let cases = [alike.clone(), declared, other, bare];
        assert_eq!(equal_texts(&cases), 1);
        let mut half = choice(&[("a", Some("x")), ("b", Some("x")), ("c", Some("x"))]);
        half.equal = vec![vec![OptionId(0), OptionId(1)]].into();
        assert_eq!(equal_texts(&[half]), 1, "the third is in no class");
    }

    #[test]
    fn every_case_that_shares_its_state_counts_and_one_without_a_state_does_not() {
        let with = |state: Json| Case {
            state,
            ..choice(&[("a", None), ("b", None)])
        };
        let said = |text: &str| with(Json::String(text.to_owned()));
        let mut cases = vec![said("x"), said("y"), said("x"), said("x"), said("z")];
        assert_eq!(shared_states(&cases), 3);
        cases.reverse();
        assert_eq!(shared_states(&cases), 3);
        let nothing = [
            Json::Null,
            Json::Object(Object::default()),
            Json::Array(Vec::new()),
        ];
        let mut nothing: Vec<Case> = nothing.into_iter().map(with).collect();
        nothing.extend([said(" "), said(" ")]);
        nothing.extend(nothing.clone());
        assert_eq!(shared_states(&nothing), 0);
        assert_eq!(shared_states(&[]), 0);
    }
}
