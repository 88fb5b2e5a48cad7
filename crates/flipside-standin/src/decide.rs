//! A policy applied to one question.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Mutex;

use crate::draw::Hash;
use crate::policy::Policy;
use crate::request::{Body, Kind, Offer, Question};
use crate::words;

const PEAK: f64 = 0.9;
const REST: f64 = 0.1;
const CONTENT_SPAN: f64 = 4.0;
const PRIOR_CONTENT_SHARE: f64 = 0.01;
const STATE_SEED: u64 = 1;
const NOISE_SEED: u64 = 2;

/// Probabilities by option in the request's order, and the choice.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Decision {
    pub(crate) p: Vec<f64>,
    pub(crate) choice: usize,
    pub(crate) refused: bool,
}

/// What [`Policy::Cached`] remembers: key and probability of each option, the chosen key.
#[derive(Default)]
pub(crate) struct Memory(Mutex<HashMap<Vec<u8>, Remembered>>);

#[derive(Clone)]
struct Remembered {
    p: Vec<(String, f64)>,
    choice: String,
    refused: bool,
}

/// Everything that a policy may look at.
pub(crate) struct Scene<'a> {
    pub(crate) body: &'a Body<'a>,
    pub(crate) state: &'a str,
    pub(crate) question: &'a Question<'a>,
    /// The question's place in the body, from 0.
    pub(crate) place: usize,
    /// The request's number, from 1.
    pub(crate) number: u64,
    /// Whether the key of a described option stays hidden from the model.
    pub(crate) hide_keys: bool,
    pub(crate) memory: &'a Memory,
}

impl Scene<'_> {
    fn state_hash(&self) -> Hash {
        Hash::new(STATE_SEED).bytes(self.state.as_bytes()).number(0)
    }

    fn draw(&self, seed: u64, purpose: u64) -> f64 {
        Hash::new(seed)
            .number(self.number)
            .number(self.place as u64)
            .number(purpose)
            .unit()
    }

    fn spoken_key<'b>(&self, offer: &'b Offer<'_>) -> &'b str {
        match &offer.text {
            _ if self.question.kind == Kind::Score => "",
            Some(text) if self.hide_keys && !text.is_empty() => "",
            _ => &offer.key,
        }
    }

    fn content(&self, state: Hash, offer: &Offer<'_>) -> f64 {
        let key = state.bytes(self.spoken_key(offer).as_bytes());
        match &offer.text {
            None => key.number(1),
            Some(text) => key.number(2).bytes(text.as_bytes()),
        }
        .unit()
    }
}

/// The decision of `policy` on the scene's question.
///
/// # Errors
/// Why the policy does not fit the question: an answer 422.
pub(crate) fn decide(policy: &Policy, scene: &Scene<'_>) -> Result<Decision, String> {
    let offers: Vec<&Offer<'_>> = scene.question.offers.iter().collect();
    let Some(order) = &scene.question.option_order else {
        return among(policy, scene, &offers);
    };
    through(&offers, order, |seen| among(policy, scene, seen))
}

