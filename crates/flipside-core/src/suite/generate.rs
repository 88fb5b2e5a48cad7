//! Base cases to the rows of a suite.

use super::base::LEVEL;
use super::{BaseCase, KeyVariant, RowOrder, SuiteCase, SuiteRow, alias};
use crate::case::{
    Brought, Case, CaseId, CaseOption, Key, KeyBinding, Question, QuestionKind, Source,
};
use crate::json::{Json, Object};
use crate::order::{OptionId, Order};

/// The name of the format of suite rows, as a case's source has it.
pub const FORMAT: &str = "suite";

/// The name under which a row asks its one question.
const QUESTION: &str = "q";

/// A row that was made of a base case.
#[derive(Clone, Debug, PartialEq)]
pub struct GeneratedRow {
    /// The row as it is written into a file, members in order.
    pub json: Json,
    /// The same row as a case that can be asked.
    pub suite: SuiteCase,
}

/// The rows of `bases`, in their order and for each in a fixed nesting: phrasing, then order, then key variant.
///
/// `file` is where the rows say that they stand, one a line from line 1. The same base cases always give the same rows.
pub fn generate(bases: &[BaseCase], file: &str) -> Vec<GeneratedRow> {
    let mut rows = Vec::new();
    for base in bases {
        for (phrasing, state) in (0_u16..).zip(base.states()) {
            for order in RowOrder::ALL {
                for (place, keys) in KeyVariant::of(base.kind()).into_iter().enumerate() {
                    let row = Row {
                        base,
                        phrasing,
                        state,
                        order,
                        keys,
                        // The two variants of a noul question are its two wordings; others have one.
                        question: base.questions().get(place).unwrap_or(&base.questions()[0]),
                    };
                    let source = Source {
                        format: FORMAT.into(),
                        file: file.into(),
                        line: rows.len() as u64 + 1,
                    };
                    rows.push(row.generated(source));
                }
            }
        }
    }
    rows
}

struct Row<'a> {
    base: &'a BaseCase,
    phrasing: u16,
    state: &'a str,
    order: RowOrder,
    keys: KeyVariant,
    question: &'a str,
}

