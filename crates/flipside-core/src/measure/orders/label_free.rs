//! What agreement between orders and confidence bound where nobody says which options are right.

use crate::answer::confidence;
use crate::measure::mean::average;
use crate::measure::orders::agreement::counted;
use crate::measure::orders::{CaseOrders, View, range};
use crate::stats::calibration;
use crate::summary::LabelFreeBounds;

/// Bounds from agreement and confidence alone, for cases that accept one option.
pub(super) fn label_free(view: &View<'_>) -> LabelFreeBounds {
    let mut found = LabelFreeBounds {
        cases: 0,
        orders: None,
        accuracy_ceiling: None,
        mean_confidence: None,
        overconfidence_at_least: None,
        reason: None,
    };
    if view.several_accepted() {
        found.reason = Some("a case accepts several options".to_owned());
        return found;
    }
    let mut rows: Vec<(f64, f64, u64)> = view.cases.iter().filter_map(agreed).collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    found.cases = rows.len() as u64;
    found.orders = range(rows.iter().map(|(_, _, answers)| *answers));
    let modal: Vec<f64> = rows.iter().map(|(modal, _, _)| *modal).collect();
    let sure: Vec<f64> = rows.iter().map(|(_, sure, _)| *sure).collect();
    let Ok(bounds) = calibration::label_free(&modal, &sure) else {
        found.reason = Some("no case has two answers with probabilities".to_owned());
        return found;
    };
    found.accuracy_ceiling = Some(bounds.accuracy_ceiling);
    found.mean_confidence = average(&sure);
    found.overconfidence_at_least = Some(bounds.overconfidence_at_least);
    found
}

/// A case's modal share, its mean confidence and its answers, if there are two or more and all have probabilities.
fn agreed(case: &CaseOrders<'_>) -> Option<(f64, f64, u64)> {
    let answered = case.asks.iter().filter_map(|ask| ask.answer);
    let mut sure: Vec<f64> = answered
        .map(|answer| Some(confidence(answer.probabilities.as_ref()?)?.top.min(1.0)))
        .collect::<Option<_>>()?;
    if sure.len() < 2 {
        return None;
    }
    sure.sort_by(f64::total_cmp);
    let counted = counted(case);
    Some((counted.modal_share()?, average(&sure)?, counted.answers))
}
