//! Flips asked once more, and adaptive asking, in words.

use flipside_core::course::Adaptive;
use flipside_core::preflight::{Expected, PreflightSequential};
use flipside_core::stats::sequential::Decision;
use flipside_core::summary::{Anchored, Confirmation, Sequential};

use super::axis::{changes, matter};
use super::figure::paired_test;
use super::number::{count, limit, p_value, percent, points, range};
use super::split::over_clusters;
use super::text::{foreign, list, plural};

/// How many flips came again when they were asked once more: `28/30 came again`.
pub fn again(found: &Confirmation) -> String {
    format!(
        "{}/{} came again",
        count(found.replicated),
        count(found.flips)
    )
}

/// What else became of them, and what that says about `axis`.
pub fn effect(found: &Confirmation, axis: &str) -> String {
    let named = [
        (found.swapped, "swapped"),
        (found.missing, "missing"),
        (found.unasked, "not asked"),
    ];
    let mut parts: Vec<String> = named
        .iter()
        .filter(|(n, name)| *n > 0 || *name == "swapped")
        .map(|(n, name)| format!("{} {name}", count(*n)))
        .collect();
    parts.push(format!(
        "exact test{} p {}",
        over_clusters(found.clusters.as_ref()),
        p_value(found.p)
    ));
    let interval = range(found.interval.map(|share| share.max(0.0)));
    let more = match found.replications_needed {
        Some(more @ 1..) if found.clusters.is_some() => format!(
            "; flips that come again in {} would show it",
            plural(more, "more cluster", "more clusters")
        ),
        Some(more @ 1..) => format!("; {} more that come again would show it", count(more)),
        _ => String::new(),
    };
    let (changes, cases) = (changes(axis), plural(found.cases, "case", "cases"));
    let share = match found.effect {
        Some(effect) => {
            let effect = percent(effect.max(0.0));
            format!("{changes} {effect} of {cases} (95% CI {interval})")
        }
        // An estimate would take what was not answered for what did not come again.
        None => format!("{changes} {interval} of {cases} (95% CI, whatever is missing)"),
    };
    format!("{}; {share}{more}", parts.join(", "))
}

/// In which variants flips were asked once more, and how large the axis's effect can be.
pub fn confirmed_where(found: &Confirmation) -> String {
    let each: Vec<String> = found
        .by_variant
        .iter()
        .map(|(name, flips)| format!("{} in {}", count(*flips), foreign(name)))
        .collect();
    let upper = percent(found.upper);
    format!("{}; at most {upper} of cases in general", list(&each))
}

/// Flips of a variant of `axis` beside those of the control, with the caution that belongs to their difference.
pub fn anchored(found: &Anchored, axis: &str) -> String {
    let [lower, upper] = found.interval.map(points);
    format!(
        "{} points (95% CI {lower} to {upper}), exact {} p {}; it can be 0 or less while {}",
        points(found.difference),
        paired_test(found.clusters.as_ref()),
        p_value(found.mcnemar_p),
        matter(&[axis])
    )
}

/// Flips of the control among the cases of [`anchored`].
pub fn beside_control(found: &Anchored) -> String {
    let [variant, same, of] = [found.variant_flips, found.same_flips, found.pairs].map(count);
    format!("{variant}/{of} flipped, control {same}/{of}")
}

/// Where adaptive asking stopped: `decided after 92 of 284 cases by the rule planned, 384 asks spared`.
///
/// `clustered`: whether it goes by clusters. `complete`: whether nothing is left to ask; else nothing was spared yet.
pub fn stopping(found: &Sequential, clustered: bool, complete: bool) -> String {
    let (one, several) = if clustered {
        ("cluster", "clusters")
    } else {
        ("case", "cases")
    };
    let units = format!(
        "{} of {}",
        count(found.observed),
        plural(found.units, one, several)
    );
    let decided = match found.decision {
        Decision::Stable | Decision::Sensitive => format!("decided after {units}"),
        Decision::Open => format!("not decided after {units}"),
    };
    let spared = match found.spared_asks {
        n if n == 0 || !complete => String::new(),
        n => format!(", {} spared", plural(n, "ask", "asks")),
    };
    let evidence = match (found.e_stable, found.e_sensitive) {
        (Some(stable), Some(sensitive)) => format!(
            "; evidence {stable:.3} for stable and {sensitive:.3} against, {:.0} decides",
            1.0 / found.alpha
        ),
        _ => String::new(),
    };
    format!(
        "{decided} by the rule `{}`{spared}{evidence}",
        found.rule.name()
    )
}

/// The interval at stopping, which holds whenever one stops.
pub fn at_stopping(found: &Sequential) -> Option<String> {
    let (rate, interval) = (found.rate_at_stopping?, found.interval?);
    Some(format!(
        "{} flipped at stopping, confidence sequence {} (the share is biased by the stopping)",
        percent(rate),
        range(interval)
    ))
}

/// What adaptive asking can reach, before anything is asked.
pub fn reach(found: &PreflightSequential) -> String {
    let units = plural(found.units, "case", "cases");
    let stable = match found.first_stable {
        Some(n) => format!("`stable` after {} without a flip at the earliest", count(n)),
        None => format!(
            "`stable` cannot be reached with {units} at a limit of {}",
            limit(found.limit)
        ),
    };
    let sensitive = match found.first_sensitive {
        Some(n) => format!("the opposite after {} that all flip", count(n)),
        None => "the opposite cannot be reached".to_owned(),
    };
    let budget = match found.rule {
        Adaptive::Planned => format!("at most {units}"),
        Adaptive::Open => format!("{units} so far, more may follow"),
    };
    format!(
        "rule `{}`, {budget}; {stable}, {sensitive}",
        found.rule.name()
    )
}

/// How adaptive asking would go at one true rate.
pub fn expected(found: &Expected) -> String {
    format!(
        "{:.1} cases on average; stable {}, sensitive {}, open {}",
        found.cases,
        percent(found.stable),
        percent(found.sensitive),
        percent(found.inconclusive)
    )
}

/// The true rate of an expectation, as a row's name.
pub fn at_rate(found: &Expected) -> String {
    format!("if {} flip", foreign(&limit(found.rate)))
}
