//! The summary of a run.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::averaged::AveragedAnswer;
use super::cases::CaseSummary;
use super::clusters::Clustering;
use super::composition::CompositionSummary;
use super::confirm::{Confirmation, Judging, Sequential};
use super::drift::ConfidenceFigure;
use super::figure::{Control, Fit, Line, Mean};
use super::orders::Orders;
use super::pairs::RecordedPairs;
use super::phrasing::PhrasingSummary;
use super::position::PositionSummary;
use super::readout::ReadoutSummary;
use super::recorded::Recorded;
use super::score::ScoreAgreement;
use super::served::{Remarks, ServedVersion};
use super::slots::SlotsAndKeys;
use super::split::Splits;
use super::verdict::{Rule, Verdict};
use crate::answer::ConfidenceKind;
use crate::canary::Canary;
use crate::cost::CostSummary;
use crate::model::Wire;

/// Name and version of the summary's shape.
pub const SCHEMA: &str = "flipside.summary/1";
/// Version of the methods behind the figures; raised whenever a figure for the same journal changes.
pub const METHOD: u32 = 1;

/// Everything that a run of one model showed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// Name and version of this shape.
    pub schema: String,
    /// Version of the methods behind the figures.
    pub method: u32,
    /// The flipside that wrote it.
    pub flipside: String,
    /// The model.
    pub model: ModelSummary,
    /// What was planned.
    pub plan: PlanSummary,
    /// How much was asked and what came back.
    pub counts: CountSummary,
    /// The clusters that cases come in; null where they are taken as independent.
    pub cluster: Option<Clustering>,
    /// Own-order answers against the accepted options.
    pub fit: Fit,
    /// Accuracy averaged over all orders asked, the own one included; null without labels or without other orders.
    pub order_averaged_accuracy: Option<Mean>,
    /// The answer that all orders of a case give together, and how often that is accepted; null where no other order was asked, and
    /// where no case has probabilities in every order.
    pub averaged_answer: Option<Box<AveragedAnswer>>,
    /// Our own confidence in own-order answers; null where none has probabilities.
    pub confidence: Option<ConfidenceFigure>,
    /// How much answers to score questions agree across orders; null without such questions or without other orders.
    pub score: Option<ScoreAgreement>,
    /// What the axes showed: by axis, then by variant.
    pub axes: IndexMap<String, IndexMap<String, Line>>,
    /// What all orders asked show together; null unless another order was asked, and for adaptive asking, which stops when
    /// the flips decide.
    pub orders: Option<Box<Orders>>,
    /// What all rewordings asked show together; null unless one was asked, and for adaptive asking.
    pub phrasing: Option<PhrasingSummary>,
    /// Which positions the answers came from, and what that says; null where no other order was asked.
    pub position: Option<PositionSummary>,
    /// What one option less, or one more, did to the choice among the others; null where neither was asked.
    pub composition: Option<CompositionSummary>,
    /// What answers to two-option cases follow that were asked in both orders, each under their own keys and under others: by
    /// variant of the keys axis. Empty where orders and keys were not combined, and for adaptive asking.
    pub slots_and_keys: IndexMap<String, SlotsAndKeys>,
    /// The control: the identical presentation asked again; null if it was not asked.
    pub control: Option<Control>,
    /// Where adaptive asking ended; null if it was not adaptive.
    pub sequential: Option<Sequential>,
    /// Flips asked once more, by axis; empty if none was to be.
    pub confirmed: IndexMap<String, Confirmation>,
    /// What is on record of the cases, and how that compares with now; null where nothing is on record.
    pub recorded: Option<Box<Recorded>>,
    /// How figures were judged.
    pub judging: Judging,
    /// Figures of parts of the cases: exploratory, in no gate.
    pub splits: Splits,
    /// The gates and what they say.
    pub gates: Vec<GateLine>,
    /// Whether every planned ask was made.
    pub complete: bool,
    /// Why the run stopped early, if it did.
    pub stopped: Option<String>,
    /// The exit code: 0 every gate held, 1 some gate did not, 3 the run is not complete.
    pub exit: u8,
    /// How fast the command that wrote this asked; null if it asked nothing.
    pub asking: Option<Asking>,
    /// Wall-clock latency of answered asks, in milliseconds.
    pub latency: Option<Latency>,
    /// How distributions were read out of a language model; null where none was asked.
    pub readout: Option<ReadoutSummary>,
    /// Where recorded answers come from, and what they do not say; null where this flipside asked.
    pub recorded_pairs: Option<Box<RecordedPairs>>,
    /// Whether option order reaches the model, as far as a few small asks before the run tell; null where that was no question.
    pub canary: Option<Canary>,
    /// What the run cost; null where its asks cost nothing.
    pub cost: Option<CostSummary>,
    /// What deserves a warning in replies that are valid all the same, counted over the answers to planned asks.
    pub remarks: Remarks,
    /// Every case with its asks.
    pub cases: Vec<CaseSummary>,
}

