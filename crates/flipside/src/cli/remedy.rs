//! What to do about a run that stopped, in the imperative, up to the command that goes on with it.

use flipside_core::model::Card;
use flipside_engine::Stopped;

/// How a connection that nobody takes is worded.
pub(crate) const REFUSED: &str = "refused the connection";
/// How an answer that took too long is worded.
const LATE: &str = "gave no complete answer within";

/// What to do before the command is repeated; it ends in "repeat".
pub(crate) fn remedy(stopped: &Stopped, card: &Card) -> String {
    let fixed = match stopped {
        Stopped::Backend { message, .. } if message.ends_with(REFUSED) => "start it and repeat",
        Stopped::Backend { message, .. } if message.contains(LATE) => {
            "see that it answers, raise `--timeout` or lower `--concurrency`, and repeat"
        }
        // Asked alone, a refusal is no reason to stop a run.
        Stopped::Backend { message, .. }
            if status(message).is_some_and(|status| (401..=404).contains(&status)) =>
        {
            return refused(status(message), card);
        }
        Stopped::Backend { message, .. } if status(message) == Some(200) => {
            "see that it answers and that its address is the right one, and repeat"
        }
        Stopped::Backend { message, .. } if status(message) == Some(429) => {
            "wait, or lower `--rate` and `--concurrency`, and repeat"
        }
        Stopped::Backend { .. } => "see that it answers and repeat",
        Stopped::Refused { message } => return refused(status(message), card),
        Stopped::MaxAsks { .. } => "raise `--max-asks` and repeat",
        Stopped::MaxCost { .. } => "raise `--max-cost` and repeat",
        Stopped::CostUnknown => "give the price with `--price` and repeat",
        Stopped::Journal { .. } => "make room and repeat",
        _ => "repeat",
    };
    fixed.to_owned()
}

fn refused(status: Option<u16>, card: &Card) -> String {
    let key = card.key_variable.as_deref();
    match (status, key) {
        (Some(402), Some(key)) => {
            format!("add credit to the account of the key in {key} and repeat")
        }
        (Some(402), None) => "add credit to the account that it belongs to and repeat".to_owned(),
        (Some(404), _) => "mend its address or the model's name and repeat".to_owned(),
        (Some(401 | 403), Some(key)) => {
            format!("mend the key in {key}, or what it may do, and repeat")
        }
        (Some(401 | 403), None) => {
            "no key was sent (`--key-from VARIABLE` names one); mend it and repeat".to_owned()
        }
        _ => "mend key, credit or address and repeat".to_owned(),
    }
}

/// The status that a message about one names.
fn status(message: &str) -> Option<u16> {
    let number = |start: &str| {
        let (_, rest) = message.split_once(start)?;
        rest.get(..3)?.parse().ok()
    };
    number("answered ").or_else(|| number("the reply is an error "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(key: Option<&str>) -> Card {
        Card {
            spec: "jev".to_owned(),
            requested: None,
            endpoint: None,
            key_variable: key.map(str::to_owned),
            remote: true,
            concurrency: 1,
            price: None,
            confidence: None,
            whole_replies: true,
            object_order: true,
            protocol: None,
        }
    }

    #[test]
    fn each_cause_has_its_own_remedy() {
        let refused = |message: &str, key| {
            let message = message.to_owned();
            remedy(&Stopped::Refused { message }, &card(key))
        };
        let key = Some("MY_KEY");
        assert_eq!(
            refused("answered 401: no", key),
            "mend the key in MY_KEY, or what it may do, and repeat"
        );
        assert_eq!(refused("answered 403", key), refused("answered 401", key));
        assert_eq!(
            refused("answered 402", key),
            "add credit to the account of the key in MY_KEY and repeat"
        );
        assert_eq!(
            refused("the reply is an error 402: no", None),
            "add credit to the account that it belongs to and repeat"
        );
        assert_eq!(
            refused("answered 404: no", None),
            "mend its address or the model's name and repeat"
        );
        assert_eq!(
            refused("no", None),
            "mend key, credit or address and repeat"
        );
        let down = |message: &str| {
            let message = message.to_owned();
            remedy(
                &Stopped::Backend {
                    message,
                    attempts: 3,
                },
                &card(None),
            )
        };
        assert_eq!(down("`h:1` refused the connection"), "start it and repeat");
        assert_eq!(
            down("gave no complete answer within 300 ms"),
            "see that it answers, raise `--timeout` or lower `--concurrency`, and repeat"
        );
        assert_eq!(
            down("answered 429: slowly"),
            "wait, or lower `--rate` and `--concurrency`, and repeat"
        );
        assert_eq!(
            down("answered 200: an HTML page in place of JSON"),
            "see that it answers and that its address is the right one, and repeat"
        );
        assert_eq!(down("answered 503"), "see that it answers and repeat");
        assert_eq!(down("`h:1` broke off"), "see that it answers and repeat");
    }
}
