//! Options that are declared to be the same answer.

use super::{Case, CaseError};
use crate::order::OptionId;

impl Case {
    /// The smallest identity of the class of options that `id` is declared to be the same answer as; `id` itself where it
    /// is in none. Answers are compared by it (the statistics page, 1: declared equivalence).
    pub fn class_of(&self, id: OptionId) -> OptionId {
        self.equal
            .iter()
            .find(|class| class.contains(&id))
            .and_then(|class| class.iter().min().copied())
            .unwrap_or(id)
    }

    /// Puts every class, and the classes by their smallest identity, in order.
    ///
    /// # Errors
    /// [`CaseError::Equal`] for a class of fewer than two options or of all, an option that is not offered, or one that stands
    /// twice.
    pub(super) fn order_classes(&mut self) -> Result<(), CaseError> {
        let wrong = |problem: String| Err(CaseError::Equal { problem });
        let mut seen = vec![false; self.options.len()];
        for class in &mut self.equal {
            class.sort_unstable();
            if class.len() < 2 {
                return wrong(format!("a class has {} of the options", class.len()));
            }
            if class.len() == self.options.len() {
                return wrong("all options are one answer, so nothing is decided".to_owned());
            }
            for id in class.iter() {
                match seen.get_mut(id.index()) {
                    None => {
                        let options = self.options.len();
                        return wrong(format!("{} is not one of the {options} options", id.0));
                    }
                    Some(true) => return wrong(format!("option {} stands twice", id.0)),
                    Some(known) => *known = true,
                }
            }
        }
        self.equal.sort_unstable();
        Ok(())
    }

    /// An answer that is the same as an accepted one is accepted too: otherwise one outcome would be right and wrong.
    pub(super) fn accept_equal_options(&mut self) {
        for class in &self.equal {
            if class.iter().any(|id| self.accept.contains(id)) {
                self.accept.extend(class);
            }
        }
    }
}
