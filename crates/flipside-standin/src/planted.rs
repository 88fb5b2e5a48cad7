//! Policies that read one thing of a request and nothing else, each for one axis.

use crate::counted::Counted;
use crate::decide::Scene;
use crate::request::{Kind, Offer};
use crate::shares::{Decision, peak, shares};
use crate::words;

/// What the lightest option gains where the neighbour is missing: more than any text of a test weighs.
const MISSED: f64 = 1000.0;

pub(crate) fn weighed(scene: &Scene<'_>, offers: &[&Offer<'_>]) -> Decision {
    shares(weights(scene, offers))
}

pub(crate) fn misses(word: &str, scene: &Scene<'_>, offers: &[&Offer<'_>]) -> Decision {
    let mut weights = weights(scene, offers);
    let offered = |offer: &&Offer<'_>| words::split(spoken(scene, offer)).any(|each| each == word);
    if !offers.iter().any(offered) {
        let lightest = (0..weights.len()).min_by(|a, b| weights[*a].total_cmp(&weights[*b]));
        if let Some(lightest) = lightest {
            weights[lightest] += MISSED;
        }
    }
    shares(weights)
}

pub(crate) fn first_word(offers: &[&Offer<'_>]) -> Decision {
    let word = |offer: &Offer<'_>| {
        let text = offer.text.as_deref().unwrap_or_default();
        words::split(text).next().unwrap_or_default()
    };
    let smallest = (0..offers.len()).min_by_key(|at| word(offers[*at]));
    peak(offers.len(), smallest.unwrap_or(0))
}

pub(crate) fn counting(counted: Counted, scene: &Scene<'_>, offers: &[&Offer<'_>]) -> Decision {
    let mut decision = weighed(scene, offers);
    let mut ranked: Vec<usize> = (0..offers.len()).collect();
    ranked.sort_by(|a, b| decision.p[*b].total_cmp(&decision.p[*a]));
    let pick = ranked[counted.of(scene) % offers.len()];
    decision.p.swap(decision.choice, pick);
    decision.choice = pick;
    decision
}

fn weights(scene: &Scene<'_>, offers: &[&Offer<'_>]) -> Vec<f64> {
    let weight = |offer: &&Offer<'_>| last_number(spoken(scene, offer)).unwrap_or(1.0);
    offers.iter().map(weight).collect()
}

/// An option's text, or its key where it has none; levels have no keys of their own.
fn spoken<'a>(scene: &Scene<'_>, offer: &'a Offer<'_>) -> &'a str {
    match &offer.text {
        Some(text) => text,
        None if scene.question.kind == Kind::Score => "",
        None => &offer.key,
    }
}

/// The last whole number over 0 in a text.
fn last_number(text: &str) -> Option<f64> {
    let numbers = text.split(|c: char| !c.is_ascii_digit());
    let mut numbers = numbers.filter_map(|digits| digits.parse::<u32>().ok());
    numbers.rfind(|number| *number > 0).map(f64::from)
}

#[cfg(test)]
mod tests {
    use super::last_number;

    #[test]
    fn the_last_number_over_zero_is_the_weight() {
        assert_eq!(last_number("7 parcels, 12 of them late"), Some(12.0));
        assert_eq!(last_number("lane-3"), Some(3.0));
        assert_eq!(last_number("5 of 0"), Some(5.0));
        assert_eq!(last_number("none"), None);
    }
}
