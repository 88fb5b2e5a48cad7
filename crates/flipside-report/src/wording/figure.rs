//! Figures in words.

use flipside_core::gate::{FLIP_SHARE, Population};
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
            Verdict::OrderSensitive | Verdict::Noisy | Verdict::CauseOpen => lower <= *limit,
            _ => false,
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

/// The word on one variant of an axis, its reason and its counts.
pub fn line_verdict(line: &Line, cases: &[CaseSummary], variant: &str) -> Said {
    let settle = line.more_pairs.and_then(more_pairs);
    let settle = settle.or_else(|| more_clusters(line.figure.clusters.as_ref()));
    said(
        &line.figure,
        settle,
        &line_notes(line, follows_says_something(cases, variant)),
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

fn said(figure: &Figure, settle: Option<String>, notes: &[String]) -> Said {
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
    notes
}

/// `other_version`: how many of the missing pairs are so because another model served the baseline.
fn figure_notes(figure: &Figure, vacuous: Option<String>, other_version: u64) -> Vec<String> {
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

/// Whether some case that flipped has three options or more; with two, reversing makes every flip follow the position.
fn follows_says_something(cases: &[CaseSummary], variant: &str) -> bool {
    let flipped = |case: &CaseSummary| {
        case.asks.iter().any(|ask| {
            *ask.variant == *variant && ask.axis.name() == "order" && ask.flip == Some(true)
        })
    };
    cases
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
mod tests {
    use super::*;
    use crate::example::{self, Builder, Reply, Variants};

    /// The control of eight cases of which `flips` flip.
    fn control(flips: usize) -> Figure {
        let shapes = example::labelled(8, &["a", "b", "c"]);
        let summary = Builder::new(shapes, &[Variants::Same(1)]).answered(|case, variant, _| {
            let other = usize::from(variant == "1" && case < flips);
            Reply::Chose(example::id((case + other) % 3), 0.9)
        });
        summary.control.unwrap().figure
    }

    #[test]
    fn without_a_limit_the_bound_that_says_something_is_printed() {
        assert_eq!(bound(&control(0)), "up to 31.2% in general");
        assert_eq!(bound(&control(3)), "up to 71.1% in general");
        assert_eq!(bound(&control(8)), "at least 68.8% in general");
    }

    #[test]
    fn over_the_limit_the_lower_bound_is_printed_and_within_it_the_upper_one() {
        let limited = |flips| {
            bound(&Figure {
                limit: Some(0.5),
                ..control(flips)
            })
        };
        assert_eq!(limited(4), "up to 80.7% in general");
        assert_eq!(limited(5), "at least 28.9% in general");
    }

    #[test]
    fn fit_that_fails_in_general_shows_the_bound_that_decided() {
        let mut fit = example::plain().fit;
        assert_eq!(bound(&fit.figure), "at least 68.8% in general");
        (fit.figure.rule, fit.figure.verdict) = (Rule::General, Verdict::NotATask);
        (fit.figure.rate, fit.figure.upper) = (Some(0.25), Some(0.6));
        assert_eq!(bound(&fit.figure), "up to 60.0% in general");
    }

    #[test]
    fn fit_that_fails_about_this_file_shows_how_far_it_can_reach() {
        let mut fit = example::plain().fit;
        (fit.figure.rule, fit.figure.verdict) = (Rule::File, Verdict::NotATask);
        (fit.figure.rate, fit.figure.lower) = (Some(0.5), Some(0.19));
        fit.figure.upper = Some(0.61);
        assert_eq!(bound(&fit.figure), "up to 61.0% in general");
        fit.figure.upper = Some(1.0);
        assert_eq!(
            bound(&fit.figure),
            "at least 19.0% in general",
            "an upper bound of 1 says nothing"
        );
    }

    #[test]
    fn fit_without_a_right_answer_shows_how_far_it_can_reach() {
        let mut fit = example::plain().fit;
        (fit.figure.rule, fit.figure.verdict) = (Rule::File, Verdict::TooFewCases);
        (fit.figure.rate, fit.figure.lower) = (Some(0.0), Some(0.0));
        fit.figure.upper = Some(0.631_6);
        assert_eq!(bound(&fit.figure), "up to 63.2% in general");
    }

    #[test]
    fn without_a_bound_over_clusters_a_share_is_still_compared() {
        let mut figure = control(3);
        (figure.lower, figure.upper) = (None, None);
        assert_eq!(bound(&figure), "no bound");
        figure.pairs = 0;
        assert_eq!(bound(&figure), "nothing to compare");
    }

    #[test]
    fn with_the_file_as_the_population_nothing_is_said_in_general() {
        let of = |population| claimed("stable in general".to_owned(), population);
        assert_eq!(of(Population::Traffic), "stable in general");
        assert_eq!(of(Population::File), "stable in this file");
        assert_eq!(claimed("quiet".to_owned(), Population::File), "quiet");
    }

    #[test]
    fn the_mean_over_cases_is_printed_without_a_fraction_of_asks() {
        let mean = Mean {
            value: 0.557,
            cases: 100,
            asks: 500,
            interval: [0.46, 0.65],
        };
        assert_eq!(mean_right(&mean), "55.7% right");
        assert_eq!(
            averaged(&mean),
            "mean over 100 cases and 500 asks (95% CI 46.0-65.0%)"
        );
    }

    #[test]
    fn the_own_order_differs_where_some_paired_difference_excludes_none() {
        let summary = example::first(&[Variants::Reverse, Variants::Rotate(1)]);
        let with = |intervals: [[f64; 2]; 2]| {
            let mut lines: Vec<Line> = summary.axes["order"].values().cloned().collect();
            for (line, interval) in lines.iter_mut().zip(intervals) {
                line.accuracy.as_mut().unwrap().difference_interval = interval;
            }
            own_order_differs(&lines)
        };
        assert!(!with([[-0.02, 0.02], [-0.1, 0.0]]));
        assert!(with([[-0.02, 0.02], [-0.1, -0.01]]));
        assert!(with([[0.01, 0.2], [-0.1, 0.1]]));
        assert!(!own_order_differs(&[]));
    }

    #[test]
    fn pairs_across_a_change_of_the_served_model_stand_beside_the_missing() {
        let mut summary = example::first(&[Variants::Reverse, Variants::Same(1)]);
        let line = &mut summary.axes["order"]["reverse"];
        line.figure.missing = 24;
        assert!(line_notes(line, false).contains(&"24 missing".to_owned()));
        line.other_version = 22;
        let noted = "24 missing (22 across a change of the served model)".to_owned();
        assert!(line_notes(line, false).contains(&noted));
        let control = summary.control.as_mut().unwrap();
        control.figure.missing = 24;
        control.by_repeat[0].other_version = 22;
        assert!(control_verdict(control).text().contains(&noted));
    }

    #[test]
    fn further_pairs_are_named_as_far_as_they_are_known() {
        let text = |if_no_flip, if_same_rate| {
            more_pairs(MorePairs {
                if_no_flip,
                if_same_rate,
            })
            .unwrap_or_default()
        };
        assert_eq!(
            text(Some(51), Some(51)),
            "about 51 more pairs without a flip would settle it"
        );
        assert_eq!(
            text(Some(1_700), None),
            "about 1700 more pairs without a flip would settle it"
        );
        assert_eq!(
            text(None, Some(12_000)),
            "about 12,000 more pairs at this rate would settle it"
        );
        assert_eq!(text(None, None), "");
    }
}
