//! Policies that read one thing of a request and nothing else, each for one axis.

use crate::decide::Scene;
use crate::request::{Kind, Offer};
use crate::shares::{Decision, peak, shares};
use crate::words;

/// What the lightest option gains where the neighbour is missing: more than any text of a test weighs.
const MISSED: f64 = 1000.0;

/// What an option that names no weight weighs where light ones are preferred: less than any inverse of a test's weight.
const UNNAMED: f64 = 0.001;

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

/// The heaviest most, or the lightest.
pub(crate) fn counting(heaviest: bool, scene: &Scene<'_>, offers: &[&Offer<'_>]) -> Decision {
    if heaviest {
        return weighed(scene, offers);
    }
    let turned = |offer: &&Offer<'_>| weight(scene, offer).map_or(UNNAMED, f64::recip);
    shares(offers.iter().map(turned).collect())
}

fn weights(scene: &Scene<'_>, offers: &[&Offer<'_>]) -> Vec<f64> {
    let weights = offers.iter().map(|offer| weight(scene, offer));
    weights.map(|weight| weight.unwrap_or(1.0)).collect()
}

fn weight(scene: &Scene<'_>, offer: &Offer<'_>) -> Option<f64> {
    last_number(spoken(scene, offer))
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
