//! Files of suite rows, whoever wrote them.

use flipside_core::case::{Brought, Case, CaseId, KeyBinding, QuestionKind};
use flipside_core::order::OptionId;
use flipside_core::suite::{SuiteCase, SuiteRow};

use super::Problem;
use super::bases::is_base;
use super::group::{Crossing, Group, by_base, mark_vacuous};
use super::line::{Line, line};
use super::reading::{Reading, accepts, agreed, fitting_all};
use crate::cases::Source;
use crate::json::utf8;
use crate::read::{
    Error, Format, Input, Out, ReadOptions, Row, SourceFile, Warning, load, of_json, rows_of,
};

/// A suite as it was read.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The rows, in the order of the file.
    pub rows: Vec<SuiteCase>,
    /// The readings under which all rows of every base case accept the same option: one, or several that come to the same.
    pub readings: Vec<Reading>,
    /// The file.
    pub source: SourceFile,
    /// What was noticed; [`Warning::GoldRead`] says how gold answers were read, where that made a difference.
    pub warnings: Vec<Warning>,
}

/// Reads the rows of `input`.
///
/// ```
/// use flipside_formats::suite::read_suite;
///
/// let suite = read_suite(&"builtin:fragility".parse().unwrap()).unwrap();
/// assert_eq!(suite.rows.len(), 480);
/// assert_eq!(suite.rows[1].case.id.to_string(), "news-01/p0/forward/abstract");
/// ```
///
/// # Errors
/// Every [`Error`] of the rows, at most [`crate::read::MOST_ERRORS`] and then [`Error::More`]; if every row can be read alone,
/// every error of base cases.
pub fn read_suite(input: &Input) -> Result<Suite, Vec<Error>> {
    let file = input.to_string();
    let loaded = load(input).map_err(|error| vec![error])?;
    let text = utf8(&loaded.bytes).map_err(|error| vec![of_json(&file, 0, 0, error)])?;
    let mut out = Out::default();
    let rows = rows_of(&file, text, &mut out);
    let options = ReadOptions::default();
    let source = Source {
        file: &file,
        stem: &file,
        format: Format::Suite,
        options: &options,
        whole: out.error_count() == 0,
    };
    let found = read_rows(&rows, &source, &mut out);
    if out.error_count() == 0 && rows.is_empty() {
        out.error(Error::NoCase {
            file: file.clone(),
            failures: 0,
        });
    }
    if out.error_count() > 0 {
        out.sort_errors(0);
        return Err(out.into_errors());
    }
    let (rows, readings) = found.unwrap_or_default();
    Ok(Suite {
        source: SourceFile {
            name: file,
            format: Format::Suite,
            bytes: loaded.read_bytes,
            sha256: loaded.sha256,
            cases: rows.len(),
        },
        rows,
        readings,
        warnings: out.warnings,
    })
}

/// Reads rows as cases.
pub(crate) fn read_cases(rows: &[Row], source: &Source<'_>, out: &mut Out) {
    if let Some((rows, _)) = read_rows(rows, source, out) {
        out.cases.extend(rows.into_iter().map(|row| row.case));
    }
}

/// Rows and the readings that fit them; `None` if something is wrong, which `out` then says.
fn read_rows(
    rows: &[Row],
    source: &Source<'_>,
    out: &mut Out,
) -> Option<(Vec<SuiteCase>, Vec<Reading>)> {
    let told = out.error_count();
    let mut lines = Vec::new();
    for row in rows {
        if is_base(&row.object) {
            out.error(Problem::BaseFile.at(&row.at));
            return None;
        }
        match line(row, out) {
            Ok(line) => lines.push(line),
            Err(error) => out.error(error),
        }
    }
    // A row that cannot be read would be missed in its base case.
    if out.error_count() > told || !source.whole {
        return None;
    }
    mark_vacuous(&mut lines);
    let crossing = Crossing::of(&lines);
    let mut groups = Vec::new();
    for places in by_base(&lines) {
        let group = places.iter().map(|place| &lines[*place]).collect();
        match Group::new(group, &crossing) {
            Ok(group) => groups.push((places, group)),
            Err(errors) => errors.into_iter().for_each(|error| out.error(error)),
        }
    }
    if out.error_count() > told {
        return None;
    }
    let bases: Vec<&Group<'_>> = groups.iter().map(|(_, group)| group).collect();
    let readings = match fitting_all(&bases) {
        Ok(readings) => readings,
        Err(errors) => {
            for error in errors {
                out.error(error);
            }
            return None;
        }
    };
    if let Some(reading) = agreed(&readings) {
        out.warn(Warning::GoldRead {
            file: source.file.to_owned(),
            reading,
        });
    }
    let mut accept = vec![OptionId(0); lines.len()];
    for (places, group) in &groups {
        let id = accepts(group, readings[0]).expect("the reading fits every base case");
        for place in places {
            accept[*place] = id;
        }
    }
    let cases = lines.into_iter().zip(accept);
    let cases: Vec<SuiteCase> = cases
        .filter_map(|(line, accept)| suite_case(line, accept, source, out))
        .collect();
    Some((cases, readings))
}

/// The row as a case; `None` if its parts make none, which `out` then says.
fn suite_case(
    line: Line,
    accept: OptionId,
    source: &Source<'_>,
    out: &mut Out,
) -> Option<SuiteCase> {
    let canonical = line.canonical();
    let row = SuiteRow {
        base: line.base,
        family: line.family,
        phrasing: line.phrasing,
        order: line.order,
        keys: line.keys,
        canonical,
        accept,
        vacuous_order: line.vacuous,
    };
    let place = row.canonical.iter().position(|id| *id == accept);
    let place = place.and_then(|place| u16::try_from(place).ok());
    let mut fields = row.fields();
    fields.extend(line.fields);
    let case = Case {
        id: CaseId(row.id()),
        named: true,
        source: source.at_line(line.at.line),
        state: line.state,
        keys: match line.question.kind {
            QuestionKind::Score => KeyBinding::Place,
            QuestionKind::Choice | QuestionKind::Noul => KeyBinding::Option,
        },
        question: line.question.into(),
        options: line.options.into(),
        accept: place.map(OptionId).into_iter().collect(),
        position_dependent: None,
        note: None,
        fields: fields.into(),
        equal: Vec::new().into(),
        brought: Brought::default(),
    };
    let case = out.checked(case)?;
    Some(SuiteCase { case, row })
}
