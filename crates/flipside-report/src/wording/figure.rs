//! Figures in words.

use flipside_core::gate::{FLIP_SHARE, Population};
use flipside_core::perturb::Axis;
use flipside_core::summary::{
    Accuracy, CaseSummary, ClusterSigns, Control, Figure, Fit, Line, Mean, MorePairs, Rule, Verdict,
};

use super::number::{count, limit, p_value, percent, percent_apart, points, range};
use super::split::more_clusters;
use super::text::{foreign, list, plural};

/// A verdict in words: the word, and what follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The word with its claim; empty without a gate.
    pub word: String,
    /// Its reason and the counts that belong beside it.
    pub rest: String,
}

impl Said {
    /// The word and what follows it, as one text.
    pub fn text(&self) -> String {
        format!("{}{}", self.word, self.rest)
    }

    /// The same with `note` beside its counts.
    #[must_use]
    pub fn and(mut self, note: &str) -> Self {
        let comma = if self.text().is_empty() { "" } else { ", " };
        self.rest = [self.rest.as_str(), comma, note].concat();
        self
    }
}

/// Accepted answers of those given: `8/8 right`.
pub fn right(fit: &Fit) -> String {
    share(fit.right, fit.figure.pairs, "right")
}

/// Flips of the pairs that could be compared: `8/8 flipped`.
pub fn flipped(figure: &Figure) -> String {
    share(figure.flips.unwrap_or(0), figure.pairs, "flipped")
}

fn share(part: u64, whole: u64, word: &str) -> String {
    if whole == 0 {
        "0/0".to_owned()
    } else {
        format!("{}/{} {word}", count(part), count(whole))
    }
}

/// What the figure shows in general: the one-sided bound that has something to say.
///
/// For flips the lower bound where more than the limit flipped, the upper one otherwise. For fit the lower bound,
/// except where too few or none were right: there the upper one.
pub fn bound(figure: &Figure) -> String {
    if figure.pairs == 0 {
        return "nothing to compare".to_owned();
    }
    let (Some(lower), Some(upper)) = (figure.lower, figure.upper) else {
        // Over clusters no bound stays valid when asking stops by its flips.
        return "no bound".to_owned();
    };
    if figure.flips.is_some() && figure.rule == Rule::General {
        // A rule that stops early shows the limit, and its interval is wider than that.
        let shown = figure.limit.filter(|limit| match figure.verdict {
            Verdict::Stable => upper > *limit,
            Verdict::Noisy | Verdict::CauseOpen => lower <= *limit,
            ref word => word.is_sensitive() && lower <= *limit,
        });
        if let Some(shown) = shown {
            let words = if figure.verdict == Verdict::Stable {
                "at most"
            } else {
                "over"
            };
            return format!("{words} {} in general", percent(shown));
        }
    }
    // An upper bound of 1 says nothing.
    let at_least = if figure.flips.is_none() {
        let under = figure.verdict == Verdict::NotATask || lower <= 0.0;
        !under || upper >= 1.0
    } else {
        figure.rate > Some(figure.limit.unwrap_or(FLIP_SHARE))
            && (figure.limit.is_some() || upper >= 1.0)
    };
    let (words, value) = if at_least {
        ("at least", lower)
    } else {
        ("up to", upper)
    };
    let value = figure
        .limit
        .map_or_else(|| percent(value), |limit| percent_apart(value, limit));
    format!("{words} {value} in general")
}

/// What a bound on flips or its word claims: with the file as the population nothing in general.
pub fn claimed(text: String, population: Population) -> String {
    match (population, text.strip_suffix(" in general")) {
        (Population::File, Some(rest)) => format!("{rest} in this file"),
        _ => text,
    }
}

/// The gate's limit: `needs 80%` for fit, `limit 5%` for everything else; empty without a gate.
pub fn limit_of(figure: &Figure) -> String {
    let word = if figure.flips.is_none() {
        "needs"
    } else {
        "limit"
    };
    figure
        .limit
        .map(|share| format!("{word} {}", limit(share)))
        .unwrap_or_default()
}

/// The word on one variant of `axis`, its reason and its counts.
pub fn line_verdict(line: &Line, cases: &[CaseSummary], axis: &str, variant: &str) -> Said {
    let settle = line.more_pairs.and_then(more_pairs);
    let settle = settle.or_else(|| more_clusters(line.figure.clusters.as_ref()));
    said(
        &line.figure,
        settle,
        &line_notes(line, follows_says_something(cases, axis, variant)),
    )
}

