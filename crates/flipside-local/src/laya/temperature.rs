//! Temperatures by question type and number of options (the Laya page, 2.1).

use std::collections::BTreeMap;

use flipside_core::case::QuestionKind;
use serde_json::Value;

use crate::error::LoadError;
use crate::fields::Fields;

/// What a temperature is confined to when it is loaded.
const CONFINED: (f64, f64) = (0.5, 5.0);

/// The temperatures of a checkpoint, each confined to 0.5..=5.
#[derive(Clone, Debug, PartialEq)]
pub struct Temperatures {
    by_type: [f64; 3],
    by_options: BTreeMap<String, f64>,
    replaced: Vec<String>,
}

/// The index of a question type in a Laya checkpoint.
pub(crate) fn type_index(kind: QuestionKind) -> usize {
    match kind {
        QuestionKind::Choice => 0,
        QuestionKind::Score => 1,
        QuestionKind::Noul => 2,
    }
}

/// The bucket of a question of `kind` with `options` options.
fn bucket(kind: QuestionKind, options: usize) -> String {
    let size = match options {
        0..=2 => "2",
        3..=5 => "3-5",
        6..=10 => "6-10",
        _ => "11+",
    };
    format!("{}:{size}", kind.name())
}

impl Temperatures {
    pub(crate) fn read(fields: &Fields<'_>) -> Result<Self, LoadError> {
        let mut replaced = Vec::new();
        let by_type = match fields.get("temperature") {
            None => [1.0; 3],
            Some(Value::Array(values)) if values.len() == 3 => std::array::from_fn(|place| {
                confine(
                    &format!("temperature[{place}]"),
                    &values[place],
                    &mut replaced,
                )
            }),
            Some(_) => return Err(fields.wrong("temperature", "an array of 3 numbers")),
        };
        let mut by_options = BTreeMap::new();
        if let Some(buckets) = fields.object("temperature_by_options")? {
            for (name, value) in buckets.members() {
                let what = format!("temperature_by_options.{name}");
                by_options.insert(name.to_owned(), confine(&what, value, &mut replaced));
            }
        }
        Ok(Self {
            by_type,
            by_options,
            replaced,
        })
    }

    /// The temperature of a question of `kind` with `options` options: the bucket's where there is one, else the type's.
    pub fn of(&self, kind: QuestionKind, options: usize) -> f64 {
        self.by_options
            .get(&bucket(kind, options))
            .copied()
            .unwrap_or(self.by_type[type_index(kind)])
    }

    /// What was replaced while loading, a line each: `temperature_by_options.choice:11+ 0.10058 became 0.5`.
    pub fn replaced(&self) -> &[String] {
        &self.replaced
    }
}

fn confine(what: &str, value: &Value, replaced: &mut Vec<String>) -> f64 {
    // The original reads texts as Python's `float` does.
    let number = match value {
        Value::String(text) => text.trim().parse().ok(),
        other => other.as_f64(),
    };
    let confined = match number {
        Some(number) if number.is_finite() => number.clamp(CONFINED.0, CONFINED.1),
        _ => 1.0,
    };
    if number != Some(confined) {
        replaced.push(format!("{what} {value} became {confined}"));
    }
    confined
}

#[cfg(test)]
#[expect(
    clippy::float_cmp,
    reason = "temperatures are kept as they are written"
)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Temperatures, LoadError> {
        Temperatures::read(&Fields::parse("c.json", text.as_bytes()).unwrap())
    }

    #[test]
    fn a_bucket_wins_and_every_value_is_confined() {
        let found = read(
            r#"{"temperature":[1.25,9,"x"],"temperature_by_options":{"choice:11+":0.10058,"score:3-5":true,"noul:2":2.0}}"#,
        )
        .unwrap();
        assert_eq!(found.of(QuestionKind::Choice, 11), 0.5);
        assert_eq!(found.of(QuestionKind::Choice, 10), 1.25);
        assert_eq!(found.of(QuestionKind::Score, 2), 5.0);
        assert_eq!(found.of(QuestionKind::Score, 3), 1.0);
        assert_eq!(found.of(QuestionKind::Noul, 2), 2.0);
        assert_eq!(
            found.replaced(),
            [
                "temperature[1] 9 became 5",
                "temperature[2] \"x\" became 1",
                "temperature_by_options.choice:11+ 0.10058 became 0.5",
                "temperature_by_options.score:3-5 true became 1",
            ]
        );
    }

    #[test]
    fn without_temperatures_all_are_one_and_another_length_is_refused() {
        assert_eq!(read("{}").unwrap().of(QuestionKind::Choice, 3), 1.0);
        assert_eq!(
            read(r#"{"temperature":[1,1]}"#).unwrap_err().to_string(),
            "c.json: `temperature` is an array, expected an array of 3 numbers"
        );
    }
}