impl Row<'_> {
    fn generated(&self, source: Source) -> GeneratedRow {
        let row = SuiteRow {
            base: self.base.id().to_owned(),
            family: self.base.family().to_owned(),
            phrasing: self.phrasing,
            order: self.order,
            keys: self.keys,
            canonical: self.canonical(),
            accept: self.base.accept(),
            vacuous_order: self.base.kind() == QuestionKind::Noul,
        };
        let accept = row.canonical.iter().position(|id| *id == row.accept);
        let accept = accept
            .and_then(|place| u16::try_from(place).ok())
            .expect("a checked base case accepts one of its own options");
        let case = Case {
            id: CaseId(row.id()),
            named: true,
            source,
            state: text(self.state),
            question: Question {
                kind: self.base.kind(),
                name: QUESTION.to_owned(),
                instructions: Some(text(self.question)),
                before: Vec::new(),
                after: Vec::new(),
            }
            .into(),
            options: self.options().into(),
            keys: match self.base.kind() {
                QuestionKind::Score => KeyBinding::Place,
                QuestionKind::Choice | QuestionKind::Noul => KeyBinding::Option,
            },
            accept: vec![OptionId(accept)].into(),
            position_dependent: None,
            note: None,
            fields: row.fields().into(),
            equal: Vec::new().into(),
            brought: Brought::default(),
        };
        let case = case
            .checked()
            .expect("a checked base case has different options");
        GeneratedRow {
            json: self.json(),
            suite: SuiteCase { case, row },
        }
    }

    /// What stands at each place. A noul question lists nothing that could be reversed.
    fn canonical(&self) -> Vec<OptionId> {
        let identities = self.base.identities();
        let order = match (self.base.kind(), self.order) {
            (QuestionKind::Noul, _) | (_, RowOrder::Forward) => Order::own(identities),
            (_, RowOrder::Reversed) => Order::reverse(identities),
        };
        order.identities().to_vec()
    }

    /// Name and description of what stands at each place, as this row shows it.
    fn shown(&self) -> Vec<(String, &str)> {
        let named = |id: &OptionId| {
            let option = &self.base.options()[id.index()];
            let name = match self.keys {
                KeyVariant::Abstract => alias(self.base.kind(), id.index()),
                _ => option.name.clone(),
            };
            (name, option.description.as_str())
        };
        self.canonical().iter().map(named).collect()
    }

    fn options(&self) -> Vec<CaseOption> {
        let option = |key: String, text| CaseOption {
            key: Key(key),
            text,
        };
        match self.base.kind() {
            QuestionKind::Choice => self
                .shown()
                .into_iter()
                .map(|(name, description)| option(name, Some(text(description))))
                .collect(),
            QuestionKind::Score => self
                .shown()
                .into_iter()
                .enumerate()
                .map(|(place, shown)| option(place.to_string(), Some(level(shown))))
                .collect(),
            QuestionKind::Noul => vec![
                option("false".to_owned(), None),
                option("true".to_owned(), None),
            ],
        }
    }

    fn json(&self) -> Json {
        let member = |name: &str, value: &str| (name.to_owned(), text(value));
        object(vec![
            member("base_id", self.base.id()),
            member("family", self.base.family()),
            member("task_type", self.base.kind().name()),
            member("phrasing", &format!("p{}", self.phrasing)),
            member("order", self.order.name()),
            member("key_variant", self.keys.name()),
            member("state", self.state),
            member("questions", &self.questions().to_text()),
            member("gold", &self.gold().to_text()),
        ])
    }

    fn questions(&self) -> Json {
        let mut question = vec![
            ("type".to_owned(), text(self.base.kind().name())),
            ("instructions".to_owned(), text(self.question)),
        ];
        let criteria = match self.base.kind() {
            QuestionKind::Choice => {
                let shown = self.shown().into_iter();
                Some(object(
                    shown
                        .map(|(name, description)| (name, text(description)))
                        .collect(),
                ))
            }
            QuestionKind::Score => Some(Json::Array(self.shown().into_iter().map(level).collect())),
            QuestionKind::Noul => None,
        };
        question.extend(criteria.map(|criteria| ("criteria".to_owned(), criteria)));
        object(vec![(QUESTION.to_owned(), object(question))])
    }

    fn gold(&self) -> Json {
        let accept = self.base.accept();
        let (label, options) = if self.base.kind() == QuestionKind::Noul {
            (
                Json::Bool(accept == OptionId(1)),
                vec![Json::Bool(false), Json::Bool(true)],
            )
        } else {
            let shown = self.shown();
            let place = self.canonical().iter().position(|id| *id == accept);
            let place = place.expect("a checked base case accepts one of its own options");
            (
                text(&shown[place].0),
                shown.iter().map(|(name, _)| text(name)).collect(),
            )
        };
        object(vec![
            ("label".to_owned(), label),
            ("options".to_owned(), Json::Array(options)),
        ])
    }
}

/// A level of a score: its name, then its description.
fn level((name, description): (String, &str)) -> Json {
    Json::String(format!("{name}{LEVEL}{description}"))
}

fn text(value: &str) -> Json {
    Json::String(value.to_owned())
}

