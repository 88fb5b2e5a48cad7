//! What to do about a request that a server refuses.

use flipside_core::model::Failure;

use super::settings::{Read, Settings};

/// Statuses of a request that is refused for what it says.
const REFUSED: [u16; 2] = [400, 422];

/// `failure`, and where it names a member of the request that a setting changes, that setting.
pub(super) fn with(settings: &Settings, mut failure: Failure) -> Failure {
    if let Failure::Status {
        status, message, ..
    } = &mut failure
        && REFUSED.contains(status)
        && let Some(remedy) = remedy(settings, &message.to_ascii_lowercase())
    {
        *message = format!("{message}; {remedy}");
    }
    failure
}

fn remedy(settings: &Settings, said: &str) -> Option<&'static str> {
    const TOKENS: [&str; 4] = [
        "max_tokens",
        "max_completion_tokens",
        "n_predict",
        "num_predict",
    ];
    let named = |name: &str| said.contains(name);
    match settings.read {
        Read::Text if named("echo") || named("logprobs") => {
            Some("ask with another `read`, such as `read=letter` or `read=plain`")
        }
        Read::Letter if named("logprobs") || named("n_probs") => Some(
            "set `top=N` and `deeper=N` to as many tokens as the server lists, or ask with `read=plain` where it lists none",
        ),
        _ if named("temperature") => Some("set `temperature=none` to send none"),
        _ if TOKENS.into_iter().any(named) => Some("set `tokens=N` to what the server takes"),
        _ => None,
    }
}
