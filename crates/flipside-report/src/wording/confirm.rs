//! Flips asked once more, and adaptive asking, in words.

use flipside_core::course::Adaptive;
use flipside_core::preflight::{Expected, PreflightSequential};
use flipside_core::stats::sequential::Decision;
use flipside_core::summary::{Anchored, Confirmation, Sequential};

use super::number::{count, limit, p_value, percent, points, range};
use super::text::{foreign, plural};

/// What became of flips that were asked once more: `28 of 30 came again, 0 swapped`.
pub fn again(found: &Confirmation) -> String {
    if found.replicated == found.flips {
        return "all came again".to_owned();
    }
    let (replicated, flips) = (count(found.replicated), count(found.flips));
    let mut parts = vec![format!("{replicated} of {flips} came again")];
    let named = [
        (found.swapped, "swapped"),
        (found.missing, "missing"),
        (found.unasked, "not asked"),
    ];
    let named = named.iter().filter(|(n, _)| *n > 0);
    parts.extend(named.map(|(n, name)| format!("{} {name}", count(*n))));
    parts.join(", ")
}

/// The confirmed effect of the order with its interval and test.
pub fn effect(found: &Confirmation) -> String {
    let [lower, upper] = found.interval.map(points);
    format!(
        "{} of pairs flip for the order (95% CI {lower} to {upper}), up to {} in general, exact test p {}",
        percent(found.effect.max(0.0)),
        percent(found.upper),
        p_value(found.p)
    )
}

/// Flips of an order beside those of the control, with the caution that belongs to their difference.
pub fn anchored(found: &Anchored) -> String {
    let [lower, upper] = found.interval.map(points);
    format!(
        "{} points (95% CI {lower} to {upper}), exact McNemar p {}; it can be 0 or less while order matters",
        points(found.difference),
        p_value(found.mcnemar_p)
    )
}

/// Flips of the control among the cases of [`anchored`].
pub fn beside_control(found: &Anchored) -> String {
    let [order, same, of] = [found.order_flips, found.same_flips, found.pairs].map(count);
    format!("{order}/{of} flipped, control {same}/{of}")
}

/// Where adaptive asking stopped: `stopped after 92 of 284 cases, 192 were spared`.
pub fn stopping(found: &Sequential) -> String {
    let units = format!(
        "{} of {}",
        count(found.observed),
        plural(found.units, "case", "cases")
    );
    let decided = match found.decision {
        Decision::Stable | Decision::Sensitive => format!("decided after {units}"),
        Decision::Open => format!("not decided after {units}"),
    };
    let spared = match found.spared_asks {
        0 => String::new(),
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
