//! Gold answers are read in whichever way makes all rows of a base case accept the same option.

use flipside_core::case::QuestionKind;
use flipside_core::json::Json;
use flipside_core::order::OptionId;
use flipside_formats::suite::{BelongsTo, GoldOrder, Suite};

use crate::foreign::{Belongs, GoldNames, Label, Writing, file, object, rows, text};
use crate::{read_text, told};

/// Reads base case `b`, of which option 1 is right.
fn read(writing: Writing) -> Suite {
    let text = file(&rows("b", 1, writing));
    read_text(&text).unwrap_or_else(|errors| panic!("{writing:?}: {}\n{text}", told(&errors)))
}

/// What is said about how gold answers were read, without the file.
fn note(suite: &Suite) -> Option<String> {
    let [warning] = &suite.warnings[..] else {
        return None;
    };
    let text = warning.to_string();
    let (_, reading) = text.split_once("read so that ")?;
    Some(reading.split_once(';')?.0.to_owned())
}

/// Whether every row accepts option 1, wherever it stands.
fn accepts_option_1(suite: &Suite) {
    assert_eq!(suite.rows.len(), 4);
    for row in &suite.rows {
        assert_eq!(row.row.accept, OptionId(1));
        let shown = &row.case.options[row.case.accept[0].index()];
        assert!(
            shown
                .text
                .as_ref()
                .unwrap()
                .as_str()
                .unwrap()
                .ends_with("about x"),
            "{shown:?}"
        );
        assert_eq!(row.row.canonical[row.case.accept[0].index()], OptionId(1));
        assert!(!row.row.vacuous_order);
    }
}

const OPTION: &str = "aliases belong to options";
const PLACE: &str = "aliases belong to places";
const ROW: &str = "`gold.options` is in the row's order";
const FORWARD: &str = "`gold.options` is in forward order";

#[test]
fn an_alias_of_an_option_or_a_place_with_a_list_as_shown_or_forward() {
    for (kind, named) in [(QuestionKind::Choice, true), (QuestionKind::Score, true)] {
        for (alias, gold, words) in [
            (Belongs::Option, GoldNames::Row, [OPTION, ROW]),
            (Belongs::Option, GoldNames::Forward, [OPTION, FORWARD]),
            (Belongs::Place, GoldNames::Row, [PLACE, ROW]),
            (Belongs::Place, GoldNames::Forward, [PLACE, FORWARD]),
            (Belongs::Place, GoldNames::ForwardRow, [PLACE, FORWARD]),
            (Belongs::Option, GoldNames::SemanticRow, [OPTION, ROW]),
            (Belongs::Place, GoldNames::SemanticForward, [PLACE, FORWARD]),
        ] {
            let suite = read(Writing {
                kind,
                named,
                alias,
                gold,
                label: Label::Name,
            });
            accepts_option_1(&suite);
            assert_eq!(note(&suite).as_deref(), Some(words.join(" and ").as_str()));
            // No number stands for a level, so either belonging of numbers comes to the same.
            assert_eq!(suite.readings.len(), 2);
            let of = if alias == Belongs::Option {
                BelongsTo::Option
            } else {
                BelongsTo::Place
            };
            assert!(suite.readings.iter().all(|reading| reading.alias == of));
            let row = words[1] == ROW;
            assert!(
                suite
                    .readings
                    .iter()
                    .all(|reading| (reading.gold == GoldOrder::Row) == row)
            );
        }
    }
}

#[test]
fn levels_without_names_are_read_by_the_list_alone() {
    // Nothing shows what an alias belongs to, and nothing depends on it.
    for (alias, gold, words) in [
        (Belongs::Option, GoldNames::Row, ROW),
        (Belongs::Option, GoldNames::Forward, FORWARD),
        (Belongs::Place, GoldNames::Row, ROW),
        (Belongs::Place, GoldNames::Forward, FORWARD),
        (Belongs::Place, GoldNames::ForwardRow, FORWARD),
    ] {
        let kind = QuestionKind::Score;
        let suite = read(Writing {
            kind,
            named: false,
            alias,
            gold,
            label: Label::Name,
        });
        accepts_option_1(&suite);
        assert_eq!(note(&suite).as_deref(), Some(words));
    }
}

#[test]
fn an_alias_that_stands_nowhere_else_is_tried_as_an_option_s_and_as_a_place_s() {
    for (belongs, words) in [(Belongs::Option, OPTION), (Belongs::Place, PLACE)] {
        for (gold, order) in [
            (GoldNames::SemanticRow, ROW),
            (GoldNames::SemanticForward, FORWARD),
        ] {
            let suite = read(Writing {
                kind: QuestionKind::Score,
                named: false,
                alias: belongs,
                gold,
                label: Label::Alias(belongs),
            });
            accepts_option_1(&suite);
            assert_eq!(note(&suite), Some(format!("{words} and {order}")));
        }
    }
}

#[test]
fn a_level_s_number_is_tried_as_a_level_s_and_as_a_place_s() {
    for (belongs, words) in [
        (Belongs::Option, "numbers belong to levels"),
        (Belongs::Place, "numbers belong to places"),
    ] {
        for label in [Label::Number(belongs), Label::NumberText(belongs)] {
            for (gold, order) in [(GoldNames::Row, ROW), (GoldNames::Forward, FORWARD)] {
                let suite = read(Writing {
                    kind: QuestionKind::Score,
                    named: true,
                    alias: Belongs::Option,
                    gold,
                    label,
                });
                accepts_option_1(&suite);
                assert_eq!(
                    note(&suite),
                    Some(format!("{OPTION} and {order} and {words}"))
                );
            }
        }
    }
}

