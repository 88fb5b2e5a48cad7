//! Which key belongs to which host. A key goes to its own host and to no other.

use crate::env::{self, Variable};
use crate::http::{Endpoint, KeyProblem, OPENAI, OPENROUTER, TYPESAFE};

/// Hosts, and the variables of their keys. A name that starts with a dot is that of every host below it.
const HOSTS: [(&str, &Variable); 10] = [
    (TYPESAFE, &env::TYPESAFE_API_KEY),
    (OPENROUTER, &env::OPENROUTER_API_KEY),
    ("ai-gateway.vercel.sh", &env::AI_GATEWAY_API_KEY),
    (".api.baseten.co", &env::BASETEN_API_KEY),
    ("api.cloudflare.com", &env::CLOUDFLARE_API_TOKEN),
    (OPENAI, &env::OPENAI_API_KEY),
    ("api.fireworks.ai", &env::FIREWORKS_API_KEY),
    ("api.perplexity.ai", &env::PERPLEXITY_API_KEY),
    ("api.runware.ai", &env::RUNWARE_API_KEY),
    ("api.upstage.ai", &env::UPSTAGE_API_KEY),
];

/// The variable whose key belongs to the host, if one does.
pub(super) fn variable_of(endpoint: &Endpoint) -> Option<&'static Variable> {
    let host = HOSTS.iter().find(|(host, _)| is(endpoint, host));
    host.map(|(_, variable)| *variable)
}

fn is(endpoint: &Endpoint, host: &str) -> bool {
    if host.starts_with('.') {
        endpoint.is_below(host)
    } else {
        endpoint.is_at(host)
    }
}

/// Whether the key in `variable`, which the user names, may go to `endpoint`: it is no other host's, or stays on this machine.
pub(super) fn belongs(variable: &str, endpoint: &Endpoint) -> Result<(), KeyProblem> {
    let home = HOSTS.iter().find(|(_, known)| known.name == variable);
    match home {
        Some((host, _)) if !is(endpoint, host) && !endpoint.is_loopback() => {
            Err(KeyProblem::Elsewhere {
                variable: variable.to_owned(),
                home: host.trim_start_matches('.'),
                host: endpoint.authority().to_owned(),
            })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(url: &str) -> Option<&'static str> {
        variable_of(&Endpoint::parse(url).unwrap()).map(|variable| variable.name)
    }

    #[test]
    fn a_host_has_its_own_key_and_names_that_look_like_it_have_none() {
        for (url, variable) in [
            ("https://api.runware.ai/v1/decisions", "RUNWARE_API_KEY"),
            (
                "https://model-1.api.baseten.co/production/v1/systemone",
                "BASETEN_API_KEY",
            ),
            (
                "https://ai-gateway.vercel.sh/typesafe/v1/systemone",
                "AI_GATEWAY_API_KEY",
            ),
            (
                "https://api.fireworks.ai/inference/v1/systemone",
                "FIREWORKS_API_KEY",
            ),
            ("https://API.PERPLEXITY.AI/", "PERPLEXITY_API_KEY"),
            ("https://api.cloudflare.com/x", "CLOUDFLARE_API_TOKEN"),
            ("https://api.upstage.ai./v1", "UPSTAGE_API_KEY"),
        ] {
            assert_eq!(of(url), Some(variable), "{url}");
        }
        for other in [
            "https://api.runware.ai.evil.example/",
            "https://evilapi.baseten.co/",
            "https://api.baseten.co/",
            "https://x.api.runware.ai/",
            "http://127.0.0.1/",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
    }

    #[test]
    fn a_named_key_of_another_host_is_refused_unless_it_stays_here() {
        let check = |variable: &str, url: &str| {
            let checked = belongs(variable, &Endpoint::parse(url).unwrap());
            checked.map_err(|problem| problem.to_string())
        };
        assert_eq!(
            check("RUNWARE_API_KEY", "https://gw.example:8/v1"),
            Err(
                "`RUNWARE_API_KEY` is the key of api.runware.ai and would go to `gw.example:8`"
                    .to_owned()
            )
        );
        assert_eq!(
            check("BASETEN_API_KEY", "https://openrouter.ai/"),
            Err(
                "`BASETEN_API_KEY` is the key of api.baseten.co and would go to `openrouter.ai`"
                    .to_owned()
            )
        );
        assert!(check("RUNWARE_API_KEY", "https://api.runware.ai/").is_ok());
        assert!(check("RUNWARE_API_KEY", "http://127.0.0.1:1/").is_ok());
        assert!(check("MY_KEY", "https://gw.example/").is_ok());
    }
}
