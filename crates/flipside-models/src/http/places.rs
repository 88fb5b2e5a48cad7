//! Where servers say what they are, by the end of their endpoint's path, and how that is read: leniently, since nothing depends on it.

use flipside_core::json::{Json, Object};
use url::Url;

/// One place to ask, and its reader.
pub(super) struct Place {
    pub(super) path: String,
    pub(super) read: fn(&Json) -> Vec<String>,
}

/// How a place is read.
type Read = fn(&Json) -> Vec<String>;

/// By the end of an endpoint's path: what stands in its place, or for a path from `/` on at the root of the server (the wire page,
/// 1.1, 2.3, 3.1, 4, 6).
const PLACES: [(&str, &[(&str, Read)]); 9] = [
    (
        "/v1/systemone",
        &[
            ("v1/models", models),
            ("/health", facts),
            ("/api/version", facts),
            ("/props", facts),
        ],
    ),
    ("/systemone", &[("v1/models", models), ("/health", facts)]),
    ("/api/alpha/decisions", &[("api/v1/models", models)]),
    (
        "/v1/decisions",
        &[("v1/models", models), ("/health", facts)],
    ),
    ("/predict", &[("models", models), ("health", facts)]),
    ("/api/evaluate", &[("api/info", facts)]),
    ("/api/chat", &[("api/tags", models), ("api/version", facts)]),
    (
        "/v1/chat/completions",
        &[
            ("v1/models", models),
            ("/props", facts),
            ("/api/version", facts),
        ],
    ),
    (
        "/v1/completions",
        &[
            ("v1/models", models),
            ("/props", facts),
            ("/api/version", facts),
        ],
    ),
];
/// Endpoints of other ends.
const OTHERS: [(&str, &[(&str, Read)]); 2] = [
    ("/completion", &[("props", facts), ("v1/models", models)]),
    ("", &[("/v1/models", models), ("/health", facts)]),
];

/// The places beside `endpoint`.
pub(super) fn places(endpoint: &Url) -> Vec<Place> {
    let path = endpoint.path().trim_end_matches('/');
    let mut known = PLACES.iter().chain(&OTHERS);
    let (end, places) = known
        .find(|(end, _)| path.ends_with(end))
        .expect("the last end is that of every path");
    let before = if end.is_empty() {
        ""
    } else {
        path.strip_suffix(end).unwrap_or_default()
    };
    let place = |(place, read): &(&str, Read)| Place {
        path: match place.strip_prefix('/') {
            Some(_) => (*place).to_owned(),
            None => format!("{before}/{place}"),
        },
        read: *read,
    };
    places.iter().map(place).collect()
}

/// Lists of models: `models` or `data`, of objects or names.
fn models(value: &Json) -> Vec<String> {
    let list = match value {
        Json::Array(items) => Some(items.as_slice()),
        Json::Object(object) => ["models", "data"]
            .iter()
            .find_map(|name| object.get(name)?.as_array()),
        _ => None,
    };
    let named = list
        .unwrap_or_default()
        .iter()
        .filter_map(|item| match item {
            Json::String(name) => Some(name.clone()),
            Json::Object(model) => named(model),
            _ => None,
        });
    named.collect()
}

/// A model with what tells its version.
fn named(model: &Object) -> Option<String> {
    let text = |name: &str| model.get(name).and_then(short);
    let name = ["name", "id", "model"]
        .iter()
        .find_map(|member| text(member))?;
    let about = [
        "release_date",
        "created",
        "modified_at",
        "revision",
        "digest",
        "owned_by",
    ];
    let about: Vec<String> = about
        .iter()
        .filter_map(|member| Some(format!("{} {}", member.replace('_', " "), text(member)?)))
        .collect();
    Some(if about.is_empty() {
        name
    } else {
        format!("{name} ({})", about.join(", "))
    })
}