fn among(policy: &Policy, scene: &Scene<'_>, offers: &[&Offer<'_>]) -> Result<Decision, String> {
    let n = offers.len();
    let fits = |ok: bool, why: String| match scene.question.kind {
        _ if ok => Ok(true),
        Kind::Noul => Ok(false),
        _ => Err(why),
    };
    match policy {
        Policy::First => Ok(peak(n, 0)),
        Policy::Last => Ok(peak(n, n - 1)),
        Policy::Slot(slot) if fits(*slot <= n, format!("slot {slot} of {n} options"))? => {
            Ok(peak(n, slot - 1))
        }
        Policy::Prior(prior)
            if fits(
                prior.len() == n,
                format!("a prior of {} for {n} options", prior.len()),
            )? =>
        {
            let state = scene.state_hash();
            let weigh = |(weight, offer): (&f64, &&Offer<'_>)| {
                weight * (1.0 + PRIOR_CONTENT_SHARE * scene.content(state, offer))
            };
            Ok(shares(prior.iter().zip(offers).map(weigh).collect()))
        }
        Policy::NextTo(key) => {
            let marked = offers.iter().position(|offer| offer.key == *key);
            match marked {
                Some(marked) => Ok(peak(n, (marked + 1) % n)),
                None if scene.question.kind == Kind::Noul => Ok(content(scene, offers)),
                None => Err(format!("no option `{key}` to stand next to")),
            }
        }
        Policy::Content | Policy::Slot(_) | Policy::Prior(_) => Ok(content(scene, offers)),
        Policy::Overlap => {
            let state = words::of_json(scene.state);
            let count = |offer: &&Offer<'_>| {
                words::shared(&state, scene.spoken_key(offer), offer.text.as_deref())
            };
            Ok(softmax(offers.iter().map(count).collect()))
        }
        Policy::Uniform => Ok(shares(vec![1.0; n])),
        Policy::Noisy { p, seed } => Ok(noisy(scene, offers, *p, *seed)),
        Policy::Random { seed } => Ok(peak(n, index(scene.draw(*seed, 0), n))),
        Policy::JsOrder(inner) => {
            through(offers, &js_order(offers), |seen| among(inner, scene, seen))
        }
        Policy::SortedOrder(inner) => {
            let mut order: Vec<usize> = (0..n).collect();
            order.sort_by(|a, b| offers[*a].key.as_bytes().cmp(offers[*b].key.as_bytes()));
            through(offers, &order, |seen| among(inner, scene, seen))
        }
        Policy::Neighbour => {
            let mut decision = content(scene, offers);
            let mut ranked: Vec<usize> = (0..n).collect();
            ranked.sort_by(|a, b| decision.p[*b].total_cmp(&decision.p[*a]));
            let pick = ranked[(scene.body.questions.len() - 1) % n];
            decision.p.swap(decision.choice, pick);
            decision.choice = pick;
            Ok(decision)
        }
        Policy::Truncating { chars } => {
            let state = scene.state_hash();
            let cut = |offer: &&Offer<'_>| {
                let text = offer.text.as_deref().unwrap_or(&offer.key);
                let end = text
                    .char_indices()
                    .nth(*chars)
                    .map_or(text.len(), |(at, _)| at);
                CONTENT_SPAN * state.bytes(&text.as_bytes()[..end]).unit()
            };
            Ok(softmax(offers.iter().map(cut).collect()))
        }
        Policy::KeyBiased => {
            let smallest =
                (0..n).min_by(|a, b| offers[*a].key.as_bytes().cmp(offers[*b].key.as_bytes()));
            Ok(peak(n, smallest.unwrap_or(0)))
        }
        Policy::Mixed(weight) => {
            let state = scene.state_hash();
            let logit = |(at, offer): (usize, &&Offer<'_>)| {
                CONTENT_SPAN * scene.content(state, offer) + weight * float(n - 1 - at)
            };
            Ok(softmax(offers.iter().enumerate().map(logit).collect()))
        }
        Policy::RefuseReversed => {
            let mut decision = content(scene, offers);
            decision.refused = offers[0].key.as_bytes() > offers[n - 1].key.as_bytes();
            Ok(decision)
        }
        Policy::Cached(inner) => cached(inner, scene, offers),
    }
}

/// Asks `inner` about the offers in another order (`order[place]` is an index) and gives the answer in the old one.
fn through(
    offers: &[&Offer<'_>],
    order: &[usize],
    inner: impl FnOnce(&[&Offer<'_>]) -> Result<Decision, String>,
) -> Result<Decision, String> {
    let seen: Vec<&Offer<'_>> = order.iter().map(|at| offers[*at]).collect();
    let mut decision = inner(&seen)?;
    let mut p = vec![0.0; offers.len()];
    for (at, share) in order.iter().zip(&decision.p) {
        p[*at] = *share;
    }
    decision.p = p;
    decision.choice = order[decision.choice];
    Ok(decision)
}

fn content(scene: &Scene<'_>, offers: &[&Offer<'_>]) -> Decision {
    let state = scene.state_hash();
    let logit = |offer: &&Offer<'_>| CONTENT_SPAN * scene.content(state, offer);
    softmax(offers.iter().map(logit).collect())
}

fn noisy(scene: &Scene<'_>, offers: &[&Offer<'_>], p: f64, seed: u64) -> Decision {
    let mut decision = content(scene, offers);
    let n = offers.len();
    if n < 2 {
        return decision;
    }
    let ceiling = float(n - 1) / float(n);
    let deviates = (1.0 - (1.0 - p.min(ceiling) / ceiling).sqrt()) * ceiling;
    if scene.draw(seed, NOISE_SEED) < deviates {
        // Which other option is drawn must depend on its key and not on its place: this policy is order-free.
        let mut others: Vec<usize> = (0..n).filter(|at| *at != decision.choice).collect();
        others.sort_by(|a, b| offers[*a].key.as_bytes().cmp(offers[*b].key.as_bytes()));
        let other = others[index(scene.draw(seed, NOISE_SEED + 1), n - 1)];
        decision.p.swap(decision.choice, other);
        decision.choice = other;
    }
    decision
}

fn cached(inner: &Policy, scene: &Scene<'_>, offers: &[&Offer<'_>]) -> Result<Decision, String> {
    let name = canonical(scene);
    let known = scene
        .memory
        .0
        .lock()
        .ok()
        .and_then(|memory| memory.get(&name).cloned());
    if let Some(known) = known {
        let share = |offer: &&Offer<'_>| {
            known
                .p
                .iter()
                .find(|(key, _)| *key == offer.key)
                .map_or(0.0, |(_, p)| *p)
        };
        return Ok(Decision {
            p: offers.iter().map(share).collect(),
            choice: offers
                .iter()
                .position(|offer| offer.key == known.choice)
                .unwrap_or(0),
            refused: known.refused,
        });
    }
    let decision = among(inner, scene, offers)?;
    let remembered = Remembered {
        p: offers
            .iter()
            .zip(&decision.p)
            .map(|(offer, p)| (offer.key.to_string(), *p))
            .collect(),
        choice: offers[decision.choice].key.to_string(),
        refused: decision.refused,
    };
    if let Ok(mut memory) = scene.memory.0.lock() {
        memory.insert(name, remembered);
    }
    Ok(decision)
}

