//! A chart with its title, its text alternative and its data.

use maud::{Markup, html};

use super::svg::{self, px};

/// A chart.
#[derive(Clone, Debug)]
pub(super) struct Chart {
    /// Unique on the page.
    pub(super) id: String,
    pub(super) title: String,
    /// What it shows, in words: all that a reader who does not see it needs.
    pub(super) says: String,
    /// What stands in the picture.
    pub(super) picture: Markup,
    /// The picture's height in its own units.
    pub(super) height: f64,
    /// How to read the picture; empty where it speaks for itself.
    pub(super) legend: String,
    /// The figures.
    pub(super) table: Markup,
}

impl Chart {
    /// The chart as a figure of the page.
    pub(super) fn render(&self) -> Markup {
        let (title, says) = (format!("{}-t", self.id), format!("{}-d", self.id));
        html! {
            figure.chart id=(self.id) {
                figcaption { (self.title) }
                svg viewBox={ "0 0 " (px(svg::WIDTH)) " " (px(self.height)) } role="img" aria-labelledby={ (title) " " (says) } {
                    title id=(title) { (self.title) }
                    desc id=(says) { (self.says) }
                    (self.picture)
                }
                @if !self.legend.is_empty() { p.legend { (self.legend) } }
                details {
                    summary { "In words and numbers" }
                    p { (self.says) }
                    (scrolled(&self.title, &self.table))
                }
            }
        }
    }
}

/// What may be wider than the page, in a box that scrolls by keyboard too.
pub(super) fn scrolled(name: &str, inside: &Markup) -> Markup {
    html! { div.scroll role="group" aria-label={ "Table: " (name) } tabindex="0" { (inside) } }
}

/// A table with a head row.
pub(super) fn table(head: &[&str], rows: &Markup) -> Markup {
    html! {
        table {
            thead { tr { @for name in head { th scope="col" { (name) } } } }
            tbody { (rows) }
        }
    }
}
