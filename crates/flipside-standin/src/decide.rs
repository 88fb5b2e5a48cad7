//! A policy applied to one question.

use crate::cache::{self, Memory};
use crate::draw::Hash;
use crate::planted;
use crate::policy::Policy;
use crate::request::{Body, Kind, Offer, Question};
use crate::shares::{Decision, float, index, peak, shares, softmax};
use crate::words;

const CONTENT_SPAN: f64 = 4.0;
const PRIOR_CONTENT_SHARE: f64 = 0.01;
const STATE_SEED: u64 = 1;
const NOISE_SEED: u64 = 2;

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
    /// What stands before each of the question's offers in a prompt; nothing elsewhere.
    pub(crate) letters: &'a [String],
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

/// The decision on offers in the order that the model sees.
pub(crate) fn among(
    policy: &Policy,
    scene: &Scene<'_>,
    offers: &[&Offer<'_>],
) -> Result<Decision, String> {
    let n = offers.len();
    let fits = |ok: bool, why: String| match scene.question.kind {
        _ if ok => Ok(true),
        Kind::Noul => Ok(false),
        _ => Err(why),
    };
    match policy {
        Policy::First => Ok(peak(n, 0)),
        Policy::Last => Ok(peak(n, n - 1)),
        Policy::Slot(slot)
            if fits(
                (1..=n).contains(slot),
                format!("slot {slot} of {n} options"),
            )? =>
        {
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
        Policy::Letter(letter) => {
            let lettered = |offer: &&Offer<'_>| {
                let all = &scene.question.offers;
                let at = all.iter().position(|each| std::ptr::eq(each, *offer));
                at.and_then(|at| scene.letters.get(at)) == Some(letter)
            };
            let marked = offers.iter().position(lettered);
            let missing = || format!("no letter `{letter}` before an option");
            marked.map(|at| peak(n, at)).ok_or_else(missing)
        }
        Policy::Cached(inner) => cache::cached(inner, scene, offers),
        Policy::Weighed => Ok(planted::weighed(scene, offers)),
        Policy::Misses(word) => Ok(planted::misses(word, scene, offers)),
        Policy::FirstWord => Ok(planted::first_word(offers)),
        Policy::Counting { what, count } => {
            Ok(planted::counting(what.of(scene) == *count, scene, offers))
        }
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
}
