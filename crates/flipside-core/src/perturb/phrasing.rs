//! The phrasing axis: the same decision in the other words that the case brings.

use super::{Altered, Alternative, Axis, Change, Variant};
use crate::case::{Case, QuestionKind};
use crate::plan::VacuousReason;

/// Every approved rewording of `case`, under its name.
pub(super) fn alternatives(case: &Case) -> Vec<Alternative> {
    let phrasings = (0u16..).zip(&case.brought.phrasings);
    let approved = phrasings.filter(|(_, phrasing)| phrasing.approved);
    let mut found: Vec<Alternative> = approved
        .map(|(index, phrasing)| {
            Alternative::new(
                Variant::on(Axis::Phrasing, phrasing.name.clone()),
                Change::Phrasing(index),
            )
        })
        .collect();
    if found.is_empty() {
        found.push(Alternative::new(
            Variant::on(Axis::Phrasing, "1"),
            Change::Phrasing(0),
        ));
    }
    found
}

/// Puts the case into the words of its rewording with this index. A negated statement is asked with its sides under each
/// other's keys, so that its `true` is read as the case's `false`.
///
/// # Errors
/// [`VacuousReason::NoPhrasing`] without such a rewording, or where nobody approved it; [`VacuousReason::Unchanged`].
pub(super) fn apply(index: u16, to: &mut Altered) -> Result<(), VacuousReason> {
    let phrasing = to.case.brought.phrasings.get(usize::from(index));
    let Some(phrasing) = phrasing.filter(|phrasing| phrasing.approved).cloned() else {
        return Err(VacuousReason::NoPhrasing);
    };
    let before = to.case.clone();
    if let Some(state) = phrasing.state {
        to.case.state = state;
    }
    if let Some(instructions) = phrasing.instructions {
        to.case.question.instructions = Some(instructions);
    }
    for (id, text) in phrasing.texts {
        to.case.options[id.index()].text = Some(text);
    }
    if phrasing.negated && to.case.question.kind == QuestionKind::Noul {
        let key = to.case.options[0].key.clone();
        to.case.options[0].key = std::mem::replace(&mut to.case.options[1].key, key);
    }
    if to.case == before {
        return Err(VacuousReason::Unchanged);
    }
    Ok(())
}
