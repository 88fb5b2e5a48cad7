//! Figures of a fragility suite: known models, the published card's counts, and the two wrong comparisons of its first harness.

mod asked;
mod card;
mod counted;
mod faults;
mod gates;
mod laws;

use flipside_core::case::QuestionKind;
use flipside_core::measure::Said;
use flipside_core::order::OptionId;
use flipside_core::suite::figures::{Answered, RowAnswer, SuiteFigures};
use flipside_core::suite::{
    BaseCase, BaseOption, BaseParts, GeneratedRow, SuiteCase, SuiteRow, generate,
};

use crate::made::id;

/// Options of a choice or levels of a score.
pub(crate) const OPTIONS: usize = 4;

/// Families as they are published: ten base cases each, and the kind of their question.
pub(crate) const FAMILIES: [(&str, QuestionKind); 4] = [
    ("news_topic", QuestionKind::Choice),
    ("support_department", QuestionKind::Choice),
    ("urgency", QuestionKind::Score),
    ("safety_gate", QuestionKind::Noul),
];

/// Base case `number` of `family`. What is accepted goes round: `number` modulo the options.
fn base(family: &str, kind: QuestionKind, number: usize) -> BaseCase {
    let id_text = format!("{family}-{number:02}");
    let noul = kind == QuestionKind::Noul;
    let option = |place: usize| BaseOption {
        name: format!("name{place}"),
        description: format!("description {place}"),
    };
    BaseCase::new(BaseParts {
        states: (0..3).map(|p| format!("{id_text} in words {p}")).collect(),
        questions: (0..=usize::from(noul))
            .map(|q| format!("wording {q}?"))
            .collect(),
        options: (0..if noul { 0 } else { OPTIONS }).map(option).collect(),
        accept: id(number % if noul { 2 } else { OPTIONS }),
        family: family.to_owned(),
        id: id_text,
        kind,
    })
    .unwrap()
}

/// 480 rows of 40 base cases, as the published suite has them.
pub(crate) fn rows() -> Vec<GeneratedRow> {
    let bases: Vec<BaseCase> = FAMILIES
        .into_iter()
        .flat_map(|(family, kind)| (0..10).map(move |number| base(family, kind, number)))
        .collect();
    generate(&bases, "made.jsonl")
}

/// A decision by place in the row's own list.
pub(crate) fn at(place: usize) -> RowAnswer {
    RowAnswer {
        said: Said::Chose {
            id: id(place),
            tied: false,
        },
        ..RowAnswer::UNASKED
    }
}

/// The place of a canonical identity in a row's own list.
pub(crate) fn place(row: &SuiteRow, identity: OptionId) -> usize {
    let places = &row.canonical;
    places.iter().position(|known| *known == identity).unwrap()
}

/// What a model says that decides by `decide` from the row: a place in the row's own list.
pub(crate) fn answers(
    rows: &[GeneratedRow],
    decide: impl Fn(&SuiteRow) -> usize,
) -> Vec<RowAnswer> {
    rows.iter().map(|row| at(decide(&row.suite.row))).collect()
}

/// The rows without their text.
pub(crate) fn cases(rows: &[GeneratedRow]) -> Vec<SuiteCase> {
    rows.iter().map(|row| row.suite.clone()).collect()
}

pub(crate) fn figures(rows: &[GeneratedRow], answers: &[RowAnswer]) -> SuiteFigures {
    Answered::new(&cases(rows), answers).figures()
}
