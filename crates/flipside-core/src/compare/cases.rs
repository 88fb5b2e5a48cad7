//! Which case of one answer set is which of the other.

use std::collections::{BTreeMap, BTreeSet};

use super::answers::CaseAnswers;
use super::figures::{CaseCounts, OtherField};
use crate::case::Case;
use crate::digest::Digest;
use crate::recorded::BACKEND;

/// What two answer sets have in common.
pub(super) struct Pairing<'a> {
    /// Cases of both, pair by pair.
    pub(super) pairs: Vec<(&'a CaseAnswers, &'a CaseAnswers)>,
    pub(super) counts: CaseCounts,
    /// Cases with one id, different content and different types of question.
    pub(super) other_kind: u64,
    pub(super) other_fields: Vec<OtherField>,
}

/// Cases with the same id and content, or, where ids were made from file and line, the same content; and with the same
/// options declared to be one answer. Of several with one id and content in a set the first counts.
pub(super) fn pairs<'a>(baseline: &'a [CaseAnswers], variant: &'a [CaseAnswers]) -> Pairing<'a> {
    let contents = |cases: &[CaseAnswers]| -> Vec<Digest> {
        cases.iter().map(|answers| answers.case.content()).collect()
    };
    let (first_content, second_content) = (contents(baseline), contents(variant));
    let again = [
        repeated(baseline, &first_content),
        repeated(variant, &second_content),
    ];
    let mut by_id: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut by_content: BTreeMap<String, usize> = BTreeMap::new();
    for (place, answers) in variant.iter().enumerate() {
        if again[1].contains(&place) {
            continue;
        }
        by_id.entry(&answers.case.id.0).or_default().push(place);
        if !answers.case.named {
            by_content.insert(second_content[place].to_string(), place);
        }
    }
    let (mut counts, mut other_kind) = (CaseCounts::default(), 0);
    let mut pairs = Vec::new();
    let mut taken = vec![false; variant.len()];
    let mut rest = Vec::new();
    for (number, (answers, content)) in baseline.iter().zip(&first_content).enumerate() {
        if again[0].contains(&number) {
            continue;
        }
        let same_id = by_id
            .get(answers.case.id.0.as_str())
            .map_or(&[][..], Vec::as_slice);
        let same = same_id
            .iter()
            .copied()
            .find(|place| second_content[*place] == *content);
        let found = same.or_else(|| {
            let unnamed = !answers.case.named;
            unnamed.then(|| by_content.get(&content.to_string()).copied())?
        });
        // Where other options are one answer, the same two answers are a flip in one and none in the other.
        let alike = |place: &usize| variant[*place].case.equal == answers.case.equal;
        match found.filter(|place| !taken[*place] && alike(place)) {
            Some(place) => {
                taken[place] = true;
                pairs.push((answers, &variant[place]));
            }
            None => rest.push((answers, same_id)),
        }
    }
    for (answers, same_id) in rest {
        match same_id.iter().copied().find(|place| !taken[*place]) {
            Some(place) => {
                taken[place] = true;
                counts.other_content += 1;
                let kind = |answers: &CaseAnswers| answers.case.question.kind;
                other_kind += u64::from(kind(answers) != kind(&variant[place]));
            }
            None => counts.only_baseline += 1,
        }
    }
    [counts.repeated_baseline, counts.repeated_variant] =
        again.each_ref().map(|again| again.len() as u64);
    let untaken = taken.iter().filter(|taken| !**taken).count() as u64;
    counts.only_variant = untaken - counts.repeated_variant;
    counts.common = pairs.len() as u64;
    let mut other_fields: BTreeMap<&str, u64> = BTreeMap::new();
    for (first, second) in &pairs {
        let same = first.case.accept == second.case.accept;
        counts.other_labels += u64::from(!same);
        counts.labelled += u64::from(same && first.case.is_labelled());
        counts.unlisted += u64::from(first.case.brought.unlisted);
        let differ = differing(&first.case, &second.case);
        counts.other_fields += u64::from(!differ.is_empty());
        for field in differ {
            *other_fields.entry(field).or_default() += 1;
        }
    }
    let other_fields = other_fields.into_iter().map(|(field, cases)| OtherField {
        field: field.to_owned(),
        cases,
    });
    Pairing {
        pairs,
        counts,
        other_kind,
        other_fields: other_fields.collect(),
    }
}

/// The places of cases that repeat id and content of an earlier one.
fn repeated(cases: &[CaseAnswers], contents: &[Digest]) -> BTreeSet<usize> {
    let mut known = BTreeSet::new();
    let again = cases
        .iter()
        .zip(contents)
        .enumerate()
        .filter(|(_, (answers, content))| {
            !known.insert((answers.case.id.0.as_str(), content.to_string()))
        });
    again.map(|(place, _)| place).collect()
}

/// The fields whose values are not the same in both, without the one that names who answered.
fn differing<'a>(first: &'a Case, second: &'a Case) -> BTreeSet<&'a str> {
    let names = first.fields.iter().chain(&second.fields);
    let names = names.map(|(name, _)| name.as_str());
    names
        .filter(|name| *name != BACKEND && first.field(name) != second.field(name))
        .collect()
}
