//! From texts to one token sequence with cuts (the Laya page, 3.2 and 7).

use std::collections::BTreeSet;

use super::config::{AgentConfig, Layout};
use super::question::{Question, State};
use crate::error::AskError;
use crate::tokens::Tokens;

/// The most tokens of an option's text.
const OPTION: usize = 48;
/// Tokens of the head that options are cut for.
const RESERVED: usize = 16;
/// The fewest tokens that an option is cut to, its mask included.
const LEAST: usize = 4;
/// The fewest tokens that the question is cut to.
const LEAST_HEAD: usize = 8;

/// The special tokens of a checkpoint.
#[derive(Clone, Debug)]
pub(crate) struct Specials {
    pub(crate) cls: u32,
    pub(crate) sep: u32,
    pub(crate) mask: u32,
    /// How the mask is written, which no text may.
    pub(crate) mask_text: String,
}

/// One question with its state as the encoder reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// Token ids.
    pub ids: Vec<u32>,
    /// Index of the mask of each slot.
    pub markers: Vec<usize>,
    /// Position of each token, and the slot + 1 that it belongs to or 0; only where options stand side by side.
    pub sides: Option<Sides>,
    /// What was cut.
    pub cuts: Cuts,
}

/// Positions and owners of tokens where options stand side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides {
    /// Position of each token.
    pub positions: Vec<u32>,
    /// The slot of each option's tokens plus 1; 0 for what is common.
    pub owners: Vec<u32>,
}

/// What was cut, in tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cuts {
    /// Of each slot's text, mask not counted: found and kept.
    pub options: Vec<(usize, usize)>,
    /// Of the question: found and kept.
    pub head: (usize, usize),
    /// Of the state: found and kept.
    pub state: (usize, usize),
    /// How many options differ in what is left of them.
    pub distinct: usize,
}

impl Cuts {
    /// Whether anything was cut.
    pub fn any(&self) -> bool {
        let cut = |(found, kept): &(usize, usize)| kept < found;
        cut(&self.head) || cut(&self.state) || self.options.iter().any(cut)
    }
}

/// The sequence of `question` about `state`.
///
/// # Errors
/// [`AskError`] if a text cannot be tokenised, or the options do not fit.
pub(crate) fn sequence(
    config: &AgentConfig,
    specials: &Specials,
    tokens: &Tokens,
    question: &Question,
    state: &State,
) -> Result<Sequence, AskError> {
    let encode = |text: &str| tokens.encode(&text.replace(&specials.mask_text, " "));
    let mut head = encode(&format!(
        "{} question: {}",
        question.kind.name(),
        question.instructions
    ))?;
    let mut options = Vec::with_capacity(question.order.len());
    let mut found = Vec::with_capacity(question.order.len());
    for text in question.slots() {
        let text = encode(&format!(" {text}"))?;
        found.push(text.len());
        let kept = &text[..text.len().min(OPTION)];
        let mut option = Vec::with_capacity(kept.len() + 1);
        option.push(specials.mask);
        option.extend_from_slice(kept);
        options.push(option);
    }
    let left = |options: &[Vec<u32>]| {
        config
            .head_max_len
            .saturating_sub(options.iter().map(Vec::len).sum())
    };
    if left(&options) < RESERVED {
        let each = config.head_max_len.saturating_sub(RESERVED) / options.len();
        for option in &mut options {
            option.truncate(each.max(LEAST));
        }
    }
    let head_found = head.len();
    head.truncate(left(&options).max(LEAST_HEAD));

    let mut ids = vec![specials.cls];
    ids.extend_from_slice(&head);
    ids.push(specials.sep);
    let fork = ids.len();
    let mut markers = Vec::with_capacity(options.len());
    for option in &options {
        markers.push(ids.len());
        ids.extend_from_slice(option);
    }
    ids.push(specials.sep);
    let state_ids = encode(&state.text)?;
    let room = config.max_len.saturating_sub(ids.len() + 1);
    let kept = if state.is_list {
        &state_ids[state_ids.len() - state_ids.len().min(room)..]
    } else {
        &state_ids[..state_ids.len().min(room)]
    };
    ids.extend_from_slice(kept);
    ids.push(specials.sep);
    let sides = match config.layout {
        Layout::Sequential => None,
        Layout::Parallel => Some(side_by_side(fork, &options, ids.len(), config.max_len)),
    };
    ids.truncate(config.max_len);
    let fit = markers.iter().filter(|marker| **marker < ids.len()).count();
    if fit < markers.len() {
        return Err(AskError::refused(format!(
            "{fit} of {} options fit into {} tokens; offer fewer, or shorter ones",
            markers.len(),
            config.max_len
        )));
    }
    let distinct: BTreeSet<&[u32]> = options.iter().map(|option| &option[1..]).collect();
    Ok(Sequence {
        markers,
        sides,
        cuts: Cuts {
            options: found
                .into_iter()
                .zip(&options)
                .map(|(found, option)| (found, option.len() - 1))
                .collect(),
            head: (head_found, head.len()),
            state: (state_ids.len(), kept.len()),
            distinct: distinct.len(),
        },
        ids,
    })
}

/// Every option begins at the position `fork`; what follows continues after the longest one.
fn side_by_side(fork: usize, options: &[Vec<u32>], tokens: usize, most: usize) -> Sides {
    let mut positions: Vec<usize> = (0..fork).collect();
    let mut owners = vec![0; fork];
    for (owner, option) in (1..).zip(options) {
        positions.extend(fork..fork + option.len());
        owners.extend(std::iter::repeat_n(owner, option.len()));
    }
    let longest = options.iter().map(Vec::len).max().unwrap_or(0);
    let rest = tokens - positions.len();
    positions.extend(fork + longest..fork + longest + rest);
    owners.extend(std::iter::repeat_n(0, rest));
    positions.truncate(most);
    owners.truncate(most);
    let positions = positions
        .into_iter()
        .map(|position| u32::try_from(position).expect("a sequence is short"))
        .collect();
    Sides { positions, owners }
}