/// The model of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelSummary {
    /// How the user named it.
    pub spec: String,
    /// The model name that requests carried.
    pub requested: Option<String>,
    /// Where requests went; null in process.
    pub endpoint: Option<String>,
    /// The model names that replies carried, in order of first appearance by plan.
    pub served: Vec<String>,
    /// Every model that answered, told apart by name, provider, revision and fingerprint, in the order of their first answers;
    /// empty where replies say nothing of that.
    pub versions: Vec<ServedVersion>,
    /// What it ran on: as the user said, or for a model in process as the system says; null where nobody said.
    pub hardware: Option<String>,
    /// What the backend's documents say that its confidence is; null if they do not.
    pub confidence: Option<ConfidenceKind>,
    /// The kinds of confidence that every choice answer of this run fits; empty where none does or none was stated.
    pub confidence_fits: Vec<ConfidenceKind>,
    /// Whether option order travels in the key order of a JSON object, which some hops do not keep.
    pub object_order: bool,
    /// What requests were written and replies read by; null in process.
    pub protocol: Option<Wire>,
}

/// The plan of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanSummary {
    /// Digest of everything that is asked.
    pub digest: String,
    /// The orders as they were asked for.
    pub orders: Vec<String>,
    /// The other axes as they were asked for.
    pub axes: Vec<String>,
    /// How axes were combined, as it was asked for; null if they were not.
    pub cross: Option<String>,
    /// The seed, where something drew from it.
    pub seed: Option<u64>,
    /// The version of the draws, where something drew.
    pub draws: Option<String>,
    /// Whether `all` was sampled for some case.
    pub sampled: bool,
}

/// How much was asked and what came back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CountSummary {
    /// Cases asked.
    pub cases: u64,
    /// Cases among them that say which options are right.
    pub labelled: u64,
    /// Cases left out because an earlier one is the same.
    pub duplicates: u64,
    /// Cases with two options of the same text that are not declared to be the same answer.
    pub equal_texts: u64,
    /// Cases whose state is that of another case, which asks something else about it.
    pub shared_states: u64,
    /// Planned asks, recorded ones included.
    pub asks: u64,
    /// Asks among them that are answered by the record, and were not made.
    pub recorded: u64,
    /// Requests that the planned asks need; asks with equal bytes share one, and recorded ones need none.
    pub requests: u64,
    /// Asks with a valid answer.
    pub answered: u64,
    /// Valid answers in which the model declined to decide.
    pub no_decision: u64,
    /// Valid answers in which no option could be read: their pairs are missing, with the reason `unreadable`.
    pub unreadable: u64,
    /// Failed asks.
    pub failed: u64,
    /// Planned asks that were not made.
    pub unasked: u64,
    /// Asks that confirm flips, among none of the counts above.
    pub confirming: u64,
    /// Asks among them without a valid answer: the flips that they were to confirm keep their cause open.
    pub confirming_failed: u64,
    /// Asks among them that were not made.
    pub confirming_unasked: u64,
    /// Answers whose top two probabilities are equal as reported.
    pub tied: u64,
}

/// One gate and what it says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GateLine {
    /// What it is about, as `--gate` writes it.
    pub subject: String,
    /// The limit.
    pub limit: f64,
    /// Which claim it makes.
    pub rule: Rule,
    /// The word.
    pub verdict: Verdict,
    /// Whether it held.
    pub held: bool,
    /// The variant that decided it, for a gate over several.
    pub decided_by: Option<String>,
    /// Why, where the word alone does not say it.
    pub reason: Option<String>,
}

/// How fast one command asked, from its first request to its last answer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Asking {
    /// Requests that ended in this command; those of an earlier one are in the journal.
    pub requests: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
}

/// Wall-clock latency of answered asks, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Latency {
    /// Half of the asks took at most this long.
    pub median_ms: f64,
    /// 95 of 100 asks took at most this long.
    pub p95_ms: f64,
}
