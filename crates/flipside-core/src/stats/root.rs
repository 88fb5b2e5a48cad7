//! The one root finder: bisection to the last bit, for curves whose end points need care.

/// Where `holds` turns from true to false between `yes` and `no`, to the last representable step.
///
/// `holds(yes)` is taken for true and `holds(no)` for false; neither end is evaluated, so a curve may be undefined there.
/// Returns the last point at which it still holds, or `yes` if there is none.
pub(in crate::stats) fn boundary(yes: f64, no: f64, mut holds: impl FnMut(f64) -> bool) -> f64 {
    let (mut inside, mut outside) = (yes, no);
    for _ in 0..STEPS {
        let middle = inside + (outside - inside) / 2.0;
        if middle <= inside.min(outside) || middle >= inside.max(outside) {
            break;
        }
        if holds(middle) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    inside
}

/// Enough for a bracket of width 1 to close on any bound above 1e-40.
const STEPS: u32 = 190;
