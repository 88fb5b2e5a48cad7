//! One question in several orders by another way than the one that requests take (the wire page, 10.5, level 3).

use std::collections::BTreeSet;

use flipside_core::case::Case;
use flipside_core::foreign::Foreign;
use flipside_core::json::{Json, write_string};
use flipside_core::model::Failure;
use flipside_core::order::Order;
use flipside_core::present::Presentation;
use url::Url;

use super::client::Client;
use crate::wire::Protocol;

/// Orders in which kev's server decides, its own default.
const ORDERS: usize = 6;

/// The endpoint that kev and `LocalAI` have beside `endpoint`, where there may be one.
pub(super) fn permute(endpoint: &Url) -> Option<Url> {
    let path = endpoint.path().trim_end_matches('/');
    let path = path
        .ends_with("/v1/systemone")
        .then(|| format!("{path}/permute"))?;
    let mut url = endpoint.clone();
    url.set_path(&path);
    Some(url)
}

/// The probabilities by identity that `case` gets in each of `orders`, asked in the words of `protocol`.
pub(super) async fn by_protocol(
    client: &Client,
    protocol: &dyn Protocol,
    model: Option<&str>,
    case: &Case,
    orders: &[Order],
) -> Result<Vec<Vec<f64>>, String> {
    let mut all = Vec::with_capacity(orders.len());
    for order in orders {
        let shown = Presentation::new(case, order);
        let request = protocol.request(&shown, model);
        let request = request.map_err(|unsupported| unsupported.reason)?;
        let reply = client
            .post(&request)
            .await
            .map_err(|failure| failed(&failure))?;
        let answer = protocol.read(&shown, &reply);
        let answer = answer.map_err(|rejection| rejection.to_string())?;
        let probabilities = answer.probabilities;
        all.push(probabilities.ok_or("an answer came without probabilities")?);
    }
    Ok(all)
}

/// The probabilities by identity that `case` gets in orders of the server's choice at kev's endpoint `url`.
pub(super) async fn by_permute(
    client: &Client,
    url: Url,
    mut request: Vec<u8>,
    case: &Case,
) -> Result<Vec<Vec<f64>>, String> {
    let mut body = br#"{"request":"#.to_vec();
    body.append(&mut request);
    body.extend_from_slice(br#","question":"#);
    write_string(&case.question.name, &mut body);
    body.extend_from_slice(format!(r#","n_perm":{ORDERS},"seed":0}}"#).as_bytes());
    let reply = client
        .post_to(url, &body)
        .await
        .map_err(|failure| failed(&failure))?;
    runs(&reply.body, case)
}

/// What each of the `runs` in `body` gave each option of `case`.
fn runs(body: &str, case: &Case) -> Result<Vec<Vec<f64>>, String> {
    let value = flipside_formats::json::parse(body).map_err(|error| format!("no JSON: {error}"))?;
    let runs = value.as_object().and_then(|reply| reply.get("runs"));
    let runs = runs.and_then(Json::as_array).unwrap_or_default();
    let mut orders = BTreeSet::new();
    let mut all = Vec::with_capacity(runs.len());
    for run in runs {
        let of = |member| run.as_object().and_then(|run| run.get(member));
        let order = of("order").ok_or("a run has no `order`")?;
        orders.insert(order.to_text());
        let given = of("probabilities").and_then(Json::as_object);
        let share = |key: &str| match given?.get(key)? {
            Json::Number(share) => share.to_f64(),
            _ => None,
        };
        let shares: Option<Vec<f64>> = (case.options.iter())
            .map(|option| share(&option.key.0))
            .collect();
        all.push(shares.ok_or("a run has no probability of an option that was asked")?);
    }
    if orders.len() < 2 {
        return Err("the reply has no `runs` in two orders".to_owned());
    }
    Ok(all)
}

fn failed(failure: &Failure) -> String {
    Foreign(&failure.to_string()).to_string()
}

#[cfg(test)]
mod tests {
    use flipside_core::canary::{Content, Question, Turn, Wording};

    use super::*;

    #[test]
    fn runs_are_read_by_key_and_must_have_two_orders() {
        let case = Question {
            content: Content::Plain,
            turn: Turn::Own,
            again: false,
        }
        .case(Wording::Same);
        let run = |order: &str, shares: &str| {
            format!(r#"{{"order":[{order}],"probabilities":{{{shares}}}}}"#)
        };
        let of = |all: &[String]| runs(&format!(r#"{{"runs":[{}]}}"#, all.join(",")), &case);
        let first = run(
            r#""mir","tol","bes","kan""#,
            r#""mir":0.4,"tol":0.3,"bes":0.2,"kan":0.1"#,
        );
        let second = run(
            r#""kan","tol","bes","mir""#,
            r#""kan":0.4,"tol":0.3,"bes":0.2,"mir":0.1"#,
        );
        assert_eq!(
            of(&[first.clone(), second]),
            Ok(vec![vec![0.4, 0.3, 0.2, 0.1], vec![0.1, 0.3, 0.2, 0.4]])
        );
        let problem = |all: &[String]| of(all).unwrap_err();
        assert_eq!(
            problem(&[first.clone(), first]),
            "the reply has no `runs` in two orders"
        );
        assert_eq!(problem(&[]), "the reply has no `runs` in two orders");
        assert_eq!(problem(&["{}".to_owned()]), "a run has no `order`");
        assert_eq!(
            problem(&[run(r#""mir""#, r#""mir":1.0"#)]),
            "a run has no probability of an option that was asked"
        );
        assert!(runs("<html>", &case).unwrap_err().starts_with("no JSON: "));
    }

    #[test]
    fn only_a_system_one_endpoint_may_have_one_for_orders_beside_it() {
        let of = |url: &str| permute(&Url::parse(url).unwrap()).map(String::from);
        assert_eq!(
            of("http://h:1/v1/systemone?k=v").as_deref(),
            Some("http://h:1/v1/systemone/permute?k=v")
        );
        assert_eq!(of("http://h/v1/decisions"), None);
    }
}
