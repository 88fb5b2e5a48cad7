//! The cache that drops the order.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Mutex;

use crate::decide::{Scene, among};
use crate::policy::Policy;
use crate::request::Offer;
use crate::shares::Decision;

/// What [`Policy::Cached`] remembers: key and probability of each option, the chosen key.
#[derive(Default)]
pub(crate) struct Memory(Mutex<HashMap<Vec<u8>, Remembered>>);

#[derive(Clone)]
struct Remembered {
    p: Vec<(String, f64)>,
    choice: String,
    refused: bool,
}

/// The inner policy's decision, or the one remembered for the same request in whatever order.
pub(crate) fn cached(
    inner: &Policy,
    scene: &Scene<'_>,
    offers: &[&Offer<'_>],
) -> Result<Decision, String> {
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
