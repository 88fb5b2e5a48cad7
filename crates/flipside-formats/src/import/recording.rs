//! What a recording holds, whatever program wrote it.

use flipside_core::case::Case;
use flipside_core::recorded::Decision;

use crate::read::Warning;

/// A recording: decisions with what is on record of them.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Where it comes from.
    pub about: About,
    /// Its decisions in the order of the record.
    pub decisions: Vec<Decision>,
    /// The files that it was read from.
    pub sources: Vec<Record>,
    /// What a reader of the figures should know.
    pub warnings: Vec<Warning>,
}

/// Where a recording comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The format's name, such as `s1a-job`.
    pub format: String,
    /// The model as the recorder named it, where it did.
    pub model: Option<String>,
    /// The model names that replies carried, each once, in order of first appearance.
    pub served: Vec<String>,
    /// When recording began, as the record has it.
    pub started: Option<String>,
}

/// One file of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The file as the user named it, or its path beneath the folder that the user named.
    pub name: String,
    /// SHA-256 of its bytes as read.
    pub sha256: flipside_core::digest::Digest,
    /// Decisions in it.
    pub decisions: u64,
}

/// What the user supplies where a record lacks it; nothing of it replaces what is on record.
#[derive(Clone, Debug, Default)]
pub struct Supplements {
    /// The rules of every decision: `--rules`.
    pub rules: Option<String>,
    /// Cases of the same agent, whose instructions are the rules: `--rules-from`.
    pub rules_from: Vec<Case>,
    /// Cases that list the options in the order in which they were offered: `--options-from`.
    pub options_from: Vec<Case>,
    /// The cases that the answers belong to, by id: `--cases`.
    pub cases: Vec<Case>,
}
