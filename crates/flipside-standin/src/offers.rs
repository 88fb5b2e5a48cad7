//! Options, levels and sides as offered.

use std::borrow::Cow;

use crate::dialect::{Dialect, Wrong};
use crate::json::{Json, Node};
use crate::request::{Offer, text_of};

/// The index of a score level as a key.
const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

/// What is wrong with the criteria.
pub(crate) type Refused = (Wrong, String);

/// The options of a choice, without duplicates.
pub(crate) fn options<'a>(
    criteria: Option<&Node<'a>>,
    dialect: Dialect,
) -> Result<Vec<Offer<'a>>, Refused> {
    let limit = dialect.limits().options;
    let too_many = |n: usize| (Wrong::TooMuch, format!("{n} options, at most {limit}"));
    let mut offers: Vec<Offer<'a>> = Vec::new();
    match criteria.map(|node| &node.json) {
        Some(Json::Object(members)) => {
            if members.len() > limit {
                return Err(too_many(members.len()));
            }
            offers.reserve(members.len());
            for member in members {
                let text = text_of(&member.node);
                let raw = member.node.raw;
                if matches!(member.node.json, Json::Number(_) | Json::Bool(_)) {
                    return Err((
                        Wrong::Question,
                        format!("option `{}` is not a text", member.key),
                    ));
                }
                match offers.iter_mut().find(|offer| offer.key == member.key) {
                    Some(offer) => (offer.text, offer.raw) = (text, raw),
                    None => offers.push(Offer {
                        key: member.key.clone(),
                        text,
                        raw,
                    }),
                }
            }
        }
        Some(Json::Array(nodes)) if dialect.is_laya() => {
            if nodes.len() > limit {
                return Err(too_many(nodes.len()));
            }
            for node in nodes {
                let key = text_of(node)
                    .ok_or((Wrong::Question, "an option without a label".to_owned()))?;
                if offers.iter().any(|offer| offer.key == key) {
                    return Err((Wrong::Question, format!("option `{key}` is listed twice")));
                }
                offers.push(Offer {
                    key,
                    text: None,
                    raw: "null",
                });
            }
        }
        _ => return Err((Wrong::Question, "`criteria` must be an object".to_owned())),
    }
    let least = dialect.limits().least_options;
    if offers.len() < least {
        let message = match least {
            1 => "`criteria` must hold at least one option".to_owned(),
            least => format!("`criteria` must hold at least {least} options"),
        };
        return Err((Wrong::Question, message));
    }
    Ok(offers)
}

/// The levels of a score.
pub(crate) fn levels<'a>(
    criteria: Option<&Node<'a>>,
    dialect: Dialect,
) -> Result<Vec<Offer<'a>>, Refused> {
    let Some(Json::Array(nodes)) = criteria.map(|node| &node.json) else {
        return Err((
            Wrong::Question,
            "`criteria` must be a list of levels".to_owned(),
        ));
    };
    let (least, most) = dialect.limits().levels;
    if nodes.len() < least {
        return Err((
            Wrong::Question,
            format!("{} levels, at least {least}", nodes.len()),
        ));
    }
    if nodes.len() > most {
        return Err((
            Wrong::TooMuch,
            format!("{} levels, at most {most}", nodes.len()),
        ));
    }
    let level = |(at, node): (usize, &Node<'a>)| {
        let text = text_of(node).ok_or((Wrong::Question, format!("level {at} is null")))?;
        let key = DIGITS
            .get(at)
            .map_or_else(|| Cow::Owned(at.to_string()), |&digit| Cow::Borrowed(digit));
        Ok(Offer {
            key,
            text: Some(text),
            raw: node.raw,
        })
    };
    nodes.iter().enumerate().map(level).collect()
}

/// `true` and `false`, in the order of the criteria; a side that is not described comes last.
pub(crate) fn sides<'a>(criteria: Option<&Node<'a>>) -> Result<Vec<Offer<'a>>, String> {
    let mut offers: Vec<Offer<'a>> = Vec::with_capacity(2);
    match criteria.map(|node| &node.json) {
        None | Some(Json::Null) => {}
        Some(Json::Object(members)) => {
            for member in members {
                if !["true", "false"].contains(&member.key.as_ref()) {
                    return Err(format!("`{}` is neither `true` nor `false`", member.key));
                }
                offers.retain(|offer| offer.key != member.key);
                offers.push(Offer {
                    key: member.key.clone(),
                    text: text_of(&member.node),
                    raw: member.node.raw,
                });
            }
        }
        Some(_) => return Err("`criteria` must be an object".to_owned()),
    }
    for side in ["true", "false"] {
        if offers.iter().all(|offer| offer.key != side) {
            offers.push(Offer {
                key: Cow::Borrowed(side),
                text: None,
                raw: "null",
            });
        }
    }
    Ok(offers)
}

/// A permutation of `0..n`.
pub(crate) fn permutation(node: &Node<'_>, n: usize) -> Option<Vec<usize>> {
    let Json::Array(nodes) = &node.json else {
        return None;
    };
    let order: Vec<usize> = nodes
        .iter()
        .map(|node| node.raw.parse().ok())
        .collect::<Option<_>>()?;
    let mut sorted = order.clone();
    sorted.sort_unstable();
    sorted.into_iter().eq(0..n).then_some(order)
}