fn object(members: Vec<(String, Json)>) -> Json {
    Json::Object(Object::new(members).expect("names of a row and of checked options are different"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::{BaseOption, BaseParts};

    fn base(kind: QuestionKind) -> BaseCase {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let option = |(name, description): (&str, &str)| BaseOption {
            name: name.to_owned(),
            description: description.to_owned(),
        };
        let options = [("low", "can wait"), ("mid", "to\"day"), ("high", "now")];
        let noul = kind == QuestionKind::Noul;
        BaseCase::new(BaseParts {
            id: "b".to_owned(),
            family: "f".to_owned(),
            kind,
            states: texts(&["one", "two"]),
            questions: texts(if noul {
                &["is it?", "or not?"]
            } else {
                &["how?"]
            }),
            options: if noul {
                Vec::new()
            } else {
                options.map(option).into()
            },
            accept: OptionId(u16::from(noul)),
        })
        .unwrap()
    }

    fn rows(kind: QuestionKind) -> Vec<GeneratedRow> {
        generate(&[base(kind)], "rows.jsonl")
    }

    #[test]
    fn rows_are_nested_by_phrasing_order_and_key_variant() {
        let ids = |kind| -> Vec<String> {
            let rows = rows(kind);
            rows.iter()
                .map(|row| row.suite.case.id.to_string())
                .collect()
        };
        assert_eq!(
            ids(QuestionKind::Choice),
            [
                "b/p0/forward/semantic",
                "b/p0/forward/abstract",
                "b/p0/reversed/semantic",
                "b/p0/reversed/abstract",
                "b/p1/forward/semantic",
                "b/p1/forward/abstract",
                "b/p1/reversed/semantic",
                "b/p1/reversed/abstract",
            ]
        );
        assert_eq!(
            ids(QuestionKind::Noul)[..3],
            ["b/p0/forward/q0", "b/p0/forward/q1", "b/p0/reversed/q0"]
        );
        let lines = generate(
            &[base(QuestionKind::Noul), base(QuestionKind::Score)],
            "rows.jsonl",
        );
        let lines: Vec<u64> = lines.iter().map(|row| row.suite.case.source.line).collect();
        assert_eq!(lines, (1..=16).collect::<Vec<u64>>());
    }

    #[test]
    fn a_reversed_choice_moves_names_and_aliases_with_their_options() {
        let rows = rows(QuestionKind::Choice);
        assert_eq!(
            rows[7].json.to_text(),
            r#"{"base_id":"b","family":"f","task_type":"choice","phrasing":"p1","order":"reversed","key_variant":"abstract","state":"two","questions":"{\"q\":{\"type\":\"choice\",\"instructions\":\"how?\",\"criteria\":{\"A3\":\"now\",\"A2\":\"to\\\"day\",\"A1\":\"can wait\"}}}","gold":"{\"label\":\"A1\",\"options\":[\"A3\",\"A2\",\"A1\"]}"}"#
        );
        let SuiteCase { case, row } = &rows[7].suite;
        assert_eq!(row.canonical, [OptionId(2), OptionId(1), OptionId(0)]);
        assert_eq!(
            (row.accept, &case.accept[..]),
            (OptionId(0), &[OptionId(2)][..])
        );
        assert_eq!(case.options[2].key.0, "A1");
        assert!(!row.vacuous_order);
        assert_eq!(case.field("base_id"), Some("b"));
        assert_eq!(case.field("key_variant"), Some("abstract"));
    }

    #[test]
    fn a_reversed_score_lists_its_levels_highest_first() {
        let rows = rows(QuestionKind::Score);
        let inner = |place: usize, field: &str| {
            let text = rows[place].json.as_object().and_then(|row| row.get(field));
            text.and_then(Json::as_str).unwrap().to_owned()
        };
        assert_eq!(
            inner(2, "questions"),
            r#"{"q":{"type":"score","instructions":"how?","criteria":["high: now","mid: to\"day","low: can wait"]}}"#
        );
        assert_eq!(
            inner(2, "gold"),
            r#"{"label":"low","options":["high","mid","low"]}"#
        );
        assert_eq!(
            inner(1, "questions"),
            r#"{"q":{"type":"score","instructions":"how?","criteria":["L0: can wait","L1: to\"day","L2: now"]}}"#
        );
        assert_eq!(
            inner(3, "gold"),
            r#"{"label":"L0","options":["L2","L1","L0"]}"#
        );
        let case = &rows[3].suite.case;
        assert_eq!(case.accept, [OptionId(2)]);
        assert_eq!(
            (case.options[0].key.0.as_str(), case.keys),
            ("0", KeyBinding::Place)
        );
    }

    #[test]
    fn a_noul_question_has_two_wordings_and_nothing_to_reverse() {
        let rows = rows(QuestionKind::Noul);
        let asked = |place: usize| rows[place].suite.case.question.instructions.clone();
        assert_eq!(asked(0), Some(Json::String("is it?".to_owned())));
        assert_eq!(asked(1), Some(Json::String("or not?".to_owned())));
        assert_eq!(asked(0), asked(2));
        assert_eq!(
            rows[3].json.to_text(),
            r#"{"base_id":"b","family":"f","task_type":"noul","phrasing":"p0","order":"reversed","key_variant":"q1","state":"one","questions":"{\"q\":{\"type\":\"noul\",\"instructions\":\"or not?\"}}","gold":"{\"label\":true,\"options\":[false,true]}"}"#
        );
        for row in &rows {
            assert!(row.suite.row.vacuous_order);
            assert_eq!(row.suite.row.canonical, [OptionId(0), OptionId(1)]);
            assert_eq!(row.suite.case.accept, [OptionId(1)]);
        }
    }
}