fn canonical(scene: &Scene<'_>) -> Vec<u8> {
    let mut name = Vec::new();
    let mut add = |text: &str| {
        name.extend_from_slice(text.as_bytes());
        name.push(0);
    };
    add(&scene.question.id);
    add(scene.state);
    for question in &scene.body.questions {
        add(&question.id);
        add(question.instructions);
        let mut offers: Vec<(&Cow<'_, str>, &str)> =
            question.offers.iter().map(|o| (&o.key, o.raw)).collect();
        offers.sort();
        for (key, raw) in offers {
            add(key);
            add(raw);
        }
    }
    name
}

/// JavaScript's property order: canonical array-like integers first and ascending, the others as they came.
fn js_order(offers: &[&Offer<'_>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..offers.len()).collect();
    order.sort_by_key(|at| integer_key(&offers[*at].key).map_or((1, 0), |number| (0, number)));
    order
}

fn integer_key(key: &str) -> Option<u32> {
    let number: u32 = key.parse().ok()?;
    (number != u32::MAX && number.to_string() == key).then_some(number)
}

fn peak(n: usize, at: usize) -> Decision {
    let mut p = vec![REST / float(n.max(2) - 1); n];
    p[at] = if n == 1 { 1.0 } else { PEAK };
    Decision {
        p,
        choice: at,
        refused: false,
    }
}

/// Softmax whose bits do not depend on the order of the logits.
fn softmax(logits: Vec<f64>) -> Decision {
    let top = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    shares(
        logits
            .into_iter()
            .map(|logit| (logit - top).exp())
            .collect(),
    )
}

fn shares(mut p: Vec<f64>) -> Decision {
    let mut ascending = p.clone();
    ascending.sort_by(f64::total_cmp);
    let sum: f64 = ascending.iter().sum();
    let mut choice = 0;
    for at in 0..p.len() {
        p[at] /= sum;
        if p[at] > p[choice] {
            choice = at;
        }
    }
    Decision {
        p,
        choice,
        refused: false,
    }
}

#[expect(clippy::cast_precision_loss, reason = "option counts are small")]
pub(crate) fn float(number: usize) -> f64 {
    number as f64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a draw in [0, 1) times a small count"
)]
fn index(draw: f64, n: usize) -> usize {
    ((draw * float(n)) as usize).min(n - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_canonical_integers_move_in_javascript() {
        for key in ["0", "7", "4294967294"] {
            assert!(integer_key(key).is_some(), "{key}");
        }
        for key in ["01", "-1", "1.5", "1e3", "4294967295", "+1", "", " 1"] {
            assert!(integer_key(key).is_none(), "{key}");
        }
    }

    #[test]
    fn softmax_is_bit_identical_in_every_order() {
        let forward = softmax(vec![0.1, 3.3, 1.7, 2.9]);
        let mut backward = softmax(vec![2.9, 1.7, 3.3, 0.1]);
        backward.p.reverse();
        assert_eq!(forward.p, backward.p);
        assert_eq!(forward.choice, 1);
    }

    #[test]
    fn one_option_is_certain() {
        assert_eq!(peak(1, 0).p, [1.0]);
    }
}
