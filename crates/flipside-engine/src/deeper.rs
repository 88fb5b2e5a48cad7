//! One more request of an ask, for what its first reply leaves out.

use std::sync::atomic::Ordering;

use flipside_core::answer::{Answer, Usage};
use flipside_core::model::{Failure, Rejection, Reply, Sending};
use tokio::time::Instant;

use crate::ask::Line;

/// A deeper request that was sent.
pub(crate) struct Deeper {
    pub(crate) request: Vec<u8>,
    /// `None` where none came.
    pub(crate) reply: Option<Reply>,
    /// Whether the outcome was read from it.
    pub(crate) taken: bool,
}

/// Sends the deeper request that the model has for `reply`, if it has one, once; what is read after it, and what was sent.
///
/// The first reply stands where the deeper one does not come, cannot be read, or observes no more. A server that refuses it is
/// sent no other in this run.
pub(crate) async fn ask(
    line: &Line<'_>,
    reply: &Reply,
    read: Result<Answer, Rejection>,
    sending: Sending<'_>,
    start: Instant,
) -> (Result<Answer, Rejection>, Option<Deeper>) {
    let (refused, shown) = (line.deeper_refused, sending.shown);
    let request = match line.model.deeper(shown, reply) {
        Some(request) if !refused.load(Ordering::Relaxed) => request,
        _ => return (read, None),
    };
    line.pacer.ready().await;
    let left = (line.limits.policy.budget).saturating_sub(start.elapsed());
    let limit = line.limits.timeout.min(left);
    let sending = Sending {
        bytes: &request,
        attempt: sending.attempt + 1,
        ..sending
    };
    let received = match tokio::time::timeout(limit, line.model.send(sending)).await {
        Ok(received) => received,
        Err(_) => Err(Failure::TimedOut { after: limit }),
    };
    let (read, reply, taken) = match received {
        Ok(reply) => {
            let (read, taken) = better(read, line.model.read(shown, &reply));
            (read, Some(reply), taken)
        }
        Err(failure) => {
            if let Failure::Status { status, .. } = &failure
                && (400..500).contains(status)
                && !matches!(status, 408 | 409 | 429)
            {
                refused.store(true, Ordering::Relaxed);
            }
            let remark = |mut answer: Answer| {
                let remark = format!("more tokens were asked for in vain: the server {failure}");
                answer.remarks.push(remark);
                answer
            };
            (read.map(remark), None, false)
        }
    };
    let deeper = Deeper {
        request,
        reply,
        taken,
    };
    (read, Some(deeper))
}

/// The one of two readings that observes more, the first one where neither does, and whether it is the second. What the other one
/// took is counted with it.
fn better(
    first: Result<Answer, Rejection>,
    second: Result<Answer, Rejection>,
) -> (Result<Answer, Rejection>, bool) {
    match (first, second) {
        (Ok(mut first), Ok(mut second)) => {
            let usage = sum(*first.usage, *second.usage);
            if observed(&second) > observed(&first) {
                second.usage = usage.into();
                (Ok(second), true)
            } else {
                first.usage = usage.into();
                (Ok(first), false)
            }
        }
        // What a reply took that cannot be read nobody knows.
        (Ok(mut first), Err(_)) => {
            first.usage = Usage::default().into();
            (Ok(first), false)
        }
        (Err(_), Ok(mut second)) => {
            second.usage = Usage::default().into();
            (Ok(second), true)
        }
        (Err(first), Err(_)) => (Err(first), false),
    }
}

/// How many options an answer observes.
fn observed(answer: &Answer) -> usize {
    let logs = answer
        .readout
        .iter()
        .flat_map(|readout| &readout.log_probabilities);
    logs.flatten().count()
}

/// What both took; unknown where it is unknown of one.
fn sum(one: Usage, other: Usage) -> Usage {
    let add = |one: Option<u64>, other: Option<u64>| one?.checked_add(other?);
    Usage {
        input_tokens: add(one.input_tokens, other.input_tokens),
        output_tokens: add(one.output_tokens, other.output_tokens),
        cached_tokens: add(one.cached_tokens, other.cached_tokens),
        cost_usd_picos: add(one.cost_usd_picos, other.cost_usd_picos),
    }
}

#[cfg(test)]
#[path = "deeper_tests.rs"]
mod tests;
