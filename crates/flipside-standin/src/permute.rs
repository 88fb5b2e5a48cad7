//! Kev's `/v1/systemone/permute`: one question in several orders, decided by the policy in each.

use std::io::Write;

use crate::decide::{Scene, among};
use crate::dialect::Wrong;
use crate::draw::Hash;
use crate::json::{Json, Reader};
use crate::reply::Reply;
use crate::request::{Body, Kind, Offer, Problem, field};
use crate::sheet::Judge;

const DEFAULT_ORDERS: usize = 6;
const MOST_ORDERS: usize = 64;

/// Answers `{request, question, n_perm, seed}` with `{runs, argmax_stable, spread}`: the first run is in the order as sent.
pub(crate) fn answer(
    judge: &Judge<'_>,
    text: &str,
    number: u64,
    reply: &mut Reply,
) -> Result<(), Problem> {
    let wrong = |name: &str, message: &str| Problem::new(Wrong::Envelope, &["body", name], message);
    let node = Reader::new(text).node();
    let node =
        node.map_err(|broken| Problem::new(Wrong::NotJson, &["body"], broken.to_string()))?;
    let Json::Object(fields) = &node.json else {
        return Err(wrong("request", "the body must be an object"));
    };
    let request =
        field(fields, "request").ok_or_else(|| wrong("request", "`request` is required"))?;
    let count = |name: &str, default: u64| match field(fields, name) {
        None => Ok(default),
        Some(node) => node
            .raw
            .parse::<u64>()
            .map_err(|_| wrong(name, "a whole number is expected")),
    };
    let orders = usize::try_from(count("n_perm", DEFAULT_ORDERS as u64)?).unwrap_or(usize::MAX);
    if !(1..=MOST_ORDERS).contains(&orders) {
        return Err(wrong("n_perm", "`n_perm` must be from 1 to 64"));
    }
    let seed = count("seed", 0)?;
    let body = Body::read(request.raw, judge.dialect, judge.model, false)?;
    let asked = match field(fields, "question").map(|node| &node.json) {
        Some(Json::Text(name)) => body
            .questions
            .iter()
            .position(|question| question.id == *name),
        None => (body.questions.len() == 1).then_some(0),
        Some(_) => None,
    };
    let place = asked.ok_or_else(|| wrong("question", "`question` must name a question"))?;
    let question = &body.questions[place];
    if question.kind != Kind::Choice {
        return Err(wrong("question", "only a choice can be permuted"));
    }
    let scene = Scene {
        body: &body,
        state: body.states[0],
        question,
        place,
        number,
        hide_keys: false,
        letters: &[],
        memory: judge.memory,
    };
    let mut picks = Vec::with_capacity(orders);
    let mut shares = vec![(f64::INFINITY, f64::NEG_INFINITY); question.offers.len()];
    reply.put("{\"runs\":[");
    for run in 0..orders {
        let order = shuffled(question.offers.len(), seed, run);
        let seen: Vec<&Offer<'_>> = order.iter().map(|at| &question.offers[*at]).collect();
        let decision = among(judge.policy, &scene, &seen)
            .map_err(|why| Problem::new(Wrong::Policy, &["body", "request"], why))?;
        reply.put(if run > 0 {
            ",{\"order\":["
        } else {
            "{\"order\":["
        });
        for (at, offer) in seen.iter().enumerate() {
            reply.put(if at > 0 { "," } else { "" });
            reply.text(&offer.key);
        }
        reply.put("],\"probabilities\":{");
        for (at, (offer, p)) in seen.iter().zip(&decision.p).enumerate() {
            reply.put(if at > 0 { "," } else { "" });
            reply.text(&offer.key);
            write!(reply.body, ":{p:?}").expect("a vector takes every byte");
            let (least, most) = shares[order[at]];
            shares[order[at]] = (least.min(*p), most.max(*p));
        }
        let pick = order[decision.choice];
        picks.push(pick);
        reply.put("},\"choice\":");
        reply.text(&question.offers[pick].key);
        reply.put(",\"latency_ms\":0.1}");
    }
    let stable = picks.windows(2).all(|pair| pair[0] == pair[1]);
    let spread = shares
        .iter()
        .map(|(least, most)| most - least)
        .fold(0.0, f64::max);
    reply.put(&format!(
        "],\"argmax_stable\":{stable},\"spread\":{spread:?}}}"
    ));
    Ok(())
}

/// The order of one run: as sent in the first, drawn in the others.
fn shuffled(n: usize, seed: u64, run: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    if run > 0 {
        let rank = |at: &usize| Hash::new(seed).number(run as u64).number(*at as u64).unit();
        order.sort_by(|a, b| rank(a).total_cmp(&rank(b)));
    }
    order
}