/// Every short member, of objects within objects by their path.
fn facts(value: &Json) -> Vec<String> {
    let mut found = Vec::new();
    gather("", value, &mut found);
    found
}

/// How deep facts are looked for.
const DEEPEST: usize = 3;

fn gather(path: &str, value: &Json, found: &mut Vec<String>) {
    let depth = path.matches('.').count();
    match value {
        Json::Object(object) if depth < DEEPEST => {
            for (name, value) in object.members() {
                let path = if path.is_empty() {
                    name.clone()
                } else {
                    format!("{path}.{name}")
                };
                gather(&path, value, found);
            }
        }
        Json::Array(items) => {
            let items: Vec<String> = items.iter().filter_map(short).collect();
            if !items.is_empty() {
                found.push(format!("{path} {}", items.join(", ")));
            }
        }
        value => found.extend(short(value).map(|text| format!("{path} {text}"))),
    }
}

/// The longest text that is a fact and no page.
const LONGEST: usize = 80;

fn short(value: &Json) -> Option<String> {
    match value {
        Json::String(text) if !text.is_empty() && text.chars().count() <= LONGEST => {
            Some(text.clone())
        }
        Json::Number(_) | Json::Bool(_) => Some(value.to_text()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(url: &str) -> Vec<String> {
        places(&Url::parse(url).unwrap())
            .into_iter()
            .map(|place| place.path)
            .collect()
    }

    #[test]
    fn servers_are_asked_beside_their_endpoint() {
        assert_eq!(
            paths("https://h/typesafe/v1/systemone"),
            ["/typesafe/v1/models", "/health", "/api/version", "/props"]
        );
        assert_eq!(
            paths("https://openrouter.ai/api/alpha/decisions"),
            ["/api/v1/models"]
        );
        assert_eq!(paths("http://h:1/predict"), ["/models", "/health"]);
        assert_eq!(paths("http://h/api/evaluate/"), ["/api/info"]);
        assert_eq!(
            paths("http://h/x/v1/chat/completions?k=1")[0],
            "/x/v1/models"
        );
        assert_eq!(paths("http://h/completion"), ["/props", "/v1/models"]);
        assert_eq!(paths("http://h/other"), ["/v1/models", "/health"]);
        assert_eq!(paths("http://h"), ["/v1/models", "/health"]);
    }

    fn read(reader: Read, text: &str) -> Vec<String> {
        reader(&flipside_formats::json::parse(text).unwrap())
    }

    #[test]
    fn lists_of_models_are_read_in_every_known_shape() {
        for (text, lines) in [
            (
                r#"{"models":[{"name":"jev-1.14.0","description":"d","release_date":"2026-10-01"}]}"#,
                vec!["jev-1.14.0 (release date 2026-10-01)"],
            ),
            (
                r#"{"data":[{"id":"m","created":1,"owned_by":"o","architecture":{}},{"id":"n"}]}"#,
                vec!["m (created 1, owned by o)", "n"],
            ),
            (r#"["a","b",3]"#, vec!["a", "b"]),
            (r#"{"models":["a"]}"#, vec!["a"]),
            (r#"{"models":{"a":1}}"#, vec![]),
            (r"7", vec![]),
        ] {
            assert_eq!(read(models, text), lines, "{text}");
        }
    }

    #[test]
    fn facts_are_the_short_members_by_their_path() {
        let text = r#"{"status":"ok","models":{"english":{"revision":"r1","device":"cuda:0","deep":{"er":{"x":1}}}},
            "devices":["cuda:0","cpu"],"free":true,"chat_template":"TEMPLATE","none":null,"list":[{"a":1}]}"#;
        let text = text.replace("TEMPLATE", &"x".repeat(81));
        assert_eq!(
            read(facts, &text),
            [
                "status ok",
                "models.english.revision r1",
                "models.english.device cuda:0",
                "devices cuda:0, cpu",
                "free true",
            ]
        );
    }
}
