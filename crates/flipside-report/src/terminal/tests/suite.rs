//! Reports of fragility suites, from rows and answers through core.

use flipside_core::case::QuestionKind;
use flipside_core::digest::Digest;
use flipside_core::gate::GateSpec;
use flipside_core::measure::Said;
use flipside_core::order::OptionId;
use flipside_core::suite::figures::{
    AboutModel, AnswerSource, RowAnswer, SuiteModel, SuiteReport, SuiteRows, limits,
};
use flipside_core::suite::{BaseCase, BaseOption, BaseParts, SuiteCase, SuiteRow, generate};
use insta::assert_snapshot;
use serde_json::Value;

use super::{NARROW, VERBOSE, WIDE};
use crate::json::{render_suite as to_json, schema_suite};
use crate::style::Style;
use crate::terminal::render_suite;

/// Ten base cases of each published family.
fn rows() -> Vec<SuiteCase> {
    let families = [
        ("news_topic", QuestionKind::Choice),
        ("support_department", QuestionKind::Choice),
        ("urgency", QuestionKind::Score),
        ("safety_gate", QuestionKind::Noul),
    ];
    let base = |family: &str, kind, number: u16| {
        let noul = kind == QuestionKind::Noul;
        let (options, questions) = if noul { (0, 2) } else { (4, 1) };
        let option = |place: u16| BaseOption {
            name: format!("name{place}"),
            description: format!("description {place}"),
        };
        BaseCase::new(BaseParts {
            id: format!("{family}-{number}"),
            family: family.to_owned(),
            kind,
            states: (0..3).map(|p| format!("{family} {number} {p}")).collect(),
            questions: (0..questions).map(|q| format!("wording {q}?")).collect(),
            options: (0..options).map(option).collect(),
            accept: OptionId(number % if noul { 2 } else { 4 }),
        })
        .unwrap()
    };
    let bases: Vec<BaseCase> = families
        .into_iter()
        .flat_map(|(family, kind)| (0..10).map(move |number| base(family, kind, number)))
        .collect();
    generate(&bases, "made.jsonl")
        .into_iter()
        .map(|row| row.suite)
        .collect()
}

/// The answer that is `off` options after the accepted one, in the base case's order.
fn off(row: &SuiteRow, off: usize) -> RowAnswer {
    let options = row.canonical.len();
    let wanted = (row.accept.index() + off) % options;
    let place = row
        .canonical
        .iter()
        .position(|id| id.index() == wanted)
        .unwrap();
    at(u16::try_from(place).unwrap())
}

fn at(place: u16) -> RowAnswer {
    RowAnswer {
        said: Said::Chose {
            id: OptionId(place),
            tied: false,
        },
        ..RowAnswer::UNASKED
    }
}

fn read_from(name: &str, file: &str) -> AboutModel {
    AboutModel {
        name: name.to_owned(),
        source: AnswerSource::Read {
            file: file.to_owned(),
            sha256: Digest::of(file.as_bytes()).to_string(),
        },
        stopped: None,
    }
}

fn report(rows: &[SuiteCase], models: Vec<SuiteModel>) -> SuiteReport {
    let suite = SuiteRows::of("rows.jsonl", &Digest::of(b"rows"), rows);
    SuiteReport::new("0.1.0", suite, models)
}

/// The three models of the published card, by answers that have all its counts.
fn card() -> SuiteReport {
    let text = include_str!("../../../../flipside-core/tests/data/fragility-card.json");
    let models: serde_json::Map<String, Value> = serde_json::from_str(text).unwrap();
    let rows = rows();
    let model = |name: &str| {
        let digits = models[name]["answers"].as_str().unwrap().chars();
        let said: Vec<RowAnswer> = (rows.iter().zip(digits))
            .map(|(row, digit)| off(&row.row, digit.to_digit(10).unwrap() as usize))
            .collect();
        SuiteModel::of(read_from(name, "card.jsonl"), &rows, &said, &[])
    };
    let names = ["laya 0.3.5", "AgentJev-0.6B", "jev-1.13.0"];
    report(&rows, names.map(model).into())
}

fn line<'a>(text: &'a str, name: &str) -> &'a str {
    let mut lines = text.lines();
    lines
        .find(|line| line.trim_start().starts_with(name))
        .unwrap()
}

/// The cells of a line, without intervals.
fn shares(text: &str, name: &str) -> Vec<String> {
    let words = line(text, name).trim_start().strip_prefix(name).unwrap();
    let words: Vec<&str> = words.split_whitespace().collect();
    words
        .chunks(3)
        .map(|cell| format!("{} {}", cell[0], cell[1]))
        .collect()
}

