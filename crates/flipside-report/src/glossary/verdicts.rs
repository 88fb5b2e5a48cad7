//! Words of gates.

use super::find::{Entry, Group, entry};

use Group::Verdicts;

pub(super) const ENTRIES: &[Entry] = &[
    entry(
        Verdicts,
        "verdict",
        &[],
        "What a gate says, in one word. Fit, each axis and the control have words of their own, and none is read for another.",
    ),
    entry(
        Verdicts,
        "held",
        &["not held"],
        "Whether the gate's limit was kept. Whatever is undecided, not measured or not applicable is not held.",
    ),
    entry(
        Verdicts,
        "limit",
        &["needs"],
        "The share that a gate allows at most, or for fit needs at least.",
    ),
    entry(
        Verdicts,
        "about this file",
        &["file"],
        "The gate compares the share in these cases with its limit, and claims nothing beyond them.",
    ),
    entry(
        Verdicts,
        "in general",
        &[
            "general", "strict", "traffic", "at least", "up to", "at most",
        ],
        "The gate speaks about the traffic that the cases stand for: it holds only when the one-sided exact 95 % bound does. `at least` and `up to` are those bounds; `--strict` asks for such gates.",
    ),
    entry(
        Verdicts,
        "fits",
        &["fit"],
        "Enough answers in the own order are accepted. `fit` is the share of right answers; it says nothing about order, and no order verdict says anything about it.",
    ),
    entry(
        Verdicts,
        "not a decision-model task",
        &[],
        "Too few answers in the own order are accepted for order to be worth measuring.",
    ),
    entry(
        Verdicts,
        "too few cases",
        &[],
        "Fewer labelled cases than the rule needs, eight unless set otherwise.",
    ),
    entry(
        Verdicts,
        "fit-inconclusive",
        &[],
        "In general: the bounds on the share of right answers lie on both sides of the limit.",
    ),
    entry(
        Verdicts,
        "not informative",
        &[],
        "One fixed position would pass the fit gate too, so that passing it says little.",
    ),
    entry(Verdicts, "stable", &[], "At most the limit flips."),
    entry(
        Verdicts,
        "order-sensitive",
        &[
            "sensitive",
            "keys-sensitive",
            "descriptions-sensitive",
            "phrasing-sensitive",
            "state-keys-sensitive",
            "whitespace-sensitive",
            "letter-case-sensitive",
            "drop-sensitive",
            "decoy-sensitive",
            "batch-sensitive",
            "cross-sensitive",
        ],
        "More than the limit flips on the axis, and asked once more the flips come again, more often than noise explains: the change drives answers.",
    ),
    entry(
        Verdicts,
        "noisy",
        &[],
        "More than the limit flips, and asked once more the flips show no more than noise: the model disagrees with itself.",
    ),
    entry(
        Verdicts,
        "cause open",
        &["open"],
        "More than the limit flips, and nothing tells yet whether the change or noise is the cause. Asking the flips once more does.",
    ),
    entry(
        Verdicts,
        "inconclusive",
        &[],
        "In general: the bounds lie on both sides of the limit. The report says how many more pairs would settle it.",
    ),
    entry(
        Verdicts,
        "undecided",
        &[],
        "Missing answers, or answers without a decision, leave it open.",
    ),
    entry(
        Verdicts,
        "not applicable",
        &[],
        "No variant changes a request of any case, so that there is nothing to flip.",
    ),
    entry(
        Verdicts,
        "not measured",
        &[],
        "Nothing was asked that could show it.",
    ),
    entry(
        Verdicts,
        "quiet",
        &[],
        "The control flips at most as often as its limit allows.",
    ),
    entry(
        Verdicts,
        "noisy backend",
        &[],
        "The control flips more often than its limit allows: the backend disagrees with itself.",
    ),
    entry(
        Verdicts,
        "noise-inconclusive",
        &[],
        "In general: the bounds on the control's flips lie on both sides of the limit.",
    ),
    entry(
        Verdicts,
        "within limit",
        &[],
        "Missing answers, or drift, are at most the limit.",
    ),
    entry(
        Verdicts,
        "over limit",
        &[],
        "Missing answers, or drift, are more than the limit.",
    ),
    entry(
        Verdicts,
        "no gate",
        &["none", "nothing was gated"],
        "No gate asks for a word: the figure is reported and not judged.",
    ),
    entry(
        Verdicts,
        "alpha",
        &[],
        "The error rate of every one-sided bound and test, 5 % unless set.",
    ),
    entry(
        Verdicts,
        "stopping",
        &["planned", "certify", "adaptive"],
        "Where asking case by case ended: as soon as the rule decides the gate in general. The share when it stopped is biased by stopping; the interval is the confidence sequence, which is not.",
    ),
];