/// The word on the control, its reason and its counts.
pub fn control_verdict(control: &Control) -> Said {
    let mut notes = Vec::new();
    if control.repeats > 1 {
        notes.push(format!("{} repeats of each case", count(control.repeats)));
    }
    // Of several repeats, only each one's own line says how many.
    let other_version = match control.by_repeat.values().next() {
        Some(line) if control.by_repeat.len() == 1 => line.other_version,
        _ => 0,
    };
    notes.extend(figure_notes(&control.figure, None, other_version));
    let settle = more_clusters(control.figure.clusters.as_ref());
    let said = said(&control.figure, settle, &notes);
    // The bound beside it says so already, and no word of the control is ever about the file alone.
    let word = said.word.trim_end_matches(" in general").to_owned();
    Said { word, ..said }
}

/// The word on fit, its reason, its counts, and what a fixed position would get.
pub fn fit_verdict(fit: &Fit) -> Said {
    let mut notes = figure_notes(&fit.figure, None, 0);
    let clean = fit.right == fit.figure.pairs && fit.figure.lower < fit.figure.limit;
    let shows = fit.clean_cases_needed.filter(|_| clean).map(|needed| {
        let units = match fit.figure.clusters {
            Some(_) => " clusters",
            None => "",
        };
        let needed = count(needed);
        format!("{needed} of {needed}{units} would show it")
    });
    let settle = (fit.figure.verdict == Verdict::FitInconclusive).then(|| {
        let more = || "more labelled cases would settle it".to_owned();
        shows.clone().unwrap_or_else(more)
    });
    if fit.figure.pairs > 0
        && let Some(baseline) = baseline(fit)
    {
        notes.push(baseline);
    }
    if fit.figure.verdict == Verdict::Fits
        && let Some(shows) = shows
    {
        notes.push(format!("{shows} in general"));
    }
    said(&fit.figure, settle, &notes)
}

/// What one fixed position would get, and whether that leaves fit with little to say.
pub fn baseline(fit: &Fit) -> Option<String> {
    let best = fit.position_baseline.as_ref()?;
    let got = format!("{}/{}", count(best.right), count(best.of));
    let always = match best.position {
        Some(place) => format!("position {} always would get {got}", u32::from(place) + 1),
        None => format!("one fixed position for each number of options would get {got}"),
    };
    Some(if fit.informative {
        always
    } else {
        format!("not informative: {always}")
    })
}

pub(super) fn said(figure: &Figure, settle: Option<String>, notes: &[String]) -> Said {
    let word = match figure.verdict {
        Verdict::NoGate => String::new(),
        Verdict::NotApplicable
        | Verdict::NotMeasured
        | Verdict::TooFewCases
        | Verdict::Undecided => figure.verdict.text().to_owned(),
        _ if figure.rule == Rule::General => format!("{} in general", figure.verdict.text()),
        _ => figure.verdict.text().to_owned(),
    };
    let reason = figure.reason.as_deref().map(foreign).or(settle);
    let notes = notes.join(", ");
    let rest = match (word.is_empty(), reason, notes.is_empty()) {
        (_, None, true) => String::new(),
        (true, None, false) => notes,
        (false, None, false) => format!(", {notes}"),
        (_, Some(reason), true) => format!(": {reason}"),
        (_, Some(reason), false) => format!(": {reason} ({notes})"),
    };
    Said { word, rest }
}

/// Further pairs that would settle an inconclusive verdict, as a sentence; `None` where no number of pairs is known to.
pub fn more_pairs(more: MorePairs) -> Option<String> {
    let pairs = |n| plural(n, "more pair", "more pairs");
    match (more.if_no_flip, more.if_same_rate) {
        (Some(clean), Some(same)) if clean != same => Some(format!(
            "about {} without a flip, or {} at this rate, would settle it",
            pairs(clean),
            count(same)
        )),
        (Some(clean), _) => Some(format!(
            "about {} without a flip would settle it",
            pairs(clean)
        )),
        (None, Some(same)) => Some(format!(
            "about {} at this rate would settle it",
            pairs(same)
        )),
        (None, None) => None,
    }
}

/// What stands beside a line's share under its own name. `follows`: whether following the position says something.
pub fn line_notes(line: &Line, follows: bool) -> Vec<String> {
    let flips = line.figure.flips.unwrap_or(0);
    let mut notes = Vec::new();
    if flips > 0 && follows {
        notes.push(format!(
            "{} of {} followed the position",
            count(line.position_following),
            count(flips)
        ));
    }
    if line.no_decision_flips > 0 {
        notes.push(format!(
            "{} to or from no decision",
            plural(line.no_decision_flips, "flip", "flips")
        ));
    }
    notes.extend(figure_notes(
        &line.figure,
        vacuous(line),
        line.other_version,
    ));
    if line.unreadable > 0 {
        notes.push(format!(
            "{} of the missing unreadable",
            count(line.unreadable)
        ));
    }
    notes
}

