//! Token paths in one tree, of which no token is computed twice.

use std::collections::HashMap;
use std::ops::Range;

use candle_core::Result;

use super::decoder::{Decoder, Run, Store};

/// Rows of one pass: enough to read the weights seldom, few enough for what lies between layers to stay near the processor.
const ROWS: usize = 256;
/// Tokens in a row that attend together; longer runs are cut, which saves what a token may not see and lets threads share them.
const RUN: usize = 64;

/// The parent of a token that begins a path.
const NONE: usize = usize::MAX;

/// Token paths that share their beginnings, computed or waiting to be.
#[derive(Debug)]
pub(crate) struct Tree {
    tokens: Vec<u32>,
    /// By token: the place of the one before it, and how many are before it.
    parents: Vec<usize>,
    positions: Vec<usize>,
    children: HashMap<(usize, u32), usize>,
    computed: usize,
    store: Store,
}

impl Tree {
    /// A tree without tokens.
    pub(crate) fn new(decoder: &Decoder) -> Self {
        Self {
            tokens: Vec::new(),
            parents: Vec::new(),
            positions: Vec::new(),
            children: HashMap::new(),
            computed: 0,
            store: decoder.store(),
        }
    }

    /// How many tokens it has: one for every prefix of any of its paths.
    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Lays `path` into the tree. Returns the place of each of its tokens, and how many of them are new.
    pub(crate) fn lay(&mut self, path: &[u32]) -> (Vec<usize>, usize) {
        let before = self.len();
        let mut parent = NONE;
        let mut places = Vec::with_capacity(path.len());
        for (position, token) in path.iter().enumerate() {
            let next = self.len();
            let place = *self.children.entry((parent, *token)).or_insert(next);
            if place == next {
                self.tokens.push(*token);
                self.parents.push(parent);
                self.positions.push(position);
            }
            places.push(place);
            parent = place;
        }
        (places, self.len() - before)
    }

    /// Reads every token that was not read yet.
    ///
    /// # Errors
    /// If a pass fails.
    pub(crate) fn compute(&mut self, decoder: &Decoder) -> Result<()> {
        while self.computed < self.len() {
            let pass = self.computed..(self.computed + ROWS).min(self.len());
            let runs = self.runs(pass.clone());
            decoder.read(&self.tokens[pass.clone()], &runs, &mut self.store)?;
            self.computed = pass.end;
        }
        Ok(())
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    /// The tokens of `pass` in runs: each follows the one before it, on one path.
    fn runs(&self, pass: Range<usize>) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        let mut start = pass.start;
        for next in pass.start + 1..=pass.end {
            let goes_on = next < pass.end && self.parents[next] == next - 1;
            if goes_on && next - start < RUN {
                continue;
            }
            runs.push(Run {
                rows: start - pass.start..next - pass.start,
                before: self.before(start),
                position: self.positions[start],
            });
            start = next;
        }
        runs
    }

    /// Where the tokens before `place` lie, first token first.
    fn before(&self, place: usize) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        let mut at = self.parents[place];
        while at != NONE {
            match ranges.last_mut() {
                Some(range) if range.start == at + 1 => range.start = at,
                _ => ranges.push(at..at + 1),
            }
            at = self.parents[at];
        }
        ranges.reverse();
        ranges
    }
}
