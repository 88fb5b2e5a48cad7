//! Equal parts of many cases, held once.

use std::sync::Arc;

use super::{Case, CaseOption, FieldValue, Question};
use crate::compare::RecordedAsk;
use crate::order::OptionId;
use crate::perturb::Variant;
use crate::record::Outcome;
use crate::shared::{List, Pool, Shared};

/// The parts of the cases that were read last.
#[derive(Debug, Default)]
pub struct Parts {
    names: Pool<Arc<str>>,
    questions: Pool<Shared<Question>>,
    options: Pool<List<CaseOption>>,
    accept: Pool<List<OptionId>>,
    fields: Pool<List<(String, FieldValue)>>,
    equal: Pool<List<Vec<OptionId>>>,
    variants: Pool<Shared<Variant>>,
}

impl Parts {
    /// Makes the parts of `case` that equal those of a case before it the same in memory, and keeps no room for more.
    pub fn share(&mut self, case: &mut Case) {
        self.names.share(&mut case.source.format);
        self.names.share(&mut case.source.file);
        self.questions.share(&mut case.question);
        shared(&mut self.options, &mut case.options);
        shared(&mut self.accept, &mut case.accept);
        shared(&mut self.fields, &mut case.fields);
        shared(&mut self.equal, &mut case.equal);
    }

    /// The same for the names in an answer.
    pub fn share_answer(&mut self, outcome: &mut Outcome) {
        if let Outcome::Answered(answer) = outcome {
            let names = answer.served_model.iter_mut().chain(&mut answer.provider);
            names.for_each(|name| self.names.share(name));
        }
    }

    /// The same for a recorded ask.
    pub fn share_ask(&mut self, ask: &mut RecordedAsk) {
        self.variants.share(&mut ask.variant);
        self.share_answer(&mut ask.outcome);
    }
}

fn shared<T: Clone + PartialEq + 'static>(pool: &mut Pool<List<T>>, list: &mut List<T>) {
    if list.is_empty() {
        *list = List::new();
        return;
    }
    if list.capacity() > list.len() {
        list.shrink_to_fit();
    }
    pool.share(list);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::QuestionKind;
    use crate::perturb::test_case;

    #[test]
    fn sharing_parts_changes_no_case() {
        let mut parts = Parts::default();
        let first = test_case::case(QuestionKind::Choice, &[("a", Some("one")), ("b", None)]);
        let mut other = first.clone();
        other.options.reverse();
        other.accept = vec![OptionId(1)].into();
        for case in [&first, &other, &first] {
            let mut shared = case.clone();
            parts.share(&mut shared);
            assert_eq!(shared, *case);
        }
    }

    #[test]
    fn equal_options_of_two_cases_are_one_list() {
        let mut parts = Parts::default();
        let options = [("a", Some("one")), ("b", None)];
        let mut cases = [0, 1].map(|_| test_case::case(QuestionKind::Choice, &options));
        let place = |case: &Case| std::ptr::from_ref(&case.options[0]);
        assert_ne!(place(&cases[0]), place(&cases[1]));
        for case in &mut cases {
            parts.share(case);
        }
        assert_eq!(place(&cases[0]), place(&cases[1]));
    }
}
