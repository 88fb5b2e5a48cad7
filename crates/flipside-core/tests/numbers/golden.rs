//! The golden file: one check per group, every expected key looked at, nothing forgotten.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde_json::Value;

/// Twelve significant digits are printed, so half a unit in the last is at most 5e-12 of the value.
pub(crate) const PRINTED: f64 = 6e-12;
/// What rounding leaves of an exact 0.
pub(crate) const ZERO: f64 = 1e-14;

static FILE: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../data/stat-goldens.json")).unwrap());

/// One entry, which remembers what of its expectation was looked at.
pub(crate) struct Entry {
    pub(crate) id: &'static str,
    pub(crate) inputs: &'static Value,
    expected: &'static Value,
    seen: RefCell<BTreeSet<String>>,
}

pub(crate) type Check = fn(&Entry);

/// A group of the file with its check.
pub(crate) type Checked = (&'static str, Check);

fn groups() -> &'static serde_json::Map<String, Value> {
    FILE["groups"].as_object().unwrap()
}

/// Runs the checks over every entry of their groups; an entry with an expected key that nobody looked at fails.
pub(crate) fn run(checks: &[Checked]) {
    for (group, check) in checks {
        let entries = groups()[*group].as_array().unwrap();
        assert!(!entries.is_empty(), "{group}");
        for entry in entries {
            let entry = Entry {
                id: entry["id"].as_str().unwrap(),
                inputs: &entry["inputs"],
                expected: &entry["expected"],
                seen: RefCell::default(),
            };
            check(&entry);
            let seen = entry.seen.borrow();
            if let Some(expected) = entry.expected.as_object() {
                for key in expected.keys() {
                    assert!(
                        seen.contains(key),
                        "{group}/{}: `{key}` is not checked",
                        entry.id
                    );
                }
            } else {
                assert!(seen.contains(""), "{group}/{}: not checked", entry.id);
            }
        }
    }
}

impl Entry {
    fn look(&self, key: &str) -> &'static Value {
        self.seen.borrow_mut().insert(key.to_owned());
        self.expected
            .get(key)
            .unwrap_or_else(|| panic!("{}: no `{key}` expected", self.id))
    }

    pub(crate) fn expects(&self, key: &str) -> bool {
        self.expected.get(key).is_some()
    }

    /// An expected key that is not a number of this module, with where it is checked.
    pub(crate) fn leave(&self, key: &str, _where: &str) {
        self.look(key);
    }

    /// The whole entry is expected to be undefined.
    pub(crate) fn is_undefined(&self) -> bool {
        self.seen.borrow_mut().insert(String::new());
        self.expected.is_null()
    }

    pub(crate) fn expected(&self, key: &str) -> &'static Value {
        self.look(key)
    }

    /// `got` to the digits printed.
    #[track_caller]
    pub(crate) fn close(&self, key: &str, got: f64) {
        self.within(key, got, PRINTED);
    }

    /// `got` to a looser relative bound, because the inputs are printed with fewer digits.
    #[track_caller]
    pub(crate) fn within(&self, key: &str, got: f64, relative: f64) {
        near(&format!("{}/{key}", self.id), got, self.look(key), relative);
    }

    /// `got` to the digits printed, or both undefined.
    #[track_caller]
    pub(crate) fn close_or_none(&self, key: &str, got: Option<f64>) {
        match got {
            Some(got) => self.close(key, got),
            None => assert!(
                self.look(key).is_null(),
                "{}/{key}: nothing came out",
                self.id
            ),
        }
    }

    #[track_caller]
    pub(crate) fn close_list(&self, key: &str, got: &[f64]) {
        self.within_list(key, got, PRINTED);
    }

    #[track_caller]
    pub(crate) fn within_list(&self, key: &str, got: &[f64], relative: f64) {
        near_list(&format!("{}/{key}", self.id), got, self.look(key), relative);
    }

    #[track_caller]
    pub(crate) fn same<T: Into<Value>>(&self, key: &str, got: T) {
        assert_eq!(*self.look(key), got.into(), "{}/{key}", self.id);
    }

    pub(crate) fn real(&self, key: &str) -> f64 {
        real(&self.inputs[key])
    }

    pub(crate) fn count(&self, key: &str) -> u64 {
        self.inputs[key]
            .as_u64()
            .unwrap_or_else(|| panic!("{}: `{key}` is no count", self.id))
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.inputs.get(key).is_some()
    }

    pub(crate) fn reals(&self, key: &str) -> Vec<f64> {
        reals(&self.inputs[key])
    }

    pub(crate) fn counts(&self, key: &str) -> Vec<u64> {
        counts(&self.inputs[key])
    }

    pub(crate) fn rows(&self, key: &str) -> Vec<Vec<f64>> {
        rows(&self.inputs[key])
    }

    pub(crate) fn count_rows(&self, key: &str) -> Vec<Vec<u64>> {
        self.inputs[key]
            .as_array()
            .unwrap()
            .iter()
            .map(counts)
            .collect()
    }

    /// Labels as small numbers, in alphabetical order.
    pub(crate) fn labels(&self, keys: &[&str]) -> Vec<Vec<usize>> {
        let lists: Vec<Vec<&str>> = keys
            .iter()
            .map(|key| {
                let list = self.inputs[*key].as_array().unwrap();
                list.iter().map(|label| label.as_str().unwrap()).collect()
            })
            .collect();
        let known: BTreeSet<&str> = lists.iter().flatten().copied().collect();
        let number: BTreeMap<&str, usize> = known
            .into_iter()
            .enumerate()
            .map(|(index, label)| (label, index))
            .collect();
        lists
            .iter()
            .map(|list| list.iter().map(|label| number[label]).collect())
            .collect()
    }
}

