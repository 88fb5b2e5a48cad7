//! The arguments of a call, read strictly: every error is collected.

use flipside_core::foreign::Foreign;
use flipside_core::json::{Json, Object, first_duplicate};

use crate::diagnostic::Diagnostic;

/// How many options a question may have.
const OPTIONS: std::ops::RangeInclusive<usize> = 2..=255;

/// The arguments of a call, or an object among them.
#[derive(Clone, Copy)]
pub(super) struct Arguments<'a> {
    object: &'a Object,
    /// How errors name it: empty for the arguments themselves, else with a dot at its end.
    place: &'a str,
}

/// Options as they were given.
pub(super) struct Options {
    /// Keys and texts in order.
    pub(super) options: Vec<(String, Option<String>)>,
    /// Why their order may not be the one that was written.
    pub(super) warning: Option<String>,
}

impl<'a> Arguments<'a> {
    /// `object`, whose members are to be named `known`; what else is in it goes to `errors`.
    pub(super) fn new(
        object: &'a Object,
        place: &'a str,
        known: &[&str],
        errors: &mut Vec<Diagnostic>,
    ) -> Self {
        for (name, _) in object.members() {
            if !known.contains(&name.as_str()) {
                let names: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
                let name = Foreign(name).cut(40);
                errors.push(Diagnostic::new(format!(
                    "`{place}{name}` is unknown, expected one of {}",
                    names.join(", ")
                )));
            }
        }
        Self { object, place }
    }

    pub(super) fn get(self, name: &str) -> Option<&'a Json> {
        self.object.get(name)
    }

    /// What must be there.
    pub(super) fn required(self, name: &str, errors: &mut Vec<Diagnostic>) -> Option<&'a Json> {
        let value = self.get(name);
        if value.is_none() {
            errors.push(Diagnostic::new(format!(
                "`{}{name}` is missing",
                self.place
            )));
        }
        value
    }

    /// A string, if there is one.
    pub(super) fn text(self, name: &str, errors: &mut Vec<Diagnostic>) -> Option<&'a str> {
        let value = self.get(name)?;
        let text = value.as_str();
        if text.is_none() {
            errors.push(self.other(name, value, "a string"));
        }
        text
    }

    /// A string that must be there.
    pub(super) fn required_text(self, name: &str, errors: &mut Vec<Diagnostic>) -> Option<&'a str> {
        self.required(name, errors)?;
        self.text(name, errors)
    }

    /// A number as it was written, if there is one; whoever reads it says what it may be.
    pub(super) fn number(self, name: &str, errors: &mut Vec<Diagnostic>) -> Option<String> {
        match self.get(name)? {
            Json::Number(number) => Some(number.as_str().to_owned()),
            other => {
                errors.push(self.other(name, other, "a whole number"));
                None
            }
        }
    }

    /// The state: an object, an array or a string.
    pub(super) fn state(self, errors: &mut Vec<Diagnostic>) -> Option<Json> {
        let state = self.required("state", errors)?;
        if matches!(state, Json::Object(_) | Json::Array(_) | Json::String(_)) {
            return Some(state.clone());
        }
        errors.push(self.other("state", state, "an object, an array or a string"));
        None
    }

    /// The options: an array of keys and texts, or an object of them, whose order a host may have changed.
    pub(super) fn options(self, errors: &mut Vec<Diagnostic>) -> Option<Options> {
        let before = errors.len();
        let (options, warning) = match self.required("options", errors)? {
            Json::Array(items) => {
                let items = items.iter().enumerate();
                let options = items.filter_map(|(place, item)| self.option(place, item, errors));
                (options.collect::<Vec<_>>(), None)
            }
            Json::Object(object) => {
                let options = self.keyed(object, errors);
                let warning = integer_like(&options);
                (options, warning)
            }
            other => {
                errors.push(self.other(
                    "options",
                    other,
                    "an array of objects with `key` and `text`",
                ));
                return None;
            }
        };
        if errors.len() > before {
            return None;
        }
        let place = self.place;
        if !OPTIONS.contains(&options.len()) {
            errors.push(Diagnostic::new(format!(
                "`{place}options`: expected 2 to 255 options, found {}",
                options.len()
            )));
            return None;
        }
        if let Some((first, second)) = first_duplicate(options.iter().map(|(key, _)| key.as_str()))
        {
            let key = Foreign(&options[second].0).cut(80);
            let error = format!(
                "`{place}options`: key `{key}` is given twice, as option {} and option {}",
                first + 1,
                second + 1
            );
            let help = "give each option its own key; flipside never merges or drops one";
            errors.push(Diagnostic::new(error).help(help));
            return None;
        }
        Some(Options { options, warning })
    }

    fn option(
        self,
        place: usize,
        item: &Json,
        errors: &mut Vec<Diagnostic>,
    ) -> Option<(String, Option<String>)> {
        let Json::Object(object) = item else {
            let name = format!("options[{place}]");
            errors.push(self.other(&name, item, "an object with `key` and `text`"));
            return None;
        };
        let at = format!("{}options[{place}].", self.place);
        let option = Arguments::new(object, &at, &["key", "text"], errors);
        let text = option.text("text", errors).map(str::to_owned);
        let key = option.required_text("key", errors)?;
        if key.is_empty() {
            errors.push(Diagnostic::new(format!("`{at}key` is empty")));
        }
        Some((key.to_owned(), text))
    }

    fn keyed(self, object: &Object, errors: &mut Vec<Diagnostic>) -> Vec<(String, Option<String>)> {
        let option = |(key, value): &(String, Json)| match value {
            Json::String(text) => Some((key.clone(), Some(text.clone()))),
            Json::Null => Some((key.clone(), None)),
            other => {
                let name = format!("options.{}", Foreign(key).cut(40));
                errors.push(self.other(&name, other, "a string or null"));
                None
            }
        };
        object.members().iter().filter_map(option).collect()
    }

    fn other(self, name: &str, found: &Json, expected: &str) -> Diagnostic {
        let (place, found) = (self.place, found.kind());
        Diagnostic::new(format!("`{place}{name}` is {found}, expected {expected}"))
    }
}

/// What is to be said where keys of an object are integer-like: canonical decimals up to 4294967294, which JavaScript moves to
/// the front (the wire page, 10.3).
fn integer_like(options: &[(String, Option<String>)]) -> Option<String> {
    let moved = |key: &str| {
        key.parse::<u32>()
            .is_ok_and(|number| number < u32::MAX && number.to_string() == key)
    };
    let keys: Vec<String> = (options.iter())
        .filter(|(key, _)| moved(key))
        .map(|(key, _)| format!("`{key}`"))
        .collect();
    (!keys.is_empty()).then(|| {
        format!(
            "`options` is an object with integer-like keys ({}): hosts in JavaScript move these to the front, so the order asked may not be \
             the order written; give `options` as an array",
            keys.join(", ")
        )
    })
}
