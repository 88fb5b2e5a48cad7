//! The order canary in words.

use flipside_core::canary::{Canary, CutTexts, OrderFinding};

use super::number::count;
use super::text::foreign;

/// What the canary found about option order.
pub fn canary(found: &Canary) -> String {
    let because = |what: &str| match &found.why {
        Some(why) => format!("{what}: {}", foreign(why)),
        None => what.to_owned(),
    };
    match found.order {
        OrderFinding::Arrives => "option order reaches the model: another order brought another answer".to_owned(),
        OrderFinding::Unmoved => {
            let what = found.why.as_deref().map_or_else(|| LAYERS.to_owned(), foreign);
            format!("{what}: a question that says nothing was answered alike in every order")
        }
        OrderFinding::Sorted => "a layer sorts the options (or the model goes by its keys): answers follow their sorted order, whatever order is sent".to_owned(),
        OrderFinding::Cached => because("a cache that leaves out order repeats its first answer"),
        OrderFinding::IntegerKeys => "a layer rewrites integer-like keys (as JavaScript does): no order of them reaches the model, and that of other keys does".to_owned(),
        OrderFinding::NotKnown => because("not known"),
        OrderFinding::NotAsked => because("not asked"),
    }
}

/// What to do about a finding, where there is something.
pub fn canary_advice(found: &Canary) -> Option<&'static str> {
    match found.order {
        OrderFinding::Unmoved if found.why.is_some() => Some(BY_KEYS),
        OrderFinding::Unmoved => Some(ANOTHER_WAY),
        OrderFinding::Sorted => Some(PAST_IT),
        OrderFinding::Cached => {
            Some("switch it off for these requests, or put a digest of the exact body into its key")
        }
        OrderFinding::IntegerKeys => {
            Some("start such keys with a letter, such as `k1`, or ask past that layer")
        }
        OrderFinding::Arrives | OrderFinding::NotKnown | OrderFinding::NotAsked => None,
    }
}

const ANOTHER_WAY: &str = "to tell, send one order by two ways and compare: to the server itself as `systemone:URL` past every proxy, or \
                           in an array (`option_order` on Laya, `/permute` on kev, an OpenAI-shaped route)";
const LAYERS: &str = "equivariant, or an order-dropping layer, such as a cache";
const BY_KEYS: &str =
    "to tell, ask with `?order=keys` as well, which moves the options themselves, and compare";
const PAST_IT: &str = "ask the server itself as `systemone:URL` past every proxy and client library, or a route that takes options as an \
                       array";

/// What the same orders by another way than the usual one say, where the usual one moved no answer; `moved`: whether this one did.
pub fn other_way(usual: &str, other: &str, moved: bool) -> String {
    if moved {
        format!(
            "{usual} is lost on the way to the model: by {other} another order brings another answer"
        )
    } else {
        format!(
            "by {other} answers are alike in every order too: the model itself is blind to order, unless both ways lose it"
        )
    }
}

/// That the ends of option texts are not read.
pub fn cut_texts(found: &CutTexts) -> String {
    format!(
        "option texts are cut, or only how they begin counts: of {} characters nothing after the first {} changes an answer; shorten them, or put what tells them apart \
         first",
        count(found.characters),
        count(found.alike),
    )
}
