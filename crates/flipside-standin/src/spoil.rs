//! Faults in the shape of an answer: a sheet made wrong before it is written.

use std::borrow::Cow;

use crate::answer::round;
use crate::fault::Fault;
use crate::request::Kind;
use crate::sheet::{Answer, Number, Sheet};

const NOBODY: &str = "x_nobody";
const CHANGED_MODEL_SUFFIX: &str = "-changed";

/// Applies `fault` to `sheet`, if it is about its shape.
pub(crate) fn sheet(sheet: &mut Sheet<'_>, fault: &Fault) {
    match fault {
        Fault::ModelChanges => {
            sheet.model.to_mut().push_str(CHANGED_MODEL_SUFFIX);
            sheet.routed.to_mut().push_str(CHANGED_MODEL_SUFFIX);
        }
        Fault::ProviderChanges => sheet.provider = Some("Elsewhere"),
        Fault::NoUsage => sheet.usage = None,
        Fault::FloatTokens => sheet.usage = Some((Number::Exact(118.5), Number::Exact(0.5))),
        Fault::NegativeUsage => sheet.usage = Some((Number::Exact(-1.0), Number::Exact(-1.0))),
        Fault::NanExtra => sheet.extra = Some("\"x_debug\":NaN"),
        Fault::AnswerNobodyAsked => {
            if let Some((_, answer)) = sheet.answers.first().cloned() {
                sheet.answers.push((Cow::Borrowed(NOBODY), answer));
            }
        }
        Fault::MissingAnswer => drop(sheet.answers.pop()),
        _ => sheet
            .answers
            .iter_mut()
            .for_each(|(_, answer)| one(answer, fault)),
    }
}

fn one(answer: &mut Answer<'_>, fault: &Fault) {
    match fault {
        Fault::UnknownType => answer.other = Some("oracle"),
        Fault::Unsupported => answer.other = Some("unsupported"),
        Fault::Refusal => answer.other = Some("refusal"),
        Fault::NoProbabilities => answer.probabilities = None,
        Fault::PickOnly => {
            answer.probabilities = None;
            answer.confidence = None;
            answer.legend = None;
        }
        Fault::Confidence(value) => answer.confidence = Some(Number::Exact(*value)),
        Fault::LegendFromOne => {
            let keys = answer.legend.iter_mut().flatten().map(|(key, _)| key);
            keys.enumerate()
                .for_each(|(at, key)| *key = Cow::Owned((at + 1).to_string()));
        }
        Fault::ChoiceNotOffered => answer.choice = Cow::Borrowed("x_not_offered"),
        Fault::NfdKeys => rename(answer, decompose),
        Fault::LowerKeys => rename(answer, str::to_lowercase),
        Fault::SecondBest if answer.kind == Kind::Choice => second_best(answer),
        _ => shares(answer, fault),
    }
}

fn shares(answer: &mut Answer<'_>, fault: &Fault) {
    let chosen = answer.choice.clone();
    let Some(shares) = &mut answer.probabilities else {
        return;
    };
    match fault {
        Fault::DuplicateProbability => {
            let first = shares[0].clone();
            shares.push(first);
        }
        Fault::MissingOption => {
            if let Some(at) = shares.iter().rposition(|(key, _)| *key != chosen) {
                shares.remove(at);
            }
        }
        Fault::ExtraOption => shares.push((Cow::Borrowed("x_extra"), Number::Exact(0.0))),
        Fault::ReversedProbabilities => shares.reverse(),
        Fault::NotANumber => shares[0].1 = Number::Raw("NaN"),
        Fault::Infinite => shares[0].1 = Number::Raw("1e400"),
        Fault::MinusZero => {
            let smallest = (0..shares.len()).min_by(|a, b| answer.p[*a].total_cmp(&answer.p[*b]));
            if let Some(at) = smallest {
                shares[at].1 = Number::Raw("-0.0");
            }
        }
        Fault::Rounded(decimals) => values(shares, |p| Number::Float(round(p, *decimals))),
        Fault::Sum(sum) => values(shares, |p| Number::Float(p * sum)),
        Fault::NumbersAsText => values(shares, Number::Quoted),
        _ => {}
    }
}

fn values(shares: &mut [(Cow<'_, str>, Number)], change: impl Fn(f64) -> Number) {
    for (_, number) in shares {
        if let Number::Float(value) = *number {
            *number = change(value);
        }
    }
}

fn second_best(answer: &mut Answer<'_>) {
    let mut ranked: Vec<usize> = (0..answer.p.len()).collect();
    ranked.sort_by(|a, b| answer.p[*b].total_cmp(&answer.p[*a]));
    if let (Some(second), Some(shares)) = (ranked.get(1), &answer.probabilities) {
        answer.choice = shares[*second].0.clone();
    }
}

fn rename(answer: &mut Answer<'_>, change: impl Fn(&str) -> String) {
    answer.choice = Cow::Owned(change(&answer.choice));
    for (key, _) in answer.probabilities.iter_mut().flatten() {
        *key = Cow::Owned(change(key));
    }
}

/// Letters of Latin-1 as letter and combining accent (NFD for that range; others stay as they are).
fn decompose(text: &str) -> String {
    const ACCENTS: [(char, &str); 7] = [
        ('\u{300}', "ÀAÈEÌIÒOÙUàaèeìiòoùu"),
        ('\u{301}', "ÁAÉEÍIÓOÚUÝYáaéeíióoúuýy"),
        ('\u{302}', "ÂAÊEÎIÔOÛUâaêeîiôoûu"),
        ('\u{303}', "ÃAÑNÕOãañnõo"),
        ('\u{308}', "ÄAËEÏIÖOÜUäaëeïiöoüuÿy"),
        ('\u{30a}', "ÅAåa"),
        ('\u{327}', "ÇCçc"),
    ];
    let mut out = String::with_capacity(text.len() + 2);
    for letter in text.chars() {
        let found = ACCENTS.iter().find_map(|(accent, pairs)| {
            let mut pairs = pairs.chars();
            let base = std::iter::from_fn(|| Some((pairs.next()?, pairs.next()?)))
                .find(|(whole, _)| *whole == letter);
            base.map(|(_, base)| [base, *accent])
        });
        match found {
            Some(parts) => out.extend(parts),
            None => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_come_apart() {
        assert_eq!(decompose("éa ç ü 中"), "e\u{301}a c\u{327} u\u{308} 中");
    }
}
