//! What a suite showed: the shape of its report.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use super::answer::RowAnswer;
use super::count::Answered;
use super::gate;
use crate::digest::Digest;
use crate::gate::Subject;
use crate::stats::Method;
use crate::suite::SuiteCase;
use crate::summary::{ClusterFigure, GateLine, METHOD};

/// Name and version of the report's shape.
pub const SCHEMA: &str = "flipside.suite/1";

/// What the rows of a suite showed, model by model.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SuiteReport {
    /// Name and version of this shape.
    pub schema: String,
    /// Version of the methods behind the figures.
    pub method: u32,
    /// The flipside that wrote it.
    pub flipside: String,
    /// The rows.
    pub suite: SuiteRows,
    /// How an answer with probabilities became one option where the model named none, as in every score answer.
    pub score_class: ScoreClass,
    /// One report per model, in the order in which they were named.
    pub models: Vec<SuiteModel>,
    /// The exit code: 0 every gate held, 1 some gate did not, 3 some model was not asked to the end.
    pub exit: u8,
}

/// The rows of a suite.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SuiteRows {
    /// The file as the user named it, `-` for standard input, or `builtin:NAME`.
    pub name: String,
    /// SHA-256 of its bytes as read.
    pub sha256: String,
    /// Rows.
    pub rows: u64,
    /// Base cases.
    pub bases: u64,
    /// Different requests among them; a row that asks what an earlier one does is no request of its own.
    pub requests: u64,
    /// Base cases and rows by family, in the order of the file.
    pub families: IndexMap<String, FamilyRows>,
}

impl SuiteRows {
    /// What `rows` are that were read from the file `name`.
    pub fn of(name: &str, sha256: &Digest, rows: &[SuiteCase]) -> Self {
        let mut families: IndexMap<String, FamilyRows> = IndexMap::new();
        let mut bases: BTreeSet<&str> = BTreeSet::new();
        for SuiteCase { row, .. } in rows {
            let family = families.entry(row.family.clone()).or_default();
            family.rows += 1;
            family.bases += u64::from(bases.insert(&row.base));
        }
        let contents: BTreeSet<Digest> = rows.iter().map(|row| row.case.content()).collect();
        Self {
            name: name.to_owned(),
            sha256: sha256.to_string(),
            rows: rows.len() as u64,
            bases: bases.len() as u64,
            requests: contents.len() as u64,
            families,
        }
    }
}

/// The rows of a family.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FamilyRows {
    /// Base cases.
    pub bases: u64,
    /// Rows.
    pub rows: u64,
}

/// How an answer with probabilities became one option where the model named none: every score answer, and others that state
/// no choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ScoreClass {
    /// The option with the largest probability; of equal ones the lowest in the base case, whatever the row's order.
    LargestProbability,
}

/// What one model said to the rows of a suite.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SuiteModel {
    /// How the user named it.
    pub name: String,
    /// Where its answers come from: the model as asked and served, or the file.
    pub source: AnswerSource,
    /// What came back.
    pub counts: RowCounts,
    /// Whether every row was asked, or has a recorded answer.
    pub complete: bool,
    /// Why the run stopped early, if it did.
    pub stopped: Option<String>,
    /// Over all families.
    pub all: SuiteFigures,
    /// By family, in the order of the file.
    pub families: IndexMap<String, SuiteFigures>,
    /// The gates and what they say; empty without `--gate`.
    pub gates: Vec<GateLine>,
    /// The exit code that it means: 3 where it was asked and not to the end, 1 where a gate did not hold, else 0.
    pub exit: u8,
}

/// How a model came by its answers, beside what they were.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AboutModel {
    /// How the user named it.
    pub name: String,
    /// Where its answers come from.
    pub source: AnswerSource,
    /// Why the run stopped early, if it did.
    pub stopped: Option<String>,
}

impl SuiteModel {
    /// What a model said to `rows`, counted and held against `limits`.
    ///
    /// # Panics
    /// As [`Answered::new`].
    pub fn of(
        about: AboutModel,
        rows: &[SuiteCase],
        answers: &[RowAnswer],
        limits: &[(Subject, f64)],
    ) -> Self {
        let answered = Answered::new(rows, answers);
        let (counts, all) = (answered.counts(), answered.figures());
        let gates = gate::judge(limits, &all, &counts);
        let complete = counts.unasked == 0 && about.stopped.is_none();
        let asked = matches!(about.source, AnswerSource::Asked { .. });
        Self {
            name: about.name,
            source: about.source,
            families: answered.by_family(),
            counts,
            complete,
            stopped: about.stopped,
            all,
            exit: if asked && !complete {
                3
            } else {
                u8::from(!gates.iter().all(|gate| gate.held))
            },
            gates,
        }
    }
}

