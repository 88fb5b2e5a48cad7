//! The page as a whole.

use std::collections::BTreeMap;

use flipside_core::summary::Summary;

use super::document::Shown;
use super::{HtmlRun, render};
use crate::example::{self, Variants};

/// A run that stands alone, without its cases.
pub(super) fn shown(summary: &Summary) -> Shown<'_> {
    Shown {
        number: 0,
        summary,
        started: None,
        cases: BTreeMap::new(),
        several: false,
    }
}

fn page(summary: &Summary) -> String {
    render(&[HtmlRun {
        summary,
        started: Some("2026-11-30T10:00:00Z"),
        cases: &[],
    }])
}

fn every() -> Vec<Summary> {
    vec![
        example::plain(),
        example::ordinary(),
        example::troubled(),
        example::many(),
        example::axes(),
        example::moved(),
        example::recorded(),
        example::over_record(),
        example::composed(example::axes()),
        Summary {
            orders: Some(Box::new(example::sweep())),
            ..example::plain()
        },
        example::first(&[Variants::Reverse]),
        example::hostile(),
        example::charted(),
    ]
}

#[test]
fn every_id_is_there_once_and_everything_that_names_one_finds_it() {
    let mut summaries = every();
    summaries.truncate(4);
    let runs: Vec<HtmlRun<'_>> = (summaries.iter())
        .map(|summary| HtmlRun {
            summary,
            started: None,
            cases: &[],
        })
        .collect();
    let pages = every()
        .iter()
        .map(page)
        .chain([render(&runs)])
        .collect::<Vec<_>>();
    for page in pages {
        let ids: Vec<&str> = page
            .split(" id=\"")
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap())
            .collect();
        let mut once = ids.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), ids.len(), "{ids:?}");
        let named = ["aria-labelledby=\"", " for=\"", "href=\"#"];
        for attribute in named {
            for rest in page.split(attribute).skip(1) {
                for id in rest.split('"').next().unwrap().split(' ') {
                    assert!(ids.contains(&id), "{id}");
                }
            }
        }
    }
}

#[test]
fn nothing_is_loaded_and_nothing_runs() {
    for summary in every() {
        let page = page(&summary);
        for word in [
            "<script",
            "<link",
            "<img",
            "<iframe",
            "src=",
            "url(",
            "@import",
            "http-equiv=\"refresh",
        ] {
            assert!(!page.contains(word), "{word}");
        }
        for rest in page.split(" on").skip(1) {
            let next = rest.chars().find(|c| !c.is_ascii_alphabetic());
            assert_ne!(next, Some('='), "a handler: {}", &rest[..20]);
        }
        assert!(page.contains("default-src 'none'"));
    }
}

#[test]
fn every_chart_has_a_title_a_description_and_its_data() {
    for summary in every() {
        let page = page(&summary);
        let charts = page.matches("<svg ").count();
        for part in [
            "<title id=",
            "<desc id=",
            "role=\"img\"",
            "In words and numbers",
        ] {
            assert_eq!(page.matches(part).count(), charts, "{part}");
        }
    }
    assert_eq!(
        page(&example::plain()).matches("<svg ").count(),
        0,
        "the own order alone has no chart"
    );
    let page = page(&example::charted());
    // Flips, positions, recall, accuracy, drift of the orders and of the control, reliability.
    assert_eq!(page.matches("<svg ").count(), 7);
    for id in [
        "axes-chart",
        "places-5",
        "recall-5",
        "accuracy-chart",
        "drift-order",
        "drift-same",
        "reliability-chart",
    ] {
        assert!(
            page.contains(&format!("<figure class=\"chart\" id=\"r1-{id}\">")),
            "{id}"
        );
    }
}

