//! The capability table: a row per run, a column per axis.

use flipside_core::capability::{CapabilityRow, Hardware, Told};
use flipside_core::perturb::Axis;

use super::text::{cell, row};
use crate::wording::{count, list, percent, plural, range};

/// What is said where a run says nothing.
const NOT_STATED: &str = "not stated";

/// The table of `rows`, by model, then date, then source, and what its cells are.
pub fn render_capability(rows: &[CapabilityRow]) -> String {
    let mut rows: Vec<&CapabilityRow> = rows.iter().collect();
    rows.sort_by(|a, b| {
        let key =
            |row: &CapabilityRow| (row.model.clone(), row.started.clone(), row.source.clone());
        key(a).cmp(&key(b))
    });
    let asked = |axis: &Axis| rows.iter().any(|row| row.axes.contains_key(axis.name()));
    let (axes, unasked): (Vec<Axis>, Vec<Axis>) = Axis::CHANGES.into_iter().partition(asked);
    let mut header: Vec<String> = ["model", "checkpoint", "hardware", "date", "cases", "fit"]
        .map(str::to_owned)
        .to_vec();
    header.extend(axes.iter().map(|axis| axis.name().to_owned()));
    header.extend(["same (noise)", "method", "asked"].map(str::to_owned));
    let mut out = row(&header);
    out += &row(&vec!["---".to_owned(); header.len()]);
    for each in rows {
        out += &row(&cells(each, &axes));
    }
    out.push('\n');
    out += "Shares are counts as each run stored them, with two-sided 95 % intervals. `fit` is right answers in the own order; every \
            axis is flips under its variant with the most, named first; `same` is the identical question asked again. No column is \
            part of another, and nothing is added up.\n";
    // Nobody asks on it: it is what two records are told apart by.
    let unasked: Vec<&str> = unasked
        .iter()
        .filter(|axis| **axis != Axis::Unrecorded)
        .map(|axis| axis.name())
        .collect();
    if !unasked.is_empty() {
        out += "\nAxes that no run here asked: ";
        out += &list(&unasked);
        out += ".\n";
    }
    out
}

fn cells(row: &CapabilityRow, axes: &[Axis]) -> Vec<String> {
    let checkpoint: Vec<String> = row.checkpoint.iter().map(|name| cell(name)).collect();
    let hardware = match &row.hardware {
        Hardware::Stated(text) => cell(text),
        Hardware::Served => "served, not stated".to_owned(),
        Hardware::Unknown => NOT_STATED.to_owned(),
    };
    let date = row
        .started
        .as_deref()
        .and_then(|started| started.split('T').next());
    let asked = match row.unfinished {
        None => "all".to_owned(),
        Some((recorded, planned)) => {
            format!("**incomplete**: {} of {}", count(recorded), count(planned))
        }
    };
    let mut cells = vec![
        model(row),
        if checkpoint.is_empty() {
            NOT_STATED.to_owned()
        } else {
            checkpoint.join(", ")
        },
        hardware,
        date.map_or_else(|| NOT_STATED.to_owned(), cell),
        count(row.cases),
        told(&row.fit),
    ];
    cells.extend(axes.iter().map(|axis| {
        row.axes
            .get(axis.name())
            .map_or_else(|| told(&Told::NotAsked), told)
    }));
    cells.extend([told(&row.control), count(u64::from(row.method)), asked]);
    cells
}

/// The model; where a record names none, the record.
fn model(row: &CapabilityRow) -> String {
    if row.model.is_empty() {
        format!("{NOT_STATED}, in {}", cell(&row.source))
    } else {
        cell(&row.model)
    }
}

/// A cell: `reverse: 12/12 (100.0%, 75.8-100.0%), worst of 4`, or why there is no share.
fn told(told: &Told) -> String {
    match told {
        Told::NotAsked => "not asked".to_owned(),
        Told::NotApplicable(why) => format!("not applicable: {why}"),
        Told::NotMeasured {
            missing,
            unasked,
            no_decision,
        } => {
            let parts = [
                (*missing, "missing"),
                (*unasked, "not made"),
                (*no_decision, "undecided"),
            ];
            format!("not measured: {}", lost(&parts))
        }
        Told::Share {
            variant,
            of_variants,
            count: hits,
            of,
            rate,
            interval,
            missing,
            unasked,
        } => {
            let name = variant.as_deref().map(|name| format!("{}: ", cell(name)));
            let interval = interval.map_or_else(|| "no interval".to_owned(), range);
            let share = format!(
                "{}{}/{} ({}, {interval})",
                name.unwrap_or_default(),
                count(*hits),
                count(*of),
                percent(*rate)
            );
            let several = *of_variants > 1;
            let worst = several.then(|| {
                let variants = plural(*of_variants, "variant", "variants");
                format!("worst of {variants}")
            });
            let lost = lost(&[(*missing, "missing"), (*unasked, "not made")]);
            let mut parts = vec![share];
            parts.extend(worst);
            parts.extend((!lost.is_empty()).then_some(lost));
            parts.join(", ")
        }
    }
}

