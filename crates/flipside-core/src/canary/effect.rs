//! Whether order would show under keys that look like integers, were it not lost on the way.

use super::judge::Heard;
use crate::order::OptionId;

/// Steps of the reported numbers that an effect must be expected to move one by.
const STEPS: f64 = 3.0;
/// The coarsest step that is assumed: of numbers such as 1 and 0 nobody can tell how they were rounded.
const COARSEST: f64 = 0.01;
/// Decimals of the finest step; a 32-bit number holds no more.
const FINEST: i32 = 7;

/// Whether the effect of order on `plain` keys was so large that equal answers under `integers` are no chance; each in its own
/// order, then in another.
pub(super) fn misses_integers(plain: &[&Heard; 2], integers: &[&Heard; 2]) -> bool {
    expected_to_show(plain, integers).unwrap_or(false) || one_place(plain, integers)
}

/// Whether the change of log odds under plain keys would move a number under integers by more than rounding hides; `None` without
/// numbers.
///
/// A change d of the log odds of a share p moves p by about p (1 - p) d.
fn expected_to_show(plain: &[&Heard; 2], integers: &[&Heard; 2]) -> Option<bool> {
    let [own, turned] = [
        plain[0].probabilities.as_ref()?,
        plain[1].probabilities.as_ref()?,
    ];
    let under_integers = integers[0].probabilities.as_ref()?;
    let step = step(&own.iter().chain(turned).chain(under_integers));
    let odds = |p: f64| {
        let p = p.clamp(step / 2.0, 1.0 - step / 2.0);
        (p / (1.0 - p)).ln()
    };
    let rounded_away = |(a, b): (&f64, &f64)| {
        if (a - b).abs() > STEPS * step {
            (odds(*a) - odds(*b)).abs()
        } else {
            0.0
        }
    };
    let effect = own.iter().zip(turned).map(rounded_away).fold(0.0, f64::max);
    let room = under_integers
        .iter()
        .map(|p| p * (1.0 - p))
        .fold(0.0, f64::max);
    Some(room * effect > STEPS * step)
}

/// Whether one place was chosen in both orders of plain keys, and under integers the option that JavaScript lists in that place.
fn one_place(plain: &[&Heard; 2], integers: &[&Heard; 2]) -> bool {
    let place = |heard: &Heard| heard.question.turn.order().position_of(heard.choice?);
    let listed = |id: OptionId| {
        let keys = integers[0].question.content.keys();
        let key = keys.get(id.index())?;
        Some(keys.iter().filter(|other| *other < key).count())
    };
    let under_integers = integers[0].choice.and_then(listed);
    place(plain[0]).is_some_and(|chosen| {
        place(plain[1]) == Some(chosen) && under_integers == Some(usize::from(chosen.0))
    })
}

/// The step that reported numbers have in common.
fn step<'a>(numbers: &(impl Iterator<Item = &'a f64> + Clone)) -> f64 {
    let fits = |decimals: &i32| {
        let scale = 10_f64.powi(*decimals);
        let whole = |p: &f64| (p * scale - (p * scale).round()).abs() < 1e-6;
        numbers.clone().all(whole)
    };
    let decimals = (0..FINEST).find(fits).unwrap_or(FINEST);
    10_f64.powi(-decimals).min(COARSEST)
}

#[cfg(test)]
#[path = "effect_tests.rs"]
mod tests;
