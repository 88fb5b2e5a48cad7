//! Small parts of static SVG. Elements end in `{}`: a bare one would swallow what follows it.

use maud::{Markup, html};

/// Width of every chart, in its own units; narrow, so that letters stay large where the page is.
pub(super) const WIDTH: f64 = 420.0;

/// A scale from values to places.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// Where 0 stands.
    pub(super) from: f64,
    /// Where `most` stands.
    pub(super) to: f64,
    /// The value at the far end.
    pub(super) most: f64,
}

impl Scale {
    /// Where `value` stands; values beyond an end stand at it.
    pub(super) fn at(&self, value: f64) -> f64 {
        let part = (value / self.most).clamp(0.0, 1.0);
        self.from + part * (self.to - self.from)
    }
}

/// Ends of scales for shares.
const ENDS: [f64; 5] = [0.1, 0.2, 0.25, 0.5, 1.0];

/// The smallest good end of a scale of shares that holds `largest`.
pub(super) fn end(largest: f64) -> f64 {
    let fits = |end: &&f64| **end >= largest;
    ENDS.iter().find(fits).copied().unwrap_or(1.0)
}

/// A coordinate.
pub(super) fn px(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// What a sign stands for; its form says it without its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// A full circle: it holds.
    Held,
    /// A full diamond: it does not hold.
    Broken,
    /// An empty square: it is open.
    Open,
    /// An empty circle: nothing judges it.
    Plain,
    /// A triangle: the control.
    Control,
}

impl Sign {
    /// What the form is called in legends.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Held => "full circle: held",
            Self::Broken => "full diamond: not held",
            Self::Open => "empty square: open",
            Self::Plain => "empty circle: no gate",
            Self::Control => "triangle: control",
        }
    }

    fn class(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Broken => "broken",
            Self::Open => "open",
            Self::Plain => "plain",
            Self::Control => "control",
        }
    }
}

/// A sign at a place.
pub(super) fn sign(sign: Sign, x: f64, y: f64) -> Markup {
    let class = format!("sign {}", sign.class());
    let points = |all: [(f64, f64); 3]| {
        let each = all.map(|(dx, dy)| format!("{},{}", px(x + dx), px(y + dy)));
        each.join(" ")
    };
    match sign {
        Sign::Held | Sign::Plain => html! { circle class=(class) cx=(px(x)) cy=(px(y)) r="4.5" {} },
        Sign::Broken => html! {
            path class=(class) d={ "M" (px(x)) " " (px(y - 6.0)) "L" (px(x + 6.0)) " " (px(y)) "L" (px(x)) " " (px(y + 6.0)) "L" (px(x - 6.0)) " " (px(y)) "Z" } {}
        },
        Sign::Open => {
            html! { rect class=(class) x=(px(x - 4.0)) y=(px(y - 4.0)) width="8" height="8" {} }
        }
        Sign::Control => {
            html! { polygon class=(class) points=(points([(0.0, -5.5), (5.5, 4.5), (-5.5, 4.5)])) {} }
        }
    }
}

/// A straight line.
pub(super) fn line(class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) -> Markup {
    html! { line class=(class) x1=(px(x1)) y1=(px(y1)) x2=(px(x2)) y2=(px(y2)) {} }
}

/// A whisker between two values at one height, with ends.
pub(super) fn whisker(scale: &Scale, [lower, upper]: [f64; 2], y: f64) -> Markup {
    let (x1, x2) = (scale.at(lower), scale.at(upper));
    html! {
        (line("whisker", [x1, y], [x2, y]))
        (line("whisker", [x1, y - 3.5], [x1, y + 3.5]))
        (line("whisker", [x2, y - 3.5], [x2, y + 3.5]))
    }
}

/// A whisker that stands upright.
pub(super) fn upright(scale: &Scale, [lower, upper]: [f64; 2], x: f64) -> Markup {
    let (y1, y2) = (scale.at(lower), scale.at(upper));
    html! {
        (line("whisker", [x, y1], [x, y2]))
        (line("whisker", [x - 3.5, y1], [x + 3.5, y1]))
        (line("whisker", [x - 3.5, y2], [x + 3.5, y2]))
    }
}

/// Text that starts, ends or is centred at a place.
pub(super) fn text(anchor: &str, x: f64, y: f64, words: &str) -> Markup {
    html! { text text-anchor=(anchor) x=(px(x)) y=(px(y)) { (words) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_keeps_its_ends() {
        let scale = Scale {
            from: 10.0,
            to: 410.0,
            most: 0.5,
        };
        assert_eq!(px(scale.at(0.25)), "210");
        assert_eq!(
            (px(scale.at(0.0)), px(scale.at(0.9))),
            ("10".to_owned(), "410".to_owned())
        );
        assert_eq!((end(0.0), end(0.11), end(0.51)), (0.1, 0.2, 1.0));
    }

    #[test]
    fn every_sign_has_a_form_of_its_own() {
        let all = [
            Sign::Held,
            Sign::Broken,
            Sign::Open,
            Sign::Plain,
            Sign::Control,
        ];
        let mut forms: Vec<String> = all.map(|each| sign(each, 0.0, 0.0).into_string()).to_vec();
        forms.sort();
        forms.dedup();
        assert_eq!(forms.len(), 5);
        for form in forms {
            assert!(form.contains("></"), "an element that is closed: {form}");
        }
    }
}
