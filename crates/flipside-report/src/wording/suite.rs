//! A fragility suite in words.

use flipside_core::suite::figures::{
    AnswerSource, FamilyRows, SuiteFigures, SuiteLatency, SuiteModel, SuiteReport, SuiteRows,
    SuiteShare,
};

use super::number::{count, duration_ms, percent};
use super::text::{foreign, list, name, plural};

/// The rows: how many, of how many base cases and families, and how many different requests they are.
pub fn suite_rows(rows: &SuiteRows) -> String {
    let requests = if rows.requests == rows.rows {
        String::new()
    } else {
        let requests = plural(rows.requests, "different request", "different requests");
        format!(", {requests}")
    };
    format!(
        "{}: {} of {} in {}{requests}",
        foreign(&rows.name),
        plural(rows.rows, "row", "rows"),
        plural(rows.bases, "base case", "base cases"),
        plural(rows.families.len() as u64, "family", "families"),
    )
}

/// A family as the heading of its figures.
pub fn suite_family(family: &str, rows: &FamilyRows) -> String {
    let bases = plural(rows.bases, "base case", "base cases");
    format!("{} ({bases})", name(family))
}

/// A model: how it was named, where its answers come from, and what is missing from them.
pub fn suite_model(model: &SuiteModel) -> String {
    let mut parts = vec![foreign(&model.name)];
    match &model.source {
        AnswerSource::Asked {
            requested,
            endpoint,
            served,
        } => {
            parts[0] += &endpoint
                .as_ref()
                .map(|endpoint| format!(" at {}", foreign(endpoint)))
                .unwrap_or_default();
            let requested = requested.as_ref().filter(|name| **name != model.name);
            parts.extend(requested.map(|name| format!("requested as {}", foreign(name))));
            if !served.is_empty() && *served != [model.name.as_str()] {
                let served: Vec<String> = served.iter().map(|name| foreign(name)).collect();
                parts.push(format!("served by {}", list(&served)));
            }
        }
        AnswerSource::Read { file, .. } if *file != model.name => {
            parts.push(format!("from {}", foreign(file)));
        }
        AnswerSource::Read { .. } => {}
    }
    let counts = &model.counts;
    let lost = [
        (counts.failed, "failed"),
        (
            counts.unasked,
            match model.source {
                AnswerSource::Asked { .. } => "not asked",
                AnswerSource::Read { .. } => "not answered",
            },
        ),
        (counts.no_decision, "without a decision"),
        (counts.tied, "tied"),
    ];
    let lost: Vec<String> = (lost.iter().filter(|(n, _)| *n > 0))
        .map(|(n, what)| format!("{} {what}", count(*n)))
        .collect();
    if !lost.is_empty() {
        let rows = plural(counts.rows, "row", "rows");
        parts.push(format!("{} of {rows}", list(&lost)));
    }
    parts.extend(model.stopped.as_deref().map(foreign));
    parts.join(", ")
}

/// A share in the parts of a cell: `54/240`, `22.5%` and `(17.6-28.2)`; without a denominator `0/0` alone.
pub fn suite_share(share: &SuiteShare) -> [String; 3] {
    let counts = format!("{}/{}", count(share.hits), count(share.of));
    let Some(rate) = share.rate else {
        return [counts, String::new(), String::new()];
    };
    let interval = share.interval.map(|ends| {
        let [lower, upper] = ends.map(|end| whole(end).trim_end_matches('%').to_owned());
        format!("({lower}-{upper})")
    });
    [counts, whole(rate), interval.unwrap_or_default()]
}

/// As [`percent`], but all of it is `100%`, which leaves three models room beside each other, and what lies halfway between two
/// tenths goes where the published card puts it, which rounds the fraction as it is in binary: 38 of 160 are 23.7%.
fn whole(share: f64) -> String {
    let rounded: f64 = format!("{share:.3}").parse().unwrap_or(share);
    let inside = rounded > 0.0 && rounded < 1.0;
    match percent(if inside { rounded } else { share }).as_str() {
        "100.0%" => "100%".to_owned(),
        other => other.to_owned(),
    }
}

/// Half of the answers took at most so long.
pub fn suite_latency(latency: &SuiteLatency) -> String {
    duration_ms(latency.median_ms)
}

/// What has to be known to read the figures, a sentence each.
pub fn suite_notes(report: &SuiteReport) -> Vec<String> {
    let mut notes = vec![
        "intervals are two-sided 95% over base cases, whose rows depend on each other; only where each base case counts once \
         are they Wilson's"
            .to_owned(),
        "answers are compared by what they mean, an option's place in its base case; where a model gives probabilities and names no \
         choice, as for scores, the largest decides, and of equal ones the lowest in the base case"
            .to_owned(),
    ];
    let Some(model) = report.models.first() else {
        return notes;
    };
    if let Some(all) = &model.all.order_with_vacuous {
        let vacuous = |(_, figures): &(&String, &SuiteFigures)| figures.order.vacuous > 0;
        let families = model.families.iter().filter(vacuous);
        let families: Vec<String> = families.map(|(family, _)| name(family)).collect();
        notes.push(format!(
            "{} of {} pairs of orders ({}) are one request twice and compare nothing; the published card has them in its \
             denominator",
            count(all.vacuous),
            count(model.all.order.share.of + pairs_lost(&model.all.order.share) + all.vacuous),
            list(&families)
        ));
    }
    notes.extend(report.models.iter().filter_map(two_answers));
    notes
}

fn pairs_lost(share: &SuiteShare) -> u64 {
    share.missing + share.unasked + share.no_decision
}

/// Whether one request was answered in two ways: then some flips are noise.
fn two_answers(model: &SuiteModel) -> Option<String> {
    let all = model.all.order_with_vacuous.as_ref()?;
    let noise = all.share.hits - model.all.order.share.hits;
    (noise > 0).then(|| {
        format!(
            "{} answered {} of {} repeated requests in two ways: so often it disagrees with itself, whatever is changed",
            foreign(&model.name),
            count(noise),
            count(all.vacuous)
        )
    })
}
