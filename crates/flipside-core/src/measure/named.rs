//! What the options of different cases have in common: their names.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::case::{Case, KeyBinding, QuestionKind};
use crate::order::OptionId;

/// The most names that a figure lists.
pub(crate) const LISTED: usize = 50;

/// What an option goes by in several cases: how the question is answered, and its key, or of a level its number.
pub(crate) type Name<'a> = (QuestionKind, Cow<'a, str>);

/// The name of an option by its identity. `None` where keys belong to places and the options are no levels, and for an option that
/// the case does not have.
pub(crate) fn name(case: &Case, id: OptionId) -> Option<Name<'_>> {
    let option = case.options.get(id.index())?;
    let name = match (case.question.kind, case.keys) {
        (QuestionKind::Score, _) => Cow::Owned(id.0.to_string()),
        (_, KeyBinding::Place) => return None,
        (_, KeyBinding::Option | KeyBinding::Opposite) => Cow::Borrowed(option.key.0.as_str()),
    };
    Some((case.question.kind, name))
}

/// The names of all options of a case with their identities.
pub(crate) fn names(case: &Case) -> impl Iterator<Item = (Name<'_>, OptionId)> {
    let ids = (0..).map(OptionId).take(case.options.len());
    ids.filter_map(|id| Some((name(case, id)?, id)))
}

/// The names that two cases or more have, those of most cases first and of equals the first in byte order, and how many stand beyond
/// the [`LISTED`] that are kept.
pub(crate) fn shared<'a, T>(by_name: BTreeMap<Name<'a>, Vec<T>>) -> (Vec<(Name<'a>, Vec<T>)>, u64) {
    let mut all: Vec<(Name<'a>, Vec<T>)> = by_name.into_iter().collect();
    all.retain(|(_, cases)| cases.len() > 1);
    // Sorted by name before, which a stable sort keeps among equals.
    all.sort_by_key(|(_, cases)| std::cmp::Reverse(cases.len()));
    let beyond = all.split_off(all.len().min(LISTED)).len() as u64;
    (all, beyond)
}