/// Counts that are not 0, with their names.
fn lost(parts: &[(u64, &str)]) -> String {
    let told = parts.iter().filter(|(n, _)| *n > 0);
    told.map(|(n, name)| format!("{} {name}", count(*n)))
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use indexmap::IndexMap;

    use super::*;

    fn share(variant: Option<&str>, count: u64, of: u64, rate: f64) -> Told {
        Told::Share {
            variant: variant.map(str::to_owned),
            of_variants: 1,
            count,
            of,
            rate,
            interval: Some([0.25, 0.75]),
            missing: 0,
            unasked: 0,
        }
    }

    fn plain(model: &str, started: Option<&str>) -> CapabilityRow {
        CapabilityRow {
            source: "runs/a".to_owned(),
            model: model.to_owned(),
            checkpoint: Vec::new(),
            hardware: Hardware::Unknown,
            started: started.map(str::to_owned),
            cases: 12,
            fit: share(None, 6, 12, 0.5),
            axes: IndexMap::new(),
            control: Told::NotAsked,
            method: 1,
            unfinished: None,
        }
    }

    fn lines(rows: &[CapabilityRow]) -> Vec<String> {
        render_capability(rows).lines().map(str::to_owned).collect()
    }

    #[test]
    fn every_cell_says_what_it_is_or_why_it_is_not() {
        let mut one = plain("systemone:http://h/v1", Some("2026-11-30T10:00:00Z"));
        one.checkpoint = vec!["m-1".to_owned(), "m-2|x".to_owned()];
        one.hardware = Hardware::Served;
        one.unfinished = Some((9, 12_000));
        let worst = Told::Share {
            variant: Some("rotate:1".to_owned()),
            of_variants: 3,
            count: 10,
            of: 10,
            rate: 1.0,
            interval: None,
            missing: 2,
            unasked: 1,
        };
        one.axes = IndexMap::from([
            ("order".to_owned(), worst),
            ("drop".to_owned(), Told::NotApplicable("it changes no case")),
        ]);
        let open = Told::NotMeasured {
            missing: 3,
            unasked: 0,
            no_decision: 1,
        };
        one.control = open;
        assert_eq!(
            lines(&[one])[..3],
            [
                "| model | checkpoint | hardware | date | cases | fit | order | drop | same (noise) | method | asked |",
                "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
                "| systemone:http\\://h/v1 | m-1, m-2\\|x | served, not stated | 2026-11-30 | 12 | 6/12 (50.0%, 25.0-75.0%) | rotate:1: \
                 10/10 (100.0%, no interval), worst of 3 variants, 2 missing, 1 not made | not applicable: it changes no case | not \
                 measured: 3 missing, 1 undecided | 1 | **incomplete**: 9 of 12,000 |",
            ]
        );
    }

    #[test]
    fn rows_stand_by_model_and_date_whatever_they_say() {
        let mut better = plain("b", Some("2026-01-01T00:00:00Z"));
        better.fit = share(None, 12, 12, 1.0);
        let rows = [
            plain("b", Some("2026-01-02T00:00:00Z")),
            better,
            plain("a", Some("2027-01-01T00:00:00Z")),
            plain("a", None),
        ];
        let found: Vec<String> = lines(&rows)[2..6]
            .iter()
            .map(|line| line.split(" | ").take(4).collect::<Vec<_>>().join(","))
            .collect();
        assert_eq!(
            found,
            [
                "| a,not stated,not stated,not stated",
                "| a,not stated,not stated,2027-01-01",
                "| b,not stated,not stated,2026-01-01",
                "| b,not stated,not stated,2026-01-02",
            ]
        );
    }

    #[test]
    fn a_record_that_names_no_model_is_told_by_its_own_name() {
        let lines = lines(&[plain("", None)]);
        assert!(
            lines[2].starts_with("| not stated, in runs/a | not stated | "),
            "{}",
            lines[2]
        );
    }

    #[test]
    fn what_one_run_asked_the_others_did_not_and_what_none_asked_is_named() {
        let mut asked = plain("a", None);
        let keys = share(Some("abstract"), 1, 4, 0.25);
        asked.axes.insert("keys".to_owned(), keys);
        let lines = lines(&[asked, plain("b", None)]);
        assert!(
            lines[2].contains("| abstract: 1/4 (25.0%, 25.0-75.0%) |"),
            "{}",
            lines[2]
        );
        assert!(
            lines[3].contains("| not asked | not asked | 1 | all |"),
            "{}",
            lines[3]
        );
        assert_eq!(
            lines.last().unwrap(),
            "Axes that no run here asked: order, descriptions, phrasing, state-keys, whitespace, letter-case, drop, decoy, batch \
             and cross."
        );
    }
}
