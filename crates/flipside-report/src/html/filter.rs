//! Filters without script: a choice in a list hides what has not its class, by style rules alone.

use std::fmt::Write as _;

use maud::{Markup, html};

/// Values of one kind that are offered; of more a filter would be no help.
const VALUES: usize = 60;

/// What the entries of a list can be filtered by.
#[derive(Clone, Debug, Default)]
pub(super) struct Filters {
    kinds: Vec<Kind>,
}

/// One thing to filter by.
#[derive(Clone, Debug)]
struct Kind {
    name: String,
    values: Vec<String>,
}

impl Filters {
    /// The class of an entry whose `name` is `value`.
    pub(super) fn class(&mut self, name: &str, value: &str) -> String {
        let kind = place(
            &mut self.kinds,
            |kind| kind.name == name,
            || Kind {
                name: name.to_owned(),
                values: Vec::new(),
            },
        );
        let values = &mut self.kinds[kind].values;
        let value = place(values, |known| known == value, || value.to_owned());
        format!("f{kind}v{value}")
    }

    /// The things that can be told apart: those with two values or more, and not too many.
    fn offered(&self) -> impl Iterator<Item = (usize, &Kind)> {
        let kinds = self.kinds.iter().enumerate();
        kinds.filter(|(_, kind)| (2..=VALUES).contains(&kind.values.len()))
    }

    /// The style rules for entries in the element `id`.
    pub(super) fn rules(&self, id: &str) -> String {
        let mut rules = String::new();
        for (kind, found) in self.offered() {
            for value in 0..found.values.len() {
                let class = format!("f{kind}v{value}");
                let _ = writeln!(
                    rules,
                    "#{id}:has(option.{class}:checked) .flip:not(.{class}){{display:none}}"
                );
            }
        }
        rules
    }

    /// The lists to choose from, called `name`; nothing where there is nothing to tell apart.
    pub(super) fn render(&self, id: &str, name: &str) -> Markup {
        let all: Vec<_> = self.offered().collect();
        html! {
            @if !all.is_empty() {
                form.filters aria-label=(name) {
                    @for (kind, found) in all {
                        @let select = format!("{id}-f{kind}");
                        label for=(select) { bdi { (found.name) } }
                        select id=(select) autocomplete="off" {
                            option { "all" }
                            @for (place, value) in found.values.iter().enumerate() {
                                option class={ "f" (kind) "v" (place) } { (value) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Where `list` has what `is` it; `make` puts it at the end otherwise.
fn place<T>(list: &mut Vec<T>, is: impl Fn(&T) -> bool, make: impl FnOnce() -> T) -> usize {
    if let Some(place) = list.iter().position(is) {
        place
    } else {
        list.push(make());
        list.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_a_class_and_a_rule_that_hides_the_others() {
        let mut filters = Filters::default();
        assert_eq!(filters.class("change", "reverse"), "f0v0");
        assert_eq!(filters.class("options", "3"), "f1v0");
        assert_eq!(filters.class("change", "rotate:1"), "f0v1");
        assert_eq!(filters.class("change", "reverse"), "f0v0");
        assert_eq!(
            filters.rules("r1-list"),
            "#r1-list:has(option.f0v0:checked) .flip:not(.f0v0){display:none}\n\
             #r1-list:has(option.f0v1:checked) .flip:not(.f0v1){display:none}\n"
        );
        let page = filters.render("r1-list", "show only").into_string();
        assert!(
            page.contains("<option class=\"f0v1\">rotate:1</option>"),
            "{page}"
        );
        assert!(
            !page.contains("options"),
            "one value tells nothing apart: {page}"
        );
    }

    #[test]
    fn too_many_values_are_not_offered() {
        let mut filters = Filters::default();
        for value in 0..=VALUES {
            filters.class("field", &value.to_string());
        }
        assert_eq!(filters.rules("x"), "");
        assert_eq!(filters.render("x", "y").into_string(), "");
    }
}