#[test]
fn the_cards_counts_print_as_its_percentages_but_for_two_ties_that_it_rounds_down() {
    let text = render_suite(&card(), &WIDE);
    let printed = [
        (
            "accuracy",
            ["349/480 72.7%", "348/480 72.5%", "433/480 90.2%"],
        ),
        (
            "baseline slice",
            ["30/40 75.0%", "33/40 82.5%", "38/40 95.0%"],
        ),
        ("with vacuous", ["54/240 22.5%", "0/240 0.0%", "7/240 2.9%"]),
        (
            "forward",
            ["164/240 68.3%", "174/240 72.5%", "218/240 90.8%"],
        ),
        (
            "reversed",
            ["185/240 77.1%", "174/240 72.5%", "215/240 89.6%"],
        ),
        (
            "key-rename flips",
            ["59/180 32.8%", "36/180 20.0%", "15/180 8.3%"],
        ),
        (
            "semantic keys",
            ["133/180 73.9%", "128/180 71.1%", "169/180 93.9%"],
        ),
        (
            "abstract keys",
            ["116/180 64.4%", "126/180 70.0%", "156/180 86.7%"],
        ),
        // 38/160 and 6/160 lie halfway between two tenths of a percent; as fractions in binary both are a hair under.
        (
            "phrasing p0-p1",
            ["24/160 15.0%", "38/160 23.7%", "6/160 3.7%"],
        ),
        // Without the pairs that reverse nothing.
        ("order flips", ["54/180 30.0%", "0/180 0.0%", "7/180 3.9%"]),
    ];
    for (name, expected) in printed {
        assert_eq!(shares(&text, name), expected, "{name}");
    }
}

#[test]
fn three_models_stand_beside_each_other_in_a_hundred_columns_with_all_their_intervals() {
    let style = Style { width: 100, ..WIDE };
    let text = render_suite(&card(), &style);
    assert!(
        text.lines().all(|line| line.chars().count() <= 100),
        "{text}"
    );
    let head = line(&text, "share (95% CI)");
    for name in ["laya 0.3.5", "AgentJev-0.6B", "jev-1.13.0"] {
        assert!(head.contains(name), "{head}");
    }
    // Every share but those of nothing has its interval: three of them in every line of three cells.
    for line in text
        .lines()
        .filter(|line| line.contains('/') && line.contains('%'))
    {
        assert_eq!(line.matches('(').count(), 3, "{line}");
    }
    assert_snapshot!(text);
}

#[test]
fn models_that_do_not_fit_stand_beneath_and_lose_nothing() {
    let text = render_suite(&card(), &NARROW);
    assert!(
        text.lines()
            .all(|line| line.chars().count() <= NARROW.width),
        "{text}"
    );
    assert_eq!(text.matches("share (95% CI)").count(), 2, "{text}");
    assert_eq!(text.matches("key-rename flips").count(), 8, "{text}");
}

#[test]
fn verbose_has_every_figure_of_every_family() {
    let count = |style: &Style| {
        render_suite(&card(), style)
            .matches("baseline slice")
            .count()
    };
    assert_eq!((count(&WIDE), count(&VERBOSE)), (1, 5));
    assert!(render_suite(&card(), &VERBOSE).contains("phrasing p1-p2"));
}

/// A model that lost rows, disagrees with itself and misses its gates, under a hostile name.
fn troubled() -> SuiteReport {
    let rows = rows();
    let mut said: Vec<RowAnswer> = rows.iter().map(|row| off(&row.row, 0)).collect();
    said[0].said = Said::Missing;
    said[5].said = Said::Unasked;
    said[9].said = Said::Nothing;
    for answer in &mut said[12..24] {
        answer.ms = Some(12.5);
    }
    let last = said.len() - 1;
    said[last] = off(&rows[last].row, 1);
    let specs = GateSpec::parse_list("order<=5%,fit>=100%,phrasing.q0-q1<=1%").unwrap();
    let about = AboutModel {
        stopped: Some("stopped after 479 of 480 asks: interrupted".to_owned()),
        source: AnswerSource::Asked {
            requested: Some("m-1".to_owned()),
            endpoint: Some("http://127.0.0.1:9/v1".to_owned()),
            served: vec!["m-1".to_owned(), "m\u{1b}[31m-2".to_owned()],
        },
        ..read_from("\u{202e}evil", "")
    };
    let model = SuiteModel::of(about, &rows, &said, &limits(&specs).unwrap());
    report(&rows, vec![model])
}

#[test]
fn what_was_lost_and_what_is_noise_is_said_and_foreign_names_cannot_steer_a_terminal() {
    let text = render_suite(&troubled(), &WIDE);
    assert!(
        !text.contains('\u{202e}') && !text.contains('\u{1b}'),
        "{text}"
    );
    assert_snapshot!(text);
}

#[test]
fn the_json_keeps_its_schema_and_says_how_scores_became_classes() {
    let schema: Value = serde_json::from_str(&schema_suite()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for report in [card(), troubled()] {
        let value: Value = serde_json::from_str(&to_json(&report)).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(&value)
            .map(|e| e.to_string())
            .collect();
        assert_eq!(errors, Vec::<String>::new());
        assert_eq!(value["schema"], "flipside.suite/1");
        assert_eq!(value["score_class"], "largest-probability");
        let mut broken = value.clone();
        broken["models"][0]["all"]["order"]
            .as_object_mut()
            .unwrap()
            .remove("hits");
        assert!(!validator.is_valid(&broken));
    }
}
