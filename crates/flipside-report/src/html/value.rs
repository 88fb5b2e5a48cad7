//! Figures in table cells: as they are read, exactly, and where in the summary they stand.

use flipside_core::drift_gate::digits;
use flipside_core::foreign::Foreign;
use maud::{Markup, html};
use serde::Serialize;

use crate::wording;

/// A place in the summary of one run, as a JSON pointer.
#[derive(Clone, Debug)]
pub(super) struct At {
    run: usize,
    pointer: String,
}

impl At {
    /// The summary of the run with this number, from 0.
    pub(super) fn run(run: usize) -> Self {
        Self {
            run,
            pointer: String::new(),
        }
    }

    /// The member `name` of what stands here.
    pub(super) fn of(&self, name: &str) -> Self {
        let escaped = name.replace('~', "~0").replace('/', "~1");
        Self {
            run: self.run,
            pointer: format!("{}/{escaped}", self.pointer),
        }
    }

    /// The item `place` of the list that stands here.
    pub(super) fn item(&self, place: usize) -> Self {
        self.of(&place.to_string())
    }

    /// As cells name it: the run, a colon, the pointer.
    pub(super) fn text(&self) -> String {
        // A name from outside may hold what must not stand on a page.
        format!("{}:{}", self.run, Foreign(&self.pointer))
    }
}

/// A cell with what stands at `at`, exactly, and as it is read.
pub(super) fn cell<T: Serialize + ?Sized>(at: &At, exact: &T, read: &str) -> Markup {
    let exact = serde_json::to_string(exact).expect("figures are JSON");
    html! { td.n data-of=(at.text()) data-value=(exact) { (read) } }
}

/// A count.
pub(super) fn count(at: &At, n: u64) -> Markup {
    cell(at, &n, &wording::count(n))
}

/// A count that may not exist.
pub(super) fn some_count(at: &At, n: Option<u64>) -> Markup {
    cell(at, &n, &n.map_or_else(none, wording::count))
}

/// A share.
pub(super) fn share(at: &At, share: Option<f64>) -> Markup {
    cell(at, &share, &share.map_or_else(none, wording::percent))
}

/// The interval of a share.
pub(super) fn interval(at: &At, ends: Option<[f64; 2]>) -> Markup {
    cell(at, &ends, &ends.map_or_else(none, wording::range))
}

/// A number with four significant digits.
pub(super) fn number(at: &At, value: Option<f64>) -> Markup {
    cell(at, &value, &value.map_or_else(none, digits))
}

/// The interval of such a number.
pub(super) fn ends(at: &At, ends: Option<[f64; 2]>) -> Markup {
    let read = ends.map_or_else(none, |[lower, upper]| {
        format!("{} to {}", digits(lower), digits(upper))
    });
    cell(at, &ends, &read)
}

/// A p value.
pub(super) fn p(at: &At, p: f64) -> Markup {
    cell(at, &p, &wording::p_value(p))
}

/// What stands where there is no figure.
fn none() -> String {
    "-".to_owned()
}