impl SuiteReport {
    /// The report of `models`, all of which were given `suite`.
    pub fn new(version: &str, suite: SuiteRows, models: Vec<SuiteModel>) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            method: METHOD,
            flipside: version.to_owned(),
            suite,
            score_class: ScoreClass::LargestProbability,
            exit: models.iter().map(|model| model.exit).max().unwrap_or(0),
            models,
        }
    }
}

/// Where the answers of a model come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum AnswerSource {
    /// It was asked.
    Asked {
        /// The model name that requests carried.
        requested: Option<String>,
        /// Where requests went; null in process.
        endpoint: Option<String>,
        /// The model names that replies carried, in order of first appearance by row.
        served: Vec<String>,
    },
    /// Its answers were read.
    Read {
        /// The file as the user named it.
        file: String,
        /// SHA-256 of its bytes as read.
        sha256: String,
    },
}

/// What came back for the rows of a suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RowCounts {
    /// Rows.
    pub rows: u64,
    /// Rows with a valid answer.
    pub answered: u64,
    /// Valid answers in which the model declined to decide.
    pub no_decision: u64,
    /// Rows whose ask failed, or whose recorded answer is none.
    pub failed: u64,
    /// Rows without an ask, or without a recorded answer.
    pub unasked: u64,
    /// Answers whose top two probabilities are equal as reported.
    pub tied: u64,
    /// Rows that ask what an earlier one does, byte for byte, and have its reply; among the counts above.
    pub repeated: u64,
}

/// The figures of the published card's corrected harness. Every row is compared by canonical identity, its index in the
/// base case, which neither a reversed list nor a renamed key changes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SuiteFigures {
    /// Accepted answers of all rows.
    pub accuracy: SuiteShare,
    /// Accepted answers of the rows as one would ask them first: first phrasing, forward, semantic keys or first question.
    pub baseline: SuiteShare,
    /// Flips between forward and reversed rows that are alike otherwise. Pairs that are the same request, byte for byte, are
    /// vacuous and out.
    pub order: SuiteFlips,
    /// The same with the vacuous pairs in the denominator, as the published card counts; null where there are none.
    pub order_with_vacuous: Option<SuiteFlips>,
    /// Accepted answers of forward rows.
    pub accuracy_forward: SuiteShare,
    /// Accepted answers of reversed rows.
    pub accuracy_reversed: SuiteShare,
    /// Flips between semantic and abstract keys; null without a row of either.
    pub keys: Option<SuiteFlips>,
    /// Accepted answers under semantic keys; null without such a row.
    pub accuracy_semantic: Option<SuiteShare>,
    /// Accepted answers under abstract keys; null without such a row.
    pub accuracy_abstract: Option<SuiteShare>,
    /// Flips between two phrasings of the state, such as `p0-p1`.
    pub phrasing: IndexMap<String, SuiteFlips>,
    /// Flips between the two wordings of a noul question; null without such a question.
    pub question: Option<SuiteFlips>,
    /// How long answers took; null where nobody measured it.
    pub latency: Option<SuiteLatency>,
}

/// A share of rows, or of pairs of rows, with its interval over base cases.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SuiteShare {
    /// Rows with an accepted answer; pairs that flipped.
    pub hits: u64,
    /// The denominator: rows with an answer; pairs that could be compared.
    pub of: u64,
    /// Rows whose ask failed; pairs with such a row, or answered by two different models.
    pub missing: u64,
    /// Rows that were not asked; pairs with such a row.
    pub unasked: u64,
    /// Answers that did not decide, which are not accepted and in the denominator; pairs in which neither decided, which
    /// are not in it.
    pub no_decision: u64,
    /// The share; null without a denominator.
    pub rate: Option<f64>,
    /// Two-sided 95 % interval of the share, with base cases as what is independent.
    pub interval: Option<[f64; 2]>,
    /// How it was computed: Korn and Graubard's over base cases, or Wilson's where each base case is in it once.
    pub interval_method: Option<Method>,
    /// Wilson's 95 % interval, as if all rows were independent, which rows of one base case are not: for comparing with
    /// tables that take them so.
    pub wilson: Option<[f64; 2]>,
    /// The base cases that the interval is computed over; null without one.
    pub bases: Option<ClusterFigure>,
}

/// Pairs of rows that should have had one answer.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SuiteFlips {
    /// The share that flipped.
    #[serde(flatten)]
    pub share: SuiteShare,
    /// Flips in which an answer's top two probabilities are equal as reported; among the flips.
    pub tie_flips: u64,
    /// Flips to or from an answer that did not decide; among the flips.
    pub no_decision_flips: u64,
    /// Pairs that are the same request, so that nothing changed: in no denominator but that of `order_with_vacuous`.
    pub vacuous: u64,
    /// Pairs answered by two different models; among the missing.
    pub other_version: u64,
}

/// Wall-clock latency of answered rows, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SuiteLatency {
    /// Half of the answers took at most this long.
    pub median_ms: f64,
    /// 95 of 100 answers took at most this long.
    pub p95_ms: f64,
    /// Answers whose time is known; a reply to several rows counts once.
    pub answers: u64,
}
