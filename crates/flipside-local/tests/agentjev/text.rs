//! Texts from values.

use flipside_local::agentjev::text;

use super::golden::{Golden, raw};

#[test]
fn values_are_rendered_as_the_service_does() {
    let golden = Golden::open("agentjev-a");
    assert!(golden.list("renders").len() > 10);
    for render in golden.list("renders") {
        let found = text("option", &raw(render, "json")).unwrap();
        assert_eq!(found, render["text"].as_str().unwrap());
    }
    for render in golden.list("render_errors") {
        let found = text("option", &raw(render, "json")).unwrap_err();
        assert_eq!(found.to_string(), render["error"].as_str().unwrap());
    }
}