#[test]
fn hostile_text_is_text() {
    let summary = example::hostile();
    let page = page(&summary);
    for c in page.chars() {
        assert!(c == '\n' || !c.is_control(), "{c:?}");
        assert!(!matches!(c, '\u{202e}' | '\u{2066}'), "{c:?}");
    }
    assert!(page.contains("\\u{202e}"));
    let mut summary = example::first(&[Variants::Reverse]);
    let bad = "</title></style><script>alert(1)</script>\"'&<b>";
    summary.model.spec = bad.to_owned();
    summary.cases[0].id = bad.to_owned();
    summary.cases[0].file = bad.into();
    summary.stopped = Some(bad.to_owned());
    summary.cases[0]
        .fields
        .insert(bad.to_owned(), bad.to_owned());
    summary.cases[1]
        .fields
        .insert(bad.to_owned(), "other".to_owned());
    let page = super::tests::page(&summary);
    assert!(
        !page.contains("<script") && !page.contains("<b>\""),
        "markup is text"
    );
    assert_eq!(page.matches("</style>").count(), 1);
    assert!(page.contains("&lt;script&gt;"));
}

#[test]
fn a_page_of_many_flips_says_what_it_leaves_out() {
    let shapes = example::labelled(300, &["a", "b", "c"]);
    let summary = example::Builder::new(shapes, &[Variants::Reverse, Variants::Rotate(1)])
        .answered(|_, _, order| example::Reply::Chose(order.identities()[0], 0.6));
    let page = page(&summary);
    assert_eq!(page.matches("<details class=\"flip ").count(), 200);
    assert!(
        page.contains("600 flips; the page has 200 of them, some of every change"),
        "the cap is said"
    );
    for change in ["reverse", "rotate:1"] {
        let shown = format!("<span class=\"change\">{change}</span>");
        assert_eq!(page.matches(&shown).count(), 100, "each change in turn");
    }
}

#[test]
fn an_option_that_moved_says_where_it_was() {
    let page = page(&example::first(&[Variants::Reverse]));
    assert!(page.contains("◀ chosen") && page.contains("◁ chosen in the own order"));
    assert!(
        page.contains("⇅ was 3rd"),
        "the reversal moved the last option"
    );
}

#[test]
fn several_runs_stand_side_by_side() {
    let (one, other) = (example::ordinary(), example::first(&[Variants::Reverse]));
    let runs = [&one, &other].map(|summary| HtmlRun {
        summary,
        started: None,
        cases: &[],
    });
    let page = render(&runs);
    assert!(
        page.contains("<th scope=\"col\">1. jev</th><th scope=\"col\">2. first</th>"),
        "{page}"
    );
    assert!(page.contains("data-of=\"1:/axes/order/reverse/flips\" data-value=\"8\">8/8 flipped"));
    assert!(
        page.contains("1. jev: Flips of each change")
            && page.contains("2. first: Flips of each change")
    );
}

#[test]
fn every_element_is_closed_where_it_was_opened() {
    for summary in every() {
        let page = page(&summary);
        let body = page.split_once("<html").unwrap().1;
        let mut open: Vec<String> = vec!["html".to_owned()];
        for tag in body.split('<').skip(1) {
            let inside = tag.split('>').next().unwrap();
            let name: String = inside
                .trim_start_matches('/')
                .chars()
                .take_while(char::is_ascii_alphanumeric)
                .collect();
            match (inside.starts_with('/'), name.as_str()) {
                (_, "meta") => {}
                (true, _) => assert_eq!(open.pop(), Some(name), "{inside}"),
                (false, _) => open.push(name),
            }
        }
        assert!(open.is_empty(), "{open:?}");
    }
}

#[test]
fn every_exact_value_is_that_of_its_place_in_the_summary() {
    for summary in every() {
        let stored: serde_json::Value =
            serde_json::from_str(&crate::json::render(&summary)).unwrap();
        let page = page(&summary);
        let mut found = 0;
        for rest in page.split("data-of=\"0:").skip(1) {
            let pointer = rest.split('"').next().unwrap();
            let value = rest
                .split_once("data-value=\"")
                .unwrap()
                .1
                .split('"')
                .next()
                .unwrap();
            let value: serde_json::Value =
                serde_json::from_str(&value.replace("&quot;", "\"")).unwrap();
            // What a hostile name became leads nowhere.
            if !pointer.contains("\\u{") {
                assert_eq!(Some(&value), stored.pointer(pointer), "{pointer}");
                found += 1;
            }
        }
        assert!(found > 20, "{found}");
    }
}
