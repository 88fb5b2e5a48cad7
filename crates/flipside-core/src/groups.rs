//! Which fields of cases group them: clusters of cases that are no independent units, and slices to look at.

use crate::case::{Case, CaseId};
use crate::foreign::Foreign;
use crate::plan::Distinct;

/// The fields that cases are grouped by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Groups {
    /// Cases with one value of this field are one independent unit.
    pub cluster: Option<String>,
    /// Fields whose values are looked at one by one, each once.
    pub by: Vec<String>,
}

/// Why cases cannot be grouped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GroupError {
    /// No case has the field.
    #[error("no case has the field `{}`", Foreign(field))]
    Unknown {
        /// The field.
        field: String,
        /// The fields that cases do have, in byte order.
        known: Vec<String>,
    },
    /// A case that belongs to no cluster.
    #[error("{}:{line}: case `{case}` has no `{}`{}", Foreign(file), Foreign(field), more_text(*more))]
    NoCluster {
        /// The first such case.
        case: CaseId,
        /// Its file.
        file: String,
        /// Its line.
        line: u64,
        /// The field.
        field: String,
        /// How many more such cases there are.
        more: u64,
    },
    /// A duplicate with another value, so that the figures would depend on which of the two comes first.
    #[error(
        "{}:{line}: case `{case}` is case `{earlier}` again with another `{}`",
        Foreign(file),
        Foreign(field)
    )]
    TwoValues {
        /// The later case.
        case: CaseId,
        /// The earlier case.
        earlier: CaseId,
        /// The later case's file.
        file: String,
        /// Its line.
        line: u64,
        /// The field.
        field: String,
    },
}

fn more_text(more: u64) -> String {
    match more {
        0 => String::new(),
        1 => ", and 1 more case has none".to_owned(),
        more => format!(", and {more} more cases have none"),
    }
}

impl GroupError {
    /// What to do about it.
    pub fn help(&self) -> String {
        match self {
            Self::Unknown { known, .. } if known.is_empty() => {
                "no case has any field; in probe JSONL write them as `\"fields\":{\"base\":\"parcel\"}`".to_owned()
            }
            Self::Unknown { known, .. } => {
                let known: Vec<String> = known
                    .iter()
                    .map(|name| format!("`{}`", Foreign(name)))
                    .collect();
                format!("the fields are {}", known.join(", "))
            }
            Self::NoCluster { .. } => {
                "give every case the field; a case that comes from no template takes a value of its own".to_owned()
            }
            Self::TwoValues { .. } => "give both cases one value, or leave one of them out".to_owned(),
        }
    }
}

impl Groups {
    /// Checks that the fields exist, that every case has a cluster, and that no duplicate has another value.
    ///
    /// # Errors
    /// Every [`GroupError`].
    pub fn check(&self, distinct: &Distinct) -> Result<(), Vec<GroupError>> {
        let mut errors = Vec::new();
        let mut fields: Vec<&String> = Vec::new();
        for field in self.cluster.iter().chain(&self.by) {
            if !fields.contains(&field) {
                fields.push(field);
            }
        }
        for field in fields {
            if !distinct
                .cases
                .iter()
                .any(|case| case.field(field).is_some())
            {
                errors.push(GroupError::Unknown {
                    field: field.clone(),
                    known: known(&distinct.cases),
                });
                continue;
            }
            for duplicate in &distinct.duplicates {
                if duplicate.differs_in.contains(field) {
                    errors.push(GroupError::TwoValues {
                        case: duplicate.case.clone(),
                        earlier: duplicate.same_as.clone(),
                        file: duplicate.source.file.to_string(),
                        line: duplicate.source.line,
                        field: field.clone(),
                    });
                }
            }
            if self.cluster.as_ref() == Some(field) {
                errors.extend(no_cluster(field, &distinct.cases));
            }
        }
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }

    /// The cluster of a case: the value of the cluster field. `None` without such a field.
    pub fn cluster_of<'a>(&self, case: &'a Case) -> Option<&'a str> {
        case.field(self.cluster.as_deref()?)
    }
}

fn no_cluster(field: &str, cases: &[Case]) -> Option<GroupError> {
    let mut without = cases.iter().filter(|case| case.field(field).is_none());
    let first = without.next()?;
    Some(GroupError::NoCluster {
        case: first.id.clone(),
        file: first.source.file.to_string(),
        line: first.source.line,
        field: field.to_owned(),
        more: without.count() as u64,
    })
}

/// The names of the fields of `cases`, in byte order.
fn known(cases: &[Case]) -> Vec<String> {
    let names = cases.iter().flat_map(|case| &case.fields);
    let names: std::collections::BTreeSet<&String> = names.map(|(name, _)| name).collect();
    names.into_iter().cloned().collect()
}
