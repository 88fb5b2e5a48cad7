//! Where readers put cases, errors and warnings.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use flipside_core::case::{Case, CaseOption, Parts};
use flipside_core::json::Json;
use flipside_core::order::OptionId;
use unicode_normalization::UnicodeNormalization;

use super::{Alike, At, Error, MOST_ERRORS, Seen, Warning};

/// Everything read so far.
#[derive(Default)]
pub(crate) struct Out {
    pub(crate) cases: Vec<Case>,
    pub(crate) warnings: Vec<Warning>,
    errors: Vec<Error>,
    untold: u64,
    parts: Parts,
}

impl Out {
    pub(crate) fn error(&mut self, error: Error) {
        if self.errors.len() < MOST_ERRORS {
            self.errors.push(error);
        } else {
            self.untold += 1;
        }
    }

    /// How many errors there are.
    pub(crate) fn error_count(&self) -> u64 {
        self.errors.len() as u64 + self.untold
    }

    /// Puts the errors that were told after the first `count` into the order of their lines.
    pub(crate) fn sort_errors(&mut self, count: u64) {
        let told = usize::try_from(count)
            .unwrap_or(usize::MAX)
            .min(self.errors.len());
        self.errors[told..].sort_by_key(|error| error.at().map(|at| at.line));
    }

    /// The errors, with a count of those that are not told.
    pub(crate) fn into_errors(mut self) -> Vec<Error> {
        if self.untold > 0 {
            self.errors.push(Error::More { count: self.untold });
        }
        self.errors
    }

    pub(crate) fn warn(&mut self, warning: Warning) {
        match self
            .warnings
            .iter_mut()
            .find(|known| known.merges(&warning))
        {
            Some(known) => {
                if let Some(seen) = known.seen_mut() {
                    seen.more += 1;
                }
            }
            None => self.warnings.push(warning),
        }
    }

    /// Takes what a reader made of a row.
    pub(crate) fn take(&mut self, case: Result<Case, Error>) {
        match case {
            Ok(case) => self.case(case),
            Err(error) => self.error(error),
        }
    }

    /// Takes a case, if its parts make one.
    pub(crate) fn case(&mut self, case: Case) {
        let case = self.checked(case);
        self.cases.extend(case);
    }

    /// The case, if its parts make one; what is noticed about it is kept.
    pub(crate) fn checked(&mut self, case: Case) -> Option<Case> {
        let (file, line) = (Arc::clone(&case.source.file), case.source.line);
        let at = || At {
            file: (&*file).into(),
            line,
        };
        match case.checked() {
            Ok(mut case) => {
                self.parts.share(&mut case);
                if let Some((first, second, alike)) = alike(&case) {
                    let seen = Seen { at: at(), more: 0 };
                    self.warn(Warning::AlikeOptions {
                        seen,
                        first,
                        second,
                        alike,
                    });
                }
                Some(case)
            }
            Err(why) => {
                self.error(Error::Case { at: at(), why });
                None
            }
        }
    }
}

/// The first two options that a reader cannot tell apart, but for those that are declared to be one answer.
fn alike(case: &Case) -> Option<(String, String, Alike)> {
    let options = case.options.as_slice();
    let found = |places: (usize, usize), alike| {
        let key = |place: usize| options[place].key.0.clone();
        Some((key(places.0), key(places.1), alike))
    };
    let string = |option: &'_ CaseOption| matches!(option.text, Some(Json::String(_)));
    if let Some(places) = repeated(case, |option| Some((string(option), text(option)?))) {
        return found(places, Alike::Text);
    }
    if let Some(places) = repeated(case, |option| text(option).map(normal)) {
        return found(places, Alike::NormalText);
    }
    let places = repeated(case, |option| Some(normal(Cow::Borrowed(&option.key.0))))?;
    found(places, Alike::NormalKey)
}

fn text(option: &CaseOption) -> Option<Cow<'_, str>> {
    match &option.text {
        None => None,
        Some(Json::String(text)) => Some(Cow::Borrowed(text)),
        Some(other) => Some(Cow::Owned(other.to_text())),
    }
}

/// A text after NFC and trimming.
fn normal(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) if text.is_ascii() => Cow::Borrowed(text.trim()),
        text => Cow::Owned(text.nfc().collect::<String>().trim().to_owned()),
    }
}

fn repeated<'a, T: Ord>(
    case: &'a Case,
    of: impl Fn(&'a CaseOption) -> Option<T>,
) -> Option<(usize, usize)> {
    let one_answer = |first: usize, second: usize| {
        let holds = |class: &Vec<OptionId>| {
            let has = |place| class.iter().any(|id| id.index() == place);
            has(first) && has(second)
        };
        case.equal.iter().any(holds)
    };
    let mut seen = BTreeMap::new();
    let mut texts = case
        .options
        .iter()
        .enumerate()
        .filter_map(|(place, option)| Some((place, of(option)?)));
    texts.find_map(|(place, text)| {
        let first = seen.insert(text, place)?;
        (!one_answer(first, place)).then_some((first, place))
    })
}
