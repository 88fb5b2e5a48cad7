//! The rows of one base case, and what must hold between them.

use std::collections::{BTreeMap, BTreeSet};

use flipside_core::case::QuestionKind;
use flipside_core::json::Json;
use flipside_core::suite::{KeyVariant, RowOrder, place};

use super::Problem;
use super::line::{Gold, Line, same_names};
use super::reading::BelongsTo;
use crate::read::Error;

/// The rows of one base case, in the order of the file.
pub(super) struct Group<'a> {
    pub(super) lines: Vec<&'a Line>,
    /// What aliases belong to, where the rows show that by themselves.
    pub(super) alias: Option<BelongsTo>,
    /// The names of the semantic rows, by canonical identity.
    pub(super) semantic: Option<Vec<String>>,
}

/// Orders and key variants that a file has; a base case has all of them.
#[derive(Default)]
pub(super) struct Crossing {
    orders: BTreeSet<RowOrder>,
    keys: BTreeSet<KeyVariant>,
}

impl Crossing {
    pub(super) fn of(lines: &[Line]) -> Self {
        Self {
            orders: lines.iter().map(|line| line.order).collect(),
            keys: lines.iter().map(|line| line.keys).collect(),
        }
    }
}

/// Places of the lines of each base case, base cases and lines in the order of the file.
pub(super) fn by_base(lines: &[Line]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for (place, line) in lines.iter().enumerate() {
        let group = *known.entry(&line.base).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(place);
    }
    groups
}

/// Marks the rows whose forward and reversed form ask the same, byte for byte. Rows that stand twice are left alone.
pub(super) fn mark_vacuous(lines: &mut [Line]) {
    let mut pairs: BTreeMap<(String, u16, KeyVariant), Vec<usize>> = BTreeMap::new();
    for (place, line) in lines.iter().enumerate() {
        let pair = (line.base.clone(), line.phrasing, line.keys);
        pairs.entry(pair).or_default().push(place);
    }
    for places in pairs.values() {
        if let [one, other] = places[..]
            && lines[one].order != lines[other].order
            && lines[one].asked == lines[other].asked
        {
            lines[one].vacuous = true;
            lines[other].vacuous = true;
        }
    }
}

