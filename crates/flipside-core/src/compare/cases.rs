//! Which case of one answer set is which of the other.

use std::collections::BTreeMap;

use super::answers::CaseAnswers;
use super::figures::CaseCounts;
use crate::digest::Digest;

/// Cases of both, pair by pair.
pub(super) type Pairs<'a> = Vec<(&'a CaseAnswers, &'a CaseAnswers)>;

/// Cases with the same id and content, or, where ids were made from file and line, the same content; and with the same
/// options declared to be one answer.
pub(super) fn pairs<'a>(
    baseline: &'a [CaseAnswers],
    variant: &'a [CaseAnswers],
) -> (Pairs<'a>, CaseCounts, u64) {
    let contents = |cases: &[CaseAnswers]| -> Vec<Digest> {
        cases.iter().map(|answers| answers.case.content()).collect()
    };
    let (first_content, second_content) = (contents(baseline), contents(variant));
    let by_id: BTreeMap<&str, usize> = (variant.iter().enumerate())
        .map(|(place, answers)| (answers.case.id.0.as_str(), place))
        .collect();
    let by_content: BTreeMap<String, usize> = (second_content.iter().enumerate())
        .filter(|(place, _)| !variant[*place].case.named)
        .map(|(place, content)| (content.to_string(), place))
        .collect();
    let (mut counts, mut other_kind) = (CaseCounts::default(), 0);
    let mut pairs = Vec::new();
    let mut taken = vec![false; variant.len()];
    let mut rest = Vec::new();
    for (answers, content) in baseline.iter().zip(&first_content) {
        let same_id = by_id.get(answers.case.id.0.as_str()).copied();
        let same = same_id.filter(|place| second_content[*place] == *content);
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
        match same_id.filter(|place| !taken[*place]) {
            Some(place) => {
                taken[place] = true;
                counts.other_content += 1;
                let kind = |answers: &CaseAnswers| answers.case.question.kind;
                other_kind += u64::from(kind(answers) != kind(&variant[place]));
            }
            None => counts.only_baseline += 1,
        }
    }
    counts.only_variant = taken.iter().filter(|taken| !**taken).count() as u64;
    counts.common = pairs.len() as u64;
    for (first, second) in &pairs {
        let same = first.case.accept == second.case.accept;
        counts.other_labels += u64::from(!same);
        counts.labelled += u64::from(same && first.case.is_labelled());
    }
    (pairs, counts, other_kind)
}
