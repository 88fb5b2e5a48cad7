//! What of an option is content, and how contents are ordered.

use std::borrow::Cow;
use std::cmp::Ordering;

use flipside_core::case::KeyBinding;
use flipside_core::json::Json;
use flipside_core::present::{Presentation, Shown};

/// The key where it is a name; a letter that stays in its place says nothing about the option.
pub(crate) fn name<'a>(shown: &Presentation<'a>, option: &Shown<'a>) -> &'a str {
    match shown.case().keys {
        KeyBinding::Option | KeyBinding::Opposite => &option.key.0,
        KeyBinding::Place => "",
    }
}

/// The text as one string: a string as it is, any other value in its compact form.
pub(crate) fn text<'a>(option: &Shown<'a>) -> Cow<'a, str> {
    match option.text {
        None => Cow::Borrowed(""),
        Some(Json::String(text)) => Cow::Borrowed(text),
        Some(value) => Cow::Owned(value.to_text()),
    }
}

/// Orders options by the bytes of (name, text), never by position.
pub(crate) fn order<'a>(shown: &Presentation<'a>, a: &Shown<'a>, b: &Shown<'a>) -> Ordering {
    name(shown, a)
        .cmp(name(shown, b))
        .then_with(|| text(a).cmp(&text(b)))
}
