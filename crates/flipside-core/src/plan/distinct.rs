//! Cases without exact duplicates.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::PlanError;
use crate::case::{Case, CaseId, Source};
use crate::digest::Digest;
use crate::record::Outcome;

/// Cases without exact duplicates, shared by the plans of several models.
#[derive(Clone, Debug)]
pub struct Distinct {
    /// The cases.
    pub cases: Arc<[Case]>,
    /// Cases left out because an earlier one is the same.
    pub duplicates: Vec<Duplicate>,
}

/// A case that asks exactly what an earlier one asks.
#[derive(Clone, Debug, PartialEq)]
pub struct Duplicate {
    /// The case that is left out.
    pub case: CaseId,
    /// The case that is asked.
    pub same_as: CaseId,
    /// Where the one that is left out was read.
    pub source: Source,
    /// The fields that the two do not have alike; those of the case that is asked count.
    pub differs_in: Vec<String>,
    /// What was answered to it before, where that is on record.
    pub recorded: Option<Box<Outcome>>,
}

/// The names of the fields that two cases do not have alike, in the order of the first, then of the second.
fn other_fields(one: &Case, other: &Case) -> Vec<String> {
    let mut names: Vec<&String> = Vec::new();
    for (name, _) in one.fields.iter().chain(&other.fields) {
        if one.field(name) != other.field(name) && !names.contains(&name) {
            names.push(name);
        }
    }
    names.into_iter().cloned().collect()
}

fn is_answered(recorded: Option<&Outcome>) -> bool {
    matches!(recorded, Some(Outcome::Answered(_)))
}

/// Leaves out every case that asks and accepts exactly what an earlier one does.
///
/// The earlier one's fields count; [`Duplicate::differs_in`] names those that the later one has otherwise. Of what was answered to
/// them before, the first valid answer counts.
///
/// # Errors
/// [`PlanError::NoCase`], or every [`PlanError::Contradiction`].
pub fn distinct(cases: Vec<Case>) -> Result<Distinct, Vec<PlanError>> {
    let mut kept: Vec<Case> = Vec::with_capacity(cases.len());
    let mut by_content: BTreeMap<Digest, usize> = BTreeMap::new();
    let (mut duplicates, mut errors) = (Vec::new(), Vec::new());
    for case in cases {
        match by_content.get(&case.content()) {
            Some(&earlier)
                if kept[earlier].accept == case.accept && kept[earlier].equal == case.equal =>
            {
                let known = &mut kept[earlier].brought.recorded;
                if is_answered(case.brought.recorded.as_deref()) && !is_answered(known.as_deref()) {
                    known.clone_from(&case.brought.recorded);
                }
                duplicates.push(Duplicate {
                    differs_in: other_fields(&kept[earlier], &case),
                    recorded: case.brought.recorded,
                    case: case.id,
                    same_as: kept[earlier].id.clone(),
                    source: case.source,
                });
            }
            Some(&earlier) => errors.push(PlanError::Contradiction {
                what: if kept[earlier].equal == case.equal {
                    "accepted"
                } else {
                    "equal"
                },
                earlier: kept[earlier].id.clone(),
                file: case.source.file.to_string(),
                line: case.source.line,
                case: case.id,
            }),
            None => {
                by_content.insert(case.content(), kept.len());
                kept.push(case);
            }
        }
    }
    if kept.is_empty() && errors.is_empty() {
        errors.push(PlanError::NoCase);
    }
    if errors.is_empty() {
        Ok(Distinct {
            cases: kept.into(),
            duplicates,
        })
    } else {
        Err(errors)
    }
}
