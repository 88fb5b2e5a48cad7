//! Whether to try again: one pure function from what happened to a decision.

use std::time::Duration;

use flipside_core::model::{Failure, Rejection};

/// When and how often to try again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Attempts at most; at least 1.
    pub attempts: u32,
    /// The first wait; it doubles from attempt to attempt.
    pub first_wait: Duration,
    /// The longest wait of our own choosing.
    pub longest_wait: Duration,
    /// How long one ask may take with all its attempts and waits.
    pub budget: Duration,
}

/// Why an attempt brought no valid answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// No reply came.
    Failure(Failure),
    /// A reply came and is no valid answer.
    Rejection(Rejection),
}

/// What to do after an attempt without a valid answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Wait this long, then send the same bytes again.
    Again(Duration),
    /// The ask has failed.
    GiveUp,
    /// No further ask can succeed: the run stops.
    StopRun,
}

/// Decides after attempt number `attempt`, from 1, `elapsed` into the ask.
///
/// `jitter` from 0 to 1 shortens our own waits by up to a quarter; a wait that the server asks for is obeyed, up to
/// what is left of the budget. Source: the wire page, 13.
pub fn decide(
    trouble: &Trouble,
    attempt: u32,
    elapsed: Duration,
    policy: &Policy,
    jitter: f64,
) -> Decision {
    let (status, asked_wait, hint) = match trouble {
        Trouble::Failure(Failure::Status {
            status,
            retry_after,
            should_retry,
            ..
        }) => (Some(*status), *retry_after, *should_retry),
        Trouble::Rejection(Rejection::Backend {
            status: Some(status),
            ..
        }) => (Some(*status), None, None),
        Trouble::Failure(
            Failure::Connect { .. } | Failure::Broken { .. } | Failure::TimedOut { .. },
        ) => (None, None, None),
        Trouble::Failure(Failure::Unavailable { .. }) | Trouble::Rejection(_) => {
            return Decision::GiveUp;
        }
    };
    if status.is_some_and(stops_run) {
        return Decision::StopRun;
    }
    let attempts = match status {
        None | Some(408 | 429 | 502 | 503 | 504 | 529) => policy.attempts,
        Some(500..=599) => policy.attempts.min(2),
        Some(_) if hint == Some(true) => policy.attempts,
        Some(_) => 1,
    };
    if hint == Some(false) || attempt >= attempts {
        return Decision::GiveUp;
    }
    let doubled = policy.first_wait.saturating_mul(1 << (attempt - 1).min(16));
    let own = doubled
        .min(policy.longest_wait)
        .mul_f64(1.0 - 0.25 * jitter.clamp(0.0, 1.0));
    let wait = asked_wait.unwrap_or(own);
    if elapsed + wait >= policy.budget {
        return Decision::GiveUp;
    }
    Decision::Again(wait)
}

/// Whether repeating this for every further ask helps nobody: wrong or missing key, no credit, no such endpoint.
fn stops_run(status: u16) -> bool {
    matches!(status, 401..=404)
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: Policy = Policy {
        attempts: 3,
        first_wait: Duration::from_millis(500),
        longest_wait: Duration::from_secs(5),
        budget: Duration::from_secs(30),
    };

    fn status(status: u16) -> Trouble {
        waiting(status, None, None)
    }

    fn waiting(status: u16, retry_after: Option<Duration>, should_retry: Option<bool>) -> Trouble {
        Trouble::Failure(Failure::Status {
            status,
            message: String::new(),
            retry_after,
            should_retry,
        })
    }

    fn first(trouble: &Trouble) -> Decision {
        decide(trouble, 1, Duration::ZERO, &POLICY, 0.0)
    }

    const HALF: Decision = Decision::Again(Duration::from_millis(500));

    #[test]
    fn each_status_is_retried_as_the_wire_page_says() {
        for code in [408, 429, 502, 503, 504, 529, 500, 507] {
            assert_eq!(first(&status(code)), HALF, "{code}");
        }
        for code in [400, 409, 413, 415, 422, 301] {
            assert_eq!(first(&status(code)), Decision::GiveUp, "{code}");
        }
        for code in [401, 402, 403, 404] {
            assert_eq!(first(&status(code)), Decision::StopRun, "{code}");
        }
    }

    #[test]
    fn an_unusual_server_error_is_retried_once() {
        let second = |code| decide(&status(code), 2, Duration::ZERO, &POLICY, 0.0);
        assert_eq!(second(500), Decision::GiveUp);
        assert_eq!(second(503), Decision::Again(Duration::from_secs(1)));
        assert_eq!(
            decide(&status(503), 3, Duration::ZERO, &POLICY, 0.0),
            Decision::GiveUp
        );
    }

    #[test]
    fn the_servers_wait_is_obeyed_up_to_the_budget() {
        let wait = Some(Duration::from_secs(20));
        assert_eq!(
            first(&waiting(429, wait, None)),
            Decision::Again(Duration::from_secs(20))
        );
        let late = decide(
            &waiting(429, wait, None),
            1,
            Duration::from_secs(11),
            &POLICY,
            0.0,
        );
        assert_eq!(late, Decision::GiveUp);
        assert_eq!(
            first(&waiting(429, Some(Duration::ZERO), None)),
            Decision::Again(Duration::ZERO)
        );
    }

    #[test]
    fn the_servers_hint_wins() {
        assert_eq!(first(&waiting(503, None, Some(false))), Decision::GiveUp);
        assert_eq!(first(&waiting(409, None, Some(true))), HALF);
    }

    #[test]
    fn jitter_shortens_a_wait_by_at_most_a_quarter() {
        let full = decide(&status(503), 1, Duration::ZERO, &POLICY, 1.0);
        assert_eq!(full, Decision::Again(Duration::from_millis(375)));
    }

    #[test]
    fn a_malformed_reply_is_a_failed_ask_and_an_error_inside_a_success_counts_as_its_code() {
        let malformed = Rejection::Malformed {
            rule: "choice",
            message: String::new(),
        };
        assert_eq!(first(&Trouble::Rejection(malformed)), Decision::GiveUp);
        let inside = |status| {
            Trouble::Rejection(Rejection::Backend {
                status,
                message: String::new(),
            })
        };
        assert_eq!(first(&inside(Some(429))), HALF);
        assert_eq!(first(&inside(Some(402))), Decision::StopRun);
        assert_eq!(first(&inside(None)), Decision::GiveUp);
    }

    #[test]
    fn connection_troubles_are_retried_and_what_was_never_recorded_is_not() {
        let message = String::new();
        for failure in [
            Failure::Connect {
                message: message.clone(),
            },
            Failure::Broken {
                message: message.clone(),
            },
            Failure::TimedOut {
                after: Duration::from_secs(10),
            },
        ] {
            assert_eq!(first(&Trouble::Failure(failure)), HALF);
        }
        assert_eq!(
            first(&Trouble::Failure(Failure::Unavailable { message })),
            Decision::GiveUp
        );
    }
}