pub(crate) fn real(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

pub(crate) fn reals(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(real).collect()
}

pub(crate) fn counts(value: &Value) -> Vec<u64> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|count| count.as_u64().unwrap())
        .collect()
}

pub(crate) fn rows(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap().iter().map(reals).collect()
}

#[track_caller]
pub(crate) fn near(name: &str, got: f64, expected: &Value, relative: f64) {
    let expected = expected
        .as_f64()
        .unwrap_or_else(|| panic!("{name}: {got}, not {expected}"));
    let error = (got - expected).abs();
    assert!(
        error <= relative * expected.abs() + ZERO,
        "{name}: {got:.15e}, expected {expected:.15e}, off by {error:.1e}"
    );
}

#[track_caller]
pub(crate) fn near_list(name: &str, got: &[f64], expected: &Value, relative: f64) {
    let expected = expected.as_array().unwrap();
    assert_eq!(got.len(), expected.len(), "{name}");
    for (got, expected) in got.iter().zip(expected) {
        near(name, *got, expected, relative);
    }
}

/// Groups that are not, or not only, numbers, with where they are checked.
const ELSEWHERE: &[(&str, &str)] = &[
    (
        "pair_semantics",
        "core's outcome of a pair: `figures/pairs.rs`",
    ),
    (
        "transitions",
        "core's direction of a flip: `figures/pairs.rs`",
    ),
    ("exit_code", "core's gates: `figures/pairs.rs`"),
];

#[test]
fn every_golden_group_is_checked_here_or_named_with_its_place() {
    let here: BTreeSet<&str> = crate::ALL
        .iter()
        .flat_map(|checks| checks.iter())
        .map(|(group, _)| *group)
        .collect();
    let elsewhere: BTreeSet<&str> = ELSEWHERE.iter().map(|(group, _)| *group).collect();
    let known: BTreeSet<&str> = here.union(&elsewhere).copied().collect();
    let file: BTreeSet<&str> = groups().keys().map(String::as_str).collect();
    assert_eq!(file, known);
    assert!(here.is_disjoint(&elsewhere));
    let entries = |groups_named: &BTreeSet<&str>| -> usize {
        let lengths = groups_named
            .iter()
            .map(|group| groups()[*group].as_array().unwrap().len());
        lengths.sum()
    };
    // `run` looks at every entry of a group; `figures/pairs.rs` counts the entries of the groups it has.
    assert_eq!(entries(&elsewhere), 25);
    assert_eq!(entries(&here) + entries(&elsewhere), 269);
}