/// `other_version`: how many of the missing pairs are so because another model served the baseline.
pub(super) fn figure_notes(
    figure: &Figure,
    vacuous: Option<String>,
    other_version: u64,
) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(ties @ 1..) = figure.tie_flips {
        notes.push(format!("{} within a tie", plural(ties, "flip", "flips")));
    }
    let missing = match other_version {
        0 => "missing".to_owned(),
        n => format!("missing ({} across a change of the served model)", count(n)),
    };
    let named = [
        (figure.missing, missing.as_str()),
        (figure.unasked, "unasked"),
        (figure.no_decision, "without a decision"),
    ];
    notes.extend(
        named
            .iter()
            .filter(|(n, _)| *n > 0)
            .map(|(n, name)| format!("{} {name}", count(*n))),
    );
    if figure.vacuous > 0 {
        notes.push(vacuous.unwrap_or_else(|| format!("{} vacuous", count(figure.vacuous))));
    }
    notes
}

fn vacuous(line: &Line) -> Option<String> {
    let all = count(line.figure.vacuous);
    let reasons: Vec<_> = line.vacuous_reasons.iter().collect();
    match reasons[..] {
        [] => None,
        [(reason, _)] => Some(format!("{all} vacuous ({})", reason.text())),
        _ => {
            let each: Vec<String> = reasons
                .iter()
                .map(|(reason, n)| format!("{}: {}", count(**n), reason.text()))
                .collect();
            Some(format!("{all} vacuous ({})", list(&each)))
        }
    }
}

/// Whether some case that flipped in an order has three options or more; with two, reversing makes every flip follow the
/// position. Where nothing moves no flip can follow.
fn follows_says_something(cases: &[CaseSummary], axis: &str, variant: &str) -> bool {
    let flipped = |case: &CaseSummary| {
        case.asks.iter().any(|ask| {
            *ask.variant == *variant && ask.axis == Axis::Order && ask.flip == Some(true)
        })
    };
    axis == Axis::Order.name()
        && cases
            .iter()
            .any(|case| case.keys.len() > 2 && flipped(case))
}

/// The mean over cases of each case's share of accepted answers: `50.0% right`. It is not a fraction of asks.
pub fn mean_right(mean: &Mean) -> String {
    format!("{} right", percent(mean.value))
}

/// What the mean over cases is taken over: `8 cases and 16 asks`.
pub fn mean_over(mean: &Mean) -> String {
    let cases = plural(mean.cases, "case", "cases");
    format!("{cases} and {}", plural(mean.asks, "ask", "asks"))
}

/// What stands beside accuracy averaged over all orders: `mean over 8 cases and 16 asks (95% CI 20.1-79.9%)`.
pub fn averaged(mean: &Mean) -> String {
    let over = mean_over(mean);
    format!("mean over {over} (95% CI {})", range(mean.interval))
}

/// Whether the own order's accuracy differs from that of some order on the same cases: the interval of the paired
/// difference excludes 0. The interval of the average over orders cannot show that, because it pairs nothing.
pub fn own_order_differs<'a>(orders: impl IntoIterator<Item = &'a Line>) -> bool {
    let mut accuracies = orders.into_iter().filter_map(|line| line.accuracy.as_ref());
    accuracies.any(|accuracy| {
        let [lower, upper] = accuracy.difference_interval;
        lower > 0.0 || upper < 0.0
    })
}

/// Accuracy under a variant against the own order: `-100.0 points (95% CI -100.0 to -54.1), exact McNemar p 0.00781`.
pub fn mcnemar(accuracy: &Accuracy) -> String {
    let [lower, upper] = accuracy.difference_interval;
    format!(
        "{} points (95% CI {} to {}), exact {} p {}",
        points(accuracy.difference),
        points(lower),
        points(upper),
        paired_test(accuracy.clusters.as_ref()),
        p_value(accuracy.mcnemar_p),
    )
}

/// The name of the exact test of two properties of the same cases.
pub(super) fn paired_test(signs: Option<&ClusterSigns>) -> &'static str {
    signs.map_or("McNemar", |_| "sign test over clusters")
}

#[cfg(test)]
mod tests;
