//! Requests as bytes, members and options in order.

use flipside_core::case::QuestionKind;
use flipside_core::json::write_string;
use flipside_core::present::{Presentation, Shown};

/// The System One body that asks `shown`, naming `model` where one is configured.
///
/// Members stand in the order `model, state, questions` and `type, instructions, criteria`; options stand as shown;
/// numbers and sibling questions stay as they were read.
///
/// ```
/// use flipside_core::case::{Case, CaseId, CaseOption, Key, KeyBinding, Question, QuestionKind, Source};
/// use flipside_core::json::Json;
/// use flipside_core::order::Order;
/// use flipside_core::present::Presentation;
///
/// let option = |key: &str| CaseOption { key: Key(key.into()), text: None };
/// let case = Case {
///     id: CaseId("c-1".into()),
///     source: Source { format: "probe".into(), file: "-".into(), line: 1 },
///     state: Json::String("charged twice".into()),
///     question: Question {
///         kind: QuestionKind::Choice,
///         name: "q".into(),
///         instructions: None,
///         before: Vec::new(),
///         after: Vec::new(),
///     }
///     .into(),
///     options: vec![option("1"), option("2")].into(),
///     keys: KeyBinding::Option,
///     accept: Vec::new().into(),
///     named: true,
///     position_dependent: None,
///     note: None,
///     fields: Vec::new().into(),
///     equal: Vec::new().into(),
///     brought: flipside_core::case::Brought::default(),
/// };
/// let order = Order::reverse(2);
/// let bytes = flipside_models::wire::systemone::request(&Presentation::new(&case, &order), None);
/// assert_eq!(
///     String::from_utf8(bytes).unwrap(),
///     r#"{"state":"charged twice","questions":{"q":{"type":"choice","criteria":{"2":null,"1":null}}}}"#
/// );
/// ```
pub fn request(shown: &Presentation<'_>, model: Option<&str>) -> Vec<u8> {
    written(shown, model, Ordering::Keys, |_| ())
}

/// What carries the order of the options of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ordering {
    /// The key order of `criteria`.
    Keys,
    /// `option_order`, which lists for each place the index in `criteria`; those stand in the case's own order.
    OptionOrder,
    /// The same, also for levels, which then keep their numbers, and for the sides of a statement, of which false is the first.
    EveryOptionOrder,
}

/// The beginning of a body, naming `model` where one is configured.
pub(crate) fn opened(model: Option<&str>) -> Vec<u8> {
    let mut out = Vec::with_capacity(1024);
    out.push(b'{');
    if let Some(model) = model {
        out.extend_from_slice(b"\"model\":");
        write_string(model, &mut out);
        out.push(b',');
    }
    out
}

/// The body, its order carried by `ordering`, with whatever `more` writes after the questions.
pub(crate) fn written(
    shown: &Presentation<'_>,
    model: Option<&str>,
    ordering: Ordering,
    more: impl FnOnce(&mut Vec<u8>),
) -> Vec<u8> {
    let mut out = opened(model);
    out.extend_from_slice(b"\"state\":");
    shown.state().write(&mut out);
    out.extend_from_slice(b",\"questions\":{");
    let question = &shown.case().question;
    for (name, sibling) in &question.before {
        write_string(name, &mut out);
        out.push(b':');
        sibling.write(&mut out);
        out.push(b',');
    }
    write_string(&question.name, &mut out);
    out.push(b':');
    write_question(shown, ordering, &mut out);
    for (name, sibling) in &question.after {
        out.push(b',');
        write_string(name, &mut out);
        out.push(b':');
        sibling.write(&mut out);
    }
    out.push(b'}');
    more(&mut out);
    out.push(b'}');
    out
}

fn write_question(shown: &Presentation<'_>, ordering: Ordering, out: &mut Vec<u8>) {
    let kind = shown.case().question.kind;
    out.extend_from_slice(b"{\"type\":\"");
    out.extend_from_slice(kind.name().as_bytes());
    out.push(b'"');
    if let Some(instructions) = shown.instructions() {
        out.extend_from_slice(b",\"instructions\":");
        instructions.write(out);
    }
    match kind {
        QuestionKind::Choice if ordering != Ordering::Keys => write_permuted(shown, out),
        QuestionKind::Score if ordering == Ordering::EveryOptionOrder => {
            let (own, indices) = permuted(shown);
            write_levels(own.into_iter(), out);
            write_option_order(&indices, out);
        }
        QuestionKind::Choice => write_object(shown.options(), out),
        QuestionKind::Score => write_levels(shown.options(), out),
        QuestionKind::Noul => {
            let mut sides = shown
                .options()
                .filter(|side| side.text.is_some())
                .peekable();
            if sides.peek().is_some() {
                write_object(sides, out);
            }
            if ordering == Ordering::EveryOptionOrder {
                let indices = shown
                    .options()
                    .map(|side| usize::from(side.key.0 == "true"));
                write_option_order(&indices.collect::<Vec<_>>(), out);
            }
        }
    }
    out.push(b'}');
}

fn write_object<'a>(options: impl Iterator<Item = Shown<'a>>, out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"criteria\":{");
    for (place, option) in options.enumerate() {
        if place > 0 {
            out.push(b',');
        }
        write_string(&option.key.0, out);
        out.push(b':');
        match option.text {
            Some(text) => text.write(out),
            None => out.extend_from_slice(b"null"),
        }
    }
    out.push(b'}');
}

/// The options in the case's own order, each under the key that is shown with it, and where each place finds its option.
fn write_permuted(shown: &Presentation<'_>, out: &mut Vec<u8>) {
    let (own, indices) = permuted(shown);
    write_object(own.into_iter(), out);
    write_option_order(&indices, out);
}

/// The options in the case's own order, and for each place the index of its option in them.
fn permuted<'a>(shown: &Presentation<'a>) -> (Vec<Shown<'a>>, Vec<usize>) {
    let mut own: Vec<Shown<'_>> = shown.options().collect();
    own.sort_by_key(|option| option.id);
    let mut indices = vec![0; own.len()];
    for (index, option) in own.iter().enumerate() {
        indices[option.position.index()] = index;
    }
    (own, indices)
}

fn write_option_order(indices: &[usize], out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"option_order\":[");
    for (place, index) in indices.iter().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        out.extend_from_slice(index.to_string().as_bytes());
    }
    out.push(b']');
}

/// A level without a text is named by its key, since the protocol has no null levels.
fn write_levels<'a>(levels: impl Iterator<Item = Shown<'a>>, out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"criteria\":[");
    for (place, level) in levels.enumerate() {
        if place > 0 {
            out.push(b',');
        }
        match level.text {
            Some(text) => text.write(out),
            None => write_string(&level.key.0, out),
        }
    }
    out.push(b']');
}
