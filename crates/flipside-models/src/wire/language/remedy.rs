//! What to do about a request that a server refuses.

use flipside_core::model::Failure;

use super::settings::{Read, Settings};
use crate::http::TOO_LONG;

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
    if let Failure::Status { message, .. } = &mut failure
        && settings.read == Read::Text
        && message.starts_with(TOO_LONG)
    {
        *message = format!(
            "{message}: with `read=text` the words of the case come back once for each option; shorten them, leave `{{{{options}}}}` out of the template, offer fewer options, or ask with `read=letter`"
        );
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::language::Api;

    #[test]
    fn echoes_that_are_too_long_say_what_makes_them_shorter() {
        let failure = |message: &str| Failure::Status {
            status: 200,
            message: message.to_owned(),
            retry_after: None,
            should_retry: Some(false),
        };
        let said = |read, message: &str| {
            with(
                &Settings::standard(Api::Completions, read),
                failure(message),
            )
            .to_string()
        };
        let long = "the reply is longer than 8 MiB";
        assert_eq!(
            said(Read::Text, long),
            "answered 200: the reply is longer than 8 MiB: with `read=text` the words of the case come back once for each option; \
             shorten them, leave `{{options}}` out of the template, offer fewer options, or ask with `read=letter`"
        );
        assert_eq!(said(Read::Letter, long), format!("answered 200: {long}"));
        assert_eq!(said(Read::Text, "gone"), "answered 200: gone");
    }
}
