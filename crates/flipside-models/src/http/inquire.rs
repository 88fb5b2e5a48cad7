//! What a server says of itself, asked by `GET` beside its endpoint.

use std::time::Duration;

use flipside_core::foreign::Foreign;
use flipside_core::json::Json;
use flipside_core::model::{Failure, Inquired};
use url::Url;

use super::client::Client;
use super::places::{Place, places};

/// Lines kept of one place.
const MOST_LINES: usize = 6;

/// How long one place may take: what a server says of itself lies ready.
const PATIENCE: Duration = Duration::from_secs(2);

/// Asks every place that servers of this kind have.
pub(super) async fn inquire(client: &Client, endpoint: &Url) -> Vec<Inquired> {
    let mut all = Vec::new();
    for place in places(endpoint) {
        all.push(one(client, endpoint, place).await);
    }
    all
}

async fn one(client: &Client, endpoint: &Url, place: Place) -> Inquired {
    let mut url = endpoint.clone();
    url.set_path(&place.path);
    url.set_query(None);
    let received = match tokio::time::timeout(PATIENCE, client.get(url)).await {
        Ok(received) => received,
        Err(_) => Err(Failure::TimedOut { after: PATIENCE }),
    };
    let found = match received {
        Ok(reply) => match flipside_formats::json::parse(reply.body.trim_start_matches('\u{feff}'))
        {
            Ok(value) => said(place.read, &value),
            Err(_) => Err("no JSON".to_owned()),
        },
        Err(Failure::Status { status, .. }) => Err(format!("answered {status}")),
        Err(failure) => Err(failure.to_string()),
    };
    Inquired {
        place: place.path,
        found,
    }
}

/// What a reader finds, of which there may be much.
fn said(read: fn(&Json) -> Vec<String>, value: &Json) -> Result<Vec<String>, String> {
    let mut lines: Vec<String> = read(value).iter().map(|line| Foreign::line(line)).collect();
    if lines.is_empty() {
        return Err("nothing that this flipside knows".to_owned());
    }
    let more = lines.len().saturating_sub(MOST_LINES);
    lines.truncate(MOST_LINES);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    Ok(lines)
}