#[test]
fn a_name_that_the_row_shows_needs_no_list() {
    for alias in [Belongs::Option, Belongs::Place] {
        let suite = read(Writing {
            kind: QuestionKind::Choice,
            named: true,
            alias,
            gold: GoldNames::SemanticForward,
            label: Label::Shown,
        });
        accepts_option_1(&suite);
    }
}

#[test]
fn where_nothing_depends_on_the_reading_nothing_is_said_of_it() {
    let noul = crate::base("n", QuestionKind::Noul, &[], 1);
    let rows = flipside_core::suite::generate(&[noul], "rows.jsonl");
    let suite = read_text(&flipside_formats::suite::rows_text(&rows)).unwrap();
    assert_eq!((suite.readings.len(), suite.warnings), (8, Vec::new()));
}

#[test]
fn sides_of_a_noul_question_are_known_by_name_wherever_they_stand() {
    let row = |order: &str, criteria: &str| {
        format!(
            r#"{{"base_id":"n","family":"f","task_type":"noul","phrasing":"p0","order":"{order}","key_variant":"q0","state":"s","questions":"{{\"q\":{{\"type\":\"noul\",\"instructions\":\"is it?\",\"criteria\":{{{criteria}}}}}}}","gold":"{{\"label\":\"true\"}}","extra":7}}"#
        )
    };
    let yes = r#"\"true\":\"yes\""#;
    let no = r#"\"false\":\"no\""#;
    let rows = [
        row("forward", &format!("{yes},{no}")),
        row("reversed", &format!("{no},{yes}")),
    ];
    let suite = read_text(&rows.join("\n")).unwrap();
    let [forward, reversed] = &suite.rows[..] else {
        panic!("two rows");
    };
    assert_eq!(forward.row.canonical, [OptionId(1), OptionId(0)]);
    assert_eq!(reversed.row.canonical, [OptionId(0), OptionId(1)]);
    assert_eq!(forward.case.accept, [OptionId(0)]);
    assert_eq!(reversed.case.accept, [OptionId(1)]);
    assert_eq!(forward.row.accept, OptionId(1));
    assert!(!forward.row.vacuous_order);
    assert_eq!(forward.case.field("extra"), Some("7"));
}

#[test]
fn rows_whose_keys_a_tool_has_sorted_ask_the_same_and_reverse_nothing() {
    let writing = Writing {
        kind: QuestionKind::Choice,
        named: true,
        alias: Belongs::Option,
        gold: GoldNames::Row,
        label: Label::Name,
    };
    let mut rows = rows("b", 1, writing);
    let asked = rows[0][7].1.clone();
    rows[2][7].1 = asked;
    let semantic = [rows[0].clone(), rows[2].clone()];
    let suite = read_text(&file(&semantic)).unwrap();
    for row in &suite.rows {
        assert!(row.row.vacuous_order);
        assert_eq!(row.row.canonical, [0, 1, 2, 3].map(OptionId));
        assert_eq!(row.case.accept, [OptionId(1)]);
    }
}

#[test]
fn base_cases_of_one_file_are_read_in_one_way() {
    let writing = |gold| Writing {
        kind: QuestionKind::Choice,
        named: true,
        alias: Belongs::Option,
        gold,
        label: Label::Name,
    };
    let mut all = rows("one", 1, writing(GoldNames::Row));
    all.extend(rows("two", 2, writing(GoldNames::Forward)));
    assert_eq!(
        told(&read_text(&file(&all)).unwrap_err()),
        "error: rows.jsonl:1: base cases `one` and `two` do not agree: the first can only be read so that aliases belong to \
         options and `gold.options` is in the row's order, the second only so that aliases belong to options and \
         `gold.options` is in forward order\n  help: write `gold` in every row so that it names the same option of the base \
         case, in one way for the whole file\n"
    );
}

#[test]
fn reversed_rows_alone_decide_nothing_where_levels_have_no_names() {
    let all = rows(
        "b",
        1,
        Writing {
            kind: QuestionKind::Score,
            named: false,
            alias: Belongs::Option,
            gold: GoldNames::Row,
            label: Label::Name,
        },
    );
    assert_eq!(
        told(&read_text(&file(&all[2..])).unwrap_err()),
        "error: rows.jsonl:1: base case `b` accepts option 2 if `gold.options` is in the row's order, and option 3 if \
         `gold.options` is in forward order; no row of the file decides\n  help: add the `forward` rows, in which every \
         reading is the same\n"
    );
}

#[test]
fn a_row_that_accepts_another_option_is_refused_by_its_base_case_and_line() {
    let writing = Writing {
        kind: QuestionKind::Choice,
        named: true,
        alias: Belongs::Place,
        gold: GoldNames::Row,
        label: Label::Name,
    };
    let mut all = rows("good", 1, writing);
    let mut bad = rows("bad", 1, writing);
    let listed = ["z", "y", "x", "w"].map(text);
    let gold = vec![
        ("label".to_owned(), text("y")),
        ("options".to_owned(), Json::Array(listed.into())),
    ];
    bad[2][8].1 = text(&object(gold).to_text());
    all.extend(bad);
    assert_eq!(
        told(&read_text(&file(&all)).unwrap_err()),
        "error: rows.jsonl:5: base case `bad`: whatever its aliases belong to and whatever order `gold.options` has, lines 5 \
         and 7 do not accept the same option\n  help: write `gold` in every row so that it names the same option of the base \
         case, in one way for the whole file\n"
    );
}
