//! The schema of summaries.

use flipside_core::compare::Comparison;
use flipside_core::suite::figures::SuiteReport;
use flipside_core::summary::Summary;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;

use super::write::{Several, Studies};

/// The JSON schema (draft 2020-12) of what [`render`](super::render) writes, with a final newline.
pub fn schema() -> String {
    of::<Summary>("flipside.summary/1")
}

/// The JSON schema (draft 2020-12) of what [`render_several`](super::render_several) writes, with a final newline.
pub fn schema_several() -> String {
    of::<Several<'_>>("flipside.summaries/1")
}

/// The JSON schema (draft 2020-12) of what [`write_comparison`](super::write_comparison) writes, with a final newline.
pub fn schema_comparison() -> String {
    of::<Comparison>(flipside_core::compare::SCHEMA)
}

/// The JSON schema (draft 2020-12) of what [`write_suite`](super::write_suite) writes, with a final newline.
pub fn schema_suite() -> String {
    of::<SuiteReport>(flipside_core::suite::figures::SCHEMA)
}

/// The JSON schema (draft 2020-12) of what [`write_invariance`](super::write_invariance) writes, with a final newline.
pub fn schema_invariance() -> String {
    of::<Studies<'_>>(flipside_core::invariance::SCHEMA)
}

fn of<T: JsonSchema>(title: &str) -> String {
    // What is written, not what could be read: members that may be null are still always there.
    let generator = SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator();
    let mut value = generator.into_root_schema_for::<T>().to_value();
    value["title"] = title.into();
    // The same text whatever other packages make of `serde_json`'s maps.
    value.sort_all_objects();
    let text =
        serde_json::to_string_pretty(&value).expect("a schema has text keys and writes to memory");
    text + "\n"
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;
    use crate::example::{self, Variants};
    use crate::json::{render, render_several};

    fn parsed(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    fn names(members: &Value) -> BTreeSet<String> {
        members.as_object().unwrap().keys().cloned().collect()
    }

    /// Every object of `value` has exactly the members that `schema` names; returns how many objects were compared.
    fn compare(value: &Value, schema: &Value, root: &Value, path: &str) -> usize {
        if let Some(name) = schema["$ref"].as_str() {
            let target = root.pointer(name.trim_start_matches('#')).unwrap();
            return compare(value, target, root, path);
        }
        if let Some(choices) = schema["anyOf"].as_array() {
            let wanted = choices
                .iter()
                .find(|choice| choice["type"] != "null" || value.is_null());
            return compare(value, wanted.unwrap(), root, path);
        }
        match value {
            Value::Object(members) => {
                if schema["properties"].is_object() {
                    assert_eq!(names(value), names(&schema["properties"]), "{path}");
                }
                let of = |name: &str| {
                    schema["properties"]
                        .get(name)
                        .unwrap_or(&schema["additionalProperties"])
                };
                1 + members
                    .iter()
                    .map(|(name, value)| compare(value, of(name), root, &format!("{path}.{name}")))
                    .sum::<usize>()
            }
            Value::Array(items) => items
                .iter()
                .map(|item| compare(item, &schema["items"], root, path))
                .sum(),
            _ => 0,
        }
    }

    #[test]
    fn a_rendered_summary_keeps_its_schema_and_has_exactly_the_documented_fields() {
        let schema = parsed(&schema());
        let validator = jsonschema::validator_for(&schema).unwrap();
        let across = |orders| Summary {
            orders: Some(orders),
            ..example::plain()
        };
        let examples: Vec<Box<Summary>> = [
            Box::new(example::plain()),
            Box::new(example::ordinary()),
            Box::new(example::first(&[Variants::Reverse])),
            Box::new(example::troubled()),
            Box::new(across(Box::new(example::sweep()))),
            Box::new(across(Box::new(example::nothing()))),
            Box::new(example::moved()),
            Box::new(example::routed()),
            Box::new(example::recorded()),
            Box::new(example::over_record()),
        ]
        .into();
        for summary in examples {
            let value = parsed(&render(&summary));
            let errors: Vec<String> = validator
                .iter_errors(&value)
                .map(|error| error.to_string())
                .collect();
            assert_eq!(errors, Vec::<String>::new());
            assert!(compare(&value, &schema, &schema, "summary") > 10);
        }
    }

    #[test]
    fn a_summary_without_a_field_is_refused_by_the_schema() {
        let validator = jsonschema::validator_for(&parsed(&schema())).unwrap();
        let mut value = parsed(&render(&example::ordinary()));
        value["fit"].as_object_mut().unwrap().remove("lower");
        assert!(!validator.is_valid(&value));
    }

    #[test]
    fn several_summaries_keep_their_schema() {
        let validator = jsonschema::validator_for(&parsed(&schema_several())).unwrap();
        assert!(validator.is_valid(&parsed(&render_several(&[
            example::plain(),
            example::ordinary()
        ]))));
        assert!(!validator.is_valid(&parsed(&render(&example::plain()))));
    }

    #[test]
    fn schemas_are_the_same_text_every_time() {
        assert_eq!(schema(), schema());
        assert!(schema().ends_with("}\n") && schema_several().ends_with("}\n"));
    }
}
