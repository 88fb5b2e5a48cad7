//! From texts to tokens, and which of them make each vector.

use std::collections::BTreeSet;
use std::ops::Range;

use flipside_core::foreign::Foreign;

use crate::error::AskError;
use crate::laya::{Cuts, Question, State};
use crate::tokens::Tokens;

/// How a sentence encoder reads state and options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Readout {
    /// Each text in a sequence of its own: no option sees another, whatever their order.
    #[default]
    Apart,
    /// `[CLS] state [SEP] option [SEP] option [SEP] ...`: every token sees every other, and each option has a place.
    Together,
}

impl Readout {
    /// Its name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Apart => "apart",
            Self::Together => "together",
        }
    }

    /// The readout of this name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Apart, Self::Together]
            .into_iter()
            .find(|readout| readout.name() == name)
    }
}

/// One sequence, and the tokens whose mean makes each of its vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Token ids.
    pub ids: Vec<u32>,
    /// Tokens of each vector.
    pub spans: Vec<Range<usize>>,
}

/// One question with its state as the encoder reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// The rows; their vectors in a row are the state's and then those of the slots.
    pub rows: Vec<Row>,
    /// What was cut.
    pub cuts: Cuts,
}

impl Sequence {
    /// Tokens of all rows.
    pub fn tokens(&self) -> usize {
        self.rows.iter().map(|row| row.ids.len()).sum()
    }
}

/// The special tokens around texts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Specials {
    pub(crate) cls: u32,
    pub(crate) sep: u32,
}

/// The tokens of the state and of each slot's text.
struct Texts {
    state: Vec<u32>,
    is_list: bool,
    options: Vec<Vec<u32>>,
}

/// The sequence of `question` about `state` in at most `positions` tokens a row.
///
/// # Errors
/// [`AskError`] if a text cannot be tokenised, or has no place or no tokens in the one sequence.
pub(crate) fn sequence(
    readout: Readout,
    positions: usize,
    specials: Specials,
    tokens: &Tokens,
    question: &Question,
    state: &State,
) -> Result<Sequence, AskError> {
    let texts = Texts {
        state: tokens.encode(&state.text)?,
        is_list: state.is_list,
        options: question
            .slots()
            .map(|text| tokens.encode(text))
            .collect::<Result<_, _>>()?,
    };
    let (rows, kept) = match readout {
        Readout::Apart => apart(positions, specials, &texts),
        Readout::Together => together(positions, specials, &texts, question)?,
    };
    let kept_options: BTreeSet<&[u32]> = texts
        .options
        .iter()
        .zip(&kept[1..])
        .map(|(option, kept)| &option[..*kept])
        .collect();
    let cuts = Cuts {
        options: texts
            .options
            .iter()
            .zip(&kept[1..])
            .map(|(option, kept)| (option.len(), *kept))
            .collect(),
        head: (0, 0),
        state: (texts.state.len(), kept[0]),
        distinct: kept_options.len(),
    };
    Ok(Sequence { rows, cuts })
}

impl Texts {
    /// The tokens of the state that fit into `room`: the last ones of a list, whose end is what matters.
    fn state(&self, room: usize) -> &[u32] {
        let kept = self.state.len().min(room);
        if self.is_list {
            &self.state[self.state.len() - kept..]
        } else {
            &self.state[..kept]
        }
    }
}

/// A row for each text, and how many tokens of each were kept, the state's first.
fn apart(positions: usize, specials: Specials, texts: &Texts) -> (Vec<Row>, Vec<usize>) {
    let room = positions.saturating_sub(2);
    let options = texts.options.iter();
    let kept = options.map(|option| &option[..option.len().min(room)]);
    let all = std::iter::once(texts.state(room)).chain(kept);
    all.map(|text| {
        let mut ids = Vec::with_capacity(text.len() + 2);
        ids.push(specials.cls);
        ids.extend_from_slice(text);
        ids.push(specials.sep);
        let whole = 0..ids.len();
        let row = Row {
            ids,
            spans: vec![whole],
        };
        (row, text.len())
    })
    .unzip()
}

fn together(
    positions: usize,
    specials: Specials,
    texts: &Texts,
    question: &Question,
) -> Result<(Vec<Row>, Vec<usize>), AskError> {
    if texts.state.is_empty() {
        return Err(AskError::refused(
            "the state has no tokens, so that it has no vector in one sequence",
        ));
    }
    if let Some(slot) = texts.options.iter().position(Vec::is_empty) {
        let key = &question.keys[question.order[slot]];
        return Err(AskError::refused(format!(
            "option `{}` has no tokens, so that it has no vector in one sequence",
            Foreign(key).cut(40)
        )));
    }
    let options: usize = texts.options.iter().map(|option| option.len() + 1).sum();
    let room = positions.saturating_sub(options + 2);
    if room == 0 {
        return Err(AskError::refused(format!(
            "the options need {options} of {positions} tokens, which leaves none for the state; offer fewer, or shorter ones"
        )));
    }
    let state = texts.state(room);
    let mut ids = vec![specials.cls];
    let mut spans = Vec::with_capacity(texts.options.len() + 1);
    for text in std::iter::once(state).chain(texts.options.iter().map(Vec::as_slice)) {
        spans.push(ids.len()..ids.len() + text.len());
        ids.extend_from_slice(text);
        ids.push(specials.sep);
    }
    let kept = spans.iter().map(ExactSizeIterator::len).collect();
    Ok((vec![Row { ids, spans }], kept))
}