impl<'a> Group<'a> {
    /// The group of `lines`, if they are the complete rows of one base case and differ in nothing else.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub(super) fn new(lines: Vec<&'a Line>, crossing: &Crossing) -> Result<Self, Vec<Error>> {
        let mut group = Self {
            lines,
            alias: None,
            semantic: None,
        };
        // Each check takes for granted what the one before it found.
        let mut errors = group.one_base();
        if errors.is_empty() {
            errors = group.complete(crossing);
        }
        if errors.is_empty() {
            errors = group.pairs_differ_in_one_thing();
        }
        if errors.is_empty() {
            errors = group.semantic_names();
            errors.extend(group.alias_names());
        }
        if errors.is_empty() {
            errors = group.listed_names();
        }
        if errors.is_empty() {
            Ok(group)
        } else {
            Err(errors)
        }
    }

    fn first(&self) -> &'a Line {
        self.lines[0]
    }

    /// Family, type and number of options are the base case's.
    fn one_base(&self) -> Vec<Error> {
        let (first, mut errors) = (self.first(), Vec::new());
        for line in &self.lines[1..] {
            let what = if line.family != first.family {
                "`family`"
            } else if line.kind() != first.kind() {
                "`task_type`"
            } else if line.options.len() != first.options.len() {
                "the number of its options"
            } else {
                continue;
            };
            errors.push(differs(line, first, what, "rows of a base case"));
        }
        errors
    }

    /// Every wording of the base case in every order and key variant of the file, once.
    fn complete(&self, crossing: &Crossing) -> Vec<Error> {
        let mut errors = Vec::new();
        let mut seen: BTreeMap<(u16, RowOrder, KeyVariant), u64> = BTreeMap::new();
        for line in &self.lines {
            let row = (line.phrasing, line.order, line.keys);
            if let Some(first) = seen.get(&row) {
                let why = Problem::Doubled {
                    base: line.base.clone(),
                    row: line.place(),
                    first: *first,
                };
                errors.push(why.at(&line.at));
            } else {
                seen.insert(row, line.at.line);
            }
        }
        let last = self
            .lines
            .iter()
            .map(|line| line.phrasing)
            .max()
            .unwrap_or_default();
        let variants = KeyVariant::of(self.first().kind());
        let mut missing = Vec::new();
        for phrasing in 0..=last {
            for order in &crossing.orders {
                for keys in variants.iter().filter(|keys| crossing.keys.contains(keys)) {
                    if !seen.contains_key(&(phrasing, *order, *keys)) {
                        missing.push(place(phrasing, *order, *keys));
                    }
                }
            }
        }
        if !missing.is_empty() {
            let base = self.first().base.clone();
            errors.push(Problem::Missing { base, missing }.at(&self.first().at));
        }
        errors
    }

    /// Rows of one wording have one state and one question, and say the same about every option.
    fn pairs_differ_in_one_thing(&self) -> Vec<Error> {
        let mut errors = Vec::new();
        for (place, line) in self.lines.iter().enumerate() {
            let before = || {
                self.lines[..place]
                    .iter()
                    .filter(|other| other.phrasing == line.phrasing)
            };
            let Some(first) = before().next() else {
                continue;
            };
            if line.state != first.state {
                errors.push(differs(line, first, "`state`", "rows of one wording"));
            }
            // The two variants of a noul question are two wordings of it.
            let asked = if line.kind() == QuestionKind::Noul {
                before().find(|other| other.keys == line.keys)
            } else {
                Some(first)
            };
            if let Some(first) = asked
                && line.question.instructions != first.question.instructions
            {
                errors.push(differs(
                    line,
                    first,
                    "`instructions`",
                    "rows of one question",
                ));
            }
            errors.extend(described_alike(line, before().copied()));
        }
        errors
    }

    /// The rows that show names, of one key variant.
    fn naming(&self, keys: KeyVariant) -> impl Iterator<Item = (&'a Line, &'a [String])> {
        let lines = self.lines.iter().copied();
        lines
            .filter(move |line| line.keys == keys && line.is_named)
            .filter_map(|line| Some((line, line.names.first()?.as_slice())))
    }

    /// Semantic names belong to their options, in every row.
    fn semantic_names(&mut self) -> Vec<Error> {
        let mut rows = self.naming(KeyVariant::Semantic);
        let Some((first, names)) = rows.next() else {
            return Vec::new();
        };
        let owned = |names: Vec<&String>| names.into_iter().cloned().collect::<Vec<_>>();
        let known = owned(first.in_canonical_order(names));
        let mut errors = Vec::new();
        for (line, names) in rows {
            if owned(line.in_canonical_order(names)) != known {
                errors.push(misnamed(line, names, first, &known));
            }
        }
        self.semantic = Some(known);
        errors
    }

    /// Aliases belong to their options in every row, or to their places in every row.
    fn alias_names(&mut self) -> Vec<Error> {
        let rows: Vec<_> = self.naming(KeyVariant::Abstract).collect();
        let (reversed, forward): (Vec<_>, Vec<_>) =
            rows.into_iter().partition(|(line, _)| line.is_reversed());
        let mut errors = Vec::new();
        for rows in [&forward, &reversed] {
            for (line, names) in rows.iter().skip(1) {
                let (first, known) = rows[0];
                if *names != known {
                    errors.push(misnamed(line, names, first, known));
                }
            }
        }
        if let (Some((first, known)), Some((line, names)), true) =
            (forward.first(), reversed.first(), errors.is_empty())
        {
            if names.iter().eq(known.iter().rev()) {
                self.alias = Some(BelongsTo::Option);
            } else if names == known {
                self.alias = Some(BelongsTo::Place);
            } else {
                errors.push(misnamed(line, names, first, known));
            }
        }
        errors
    }

    /// Gold answers list the options of their rows, where rows show names.
    fn listed_names(&self) -> Vec<Error> {
        let mut errors = Vec::new();
        for line in self.lines.iter().filter(|line| line.is_named) {
            let Gold::Option { listed, .. } = &line.gold else {
                continue;
            };
            let numbers: Vec<String> = (0..listed.len()).map(|level| level.to_string()).collect();
            let known = line
                .names
                .iter()
                .chain(&self.semantic)
                .chain((line.kind() == QuestionKind::Score).then_some(&numbers))
                .any(|names| same_names(names, listed));
            if !known {
                let why = Problem::Listed {
                    base: line.base.clone(),
                    listed: listed.clone(),
                    offered: line.names.first().cloned().unwrap_or_default(),
                };
                errors.push(why.at(&line.at));
            }
        }
        errors
    }
}

fn differs(line: &Line, first: &Line, what: &'static str, rows: &'static str) -> Error {
    let why = Problem::Differs {
        base: line.base.clone(),
        what,
        first: first.at.line,
        rows,
    };
    why.at(&line.at)
}

fn out_of_place(line: &Line, first: &Line, what: &'static str) -> Error {
    let why = Problem::Arrangement {
        base: line.base.clone(),
        order: line.order.name(),
        what,
        first: first.at.line,
    };
    why.at(&line.at)
}

/// Whether a row says the same about its options as the rows before it.
fn described_alike<'a>(line: &Line, before: impl Iterator<Item = &'a Line>) -> Option<Error> {
    for first in before {
        let one = first.in_canonical_order(&first.descriptions);
        let other = line.in_canonical_order(&line.descriptions);
        if one == other {
            continue;
        }
        if sorted(&one) == sorted(&other) {
            return Some(out_of_place(line, first, "descriptions"));
        }
        // Renamed options may lose a description that would name them; the same names may not.
        if first.keys == line.keys {
            let what = "what is said about the options";
            return Some(differs(line, first, what, "rows with the same names"));
        }
    }
    None
}

/// Options of `line` that have other names, or the same ones elsewhere, than those of `first`.
fn misnamed(line: &Line, names: &[String], first: &Line, known: &[String]) -> Error {
    if same_names(names, known) {
        out_of_place(line, first, "names")
    } else {
        let what = "what its options are called";
        differs(line, first, what, "rows of one key variant")
    }
}

/// Descriptions in an order that does not depend on their places.
fn sorted(descriptions: &[&Option<Json>]) -> Vec<String> {
    let text =
        |description: &&Option<Json>| description.as_ref().map_or(String::new(), Json::to_text);
    let mut texts: Vec<String> = descriptions.iter().map(text).collect();
    texts.sort_unstable();
    texts
}
