//! The finished summary: every figure with its denominator, interval and rule.

mod averaged;
mod cases;
mod clusters;
mod composition;
mod confirm;
mod direction;
mod drift;
mod figure;
mod orders;
mod pairs;
mod phrasing;
mod position;
mod readout;
mod recorded;
mod run;
mod score;
mod served;
mod slots;
mod split;
mod verdict;

pub use averaged::{AveragedAnswer, AveragedBy, AveragedKey};
pub use cases::{AskStatus, AskSummary, CaseSummary};
pub use clusters::{ClusterFigure, ClusterSigns, Clustering, IndependentUnit};
pub use composition::{
    Attention, AttentionReason, ChoiceDropped, CompositionSummary, DecoyComposition,
    DropComposition, EqualSize, PairShare, SharedOptions, SingleOptions,
};
pub use confirm::{Anchored, Confirmation, Judging, Sequential};
pub use direction::{Direction, KeyChange, KeyChanges, KeyPair};
pub use drift::{
    Centre, ConfidenceFigure, DriftBin, DriftFigure, DriftQuantity, DriftReason, Headroom,
    Invariance, ReportedDrift, Routing,
};
pub use figure::{
    Accuracy, Control, Figure, Fit, KeyBaseline, Line, Mean, MorePairs, PositionBaseline,
    Transitions,
};
pub use orders::{
    Agreement, Allowed, AskChoice, Calibrated, CalibrationChange, CaseMean, CaseShare,
    ChanceAdjusted, Coefficient, ConfidenceBin, Consistency, Drawn, FormatSpread, LabelFreeBounds,
    NoiseFloor, OrderAccuracy, OrderCalibration, OrderPair, OrderShare, OrderVariance, Orders,
    PublishedPair, Range, Sensitivity,
};
pub use pairs::{AlsoDiffers, Quoted, RecordedPairs};
pub use phrasing::{DifferentAnswers, PhrasingSummary, WordingShare, WordingSpread};
pub use position::{
    AcceptedPositions, BalancedMethod, EndPreference, NeverChosen, OrderPlaces, PlaceCell,
    PlaceCounts, PositionBalanced, PositionDesign, PositionPairs, PositionPreference,
    PositionRecall, PositionShare, PositionSummary, PositionTest, PositionUniformity, Unseen,
};
pub use readout::ReadoutSummary;
pub use recorded::{Merged, Recorded, RecordedAccuracy, RecordedLine};
pub use run::{
    Asking, CountSummary, GateLine, Latency, METHOD, ModelSummary, PlanSummary, SCHEMA, Summary,
};
pub use score::{ExpectationFlips, IntraClass, ScoreAgreement, ScoreFigure, ScoreReason};
pub use served::{Remark, Remarks, ServedVersion};
pub use slots::{
    Follows, SlotDifference, SlotEffect, SlotFlips, SlotPart, SlotParts, SlotRow, SlotShare,
    SlotsAndKeys, SlotsLeftOut,
};
pub use split::{Slice, Split, SplitClaim, SplitKind, SplitValue, Splits};
pub use verdict::{Rule, Verdict};
