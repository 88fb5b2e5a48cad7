//! The order study below the answer, in words.

use flipside_core::foreign::Foreign;
use flipside_core::invariance::{Changes, Invariance, Listed, Part, Refused, SlotBias, Spread};

use super::{count, plural};

/// One line of the study's table: what it says, and a cell for each model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyLine {
    /// What the line is about; a heading has no cells.
    pub name: String,
    /// A cell for each model.
    pub cells: Vec<String>,
}

/// The table of `models`, which were asked the same cases.
pub fn study(models: &[Invariance]) -> Vec<StudyLine> {
    let mut table = Table {
        models,
        lines: Vec::new(),
    };
    table.line("questions", |model| {
        let asked = model.questions;
        let parts = [
            (asked.choice, "choice", "choices"),
            (asked.score, "score", "scores"),
        ];
        let parts = parts.iter().filter(|(n, ..)| *n > 0);
        let words: Vec<String> = parts.map(|(n, one, many)| plural(*n, one, many)).collect();
        if words.is_empty() {
            "none".to_owned()
        } else {
            words.join(", ")
        }
    });
    table.some("not asked: statements, fixed order", |model| {
        (model.questions.noul > 0).then(|| count(model.questions.noul))
    });
    table.some("not asked: one option", |model| {
        (model.questions.single > 0).then(|| count(model.questions.single))
    });
    table.some("refused", |model| refused(&model.refused));
    table.line("computed in", |model| model.precision.clone());
    table.changes(|model| Some(&model.all));
    table.some("", |_| None);
    let mut sizes: Vec<u64> = models
        .iter()
        .flat_map(|model| model.by_options.iter().map(|row| row.options))
        .collect();
    sizes.sort_unstable();
    sizes.dedup();
    for size in sizes {
        table.heading(&format!("of {size} options"));
        table.changes(|model| {
            let row = model.by_options.iter().find(|row| row.options == size);
            row.map(|row| &row.changes)
        });
    }
    if models.iter().any(|model| !model.slots.is_empty()) {
        table.heading("equal texts in every slot: logits less their mean, first slot first");
        let mut sizes: Vec<u64> = models
            .iter()
            .flat_map(|model| model.slots.iter().map(|bias| bias.options))
            .collect();
        sizes.sort_unstable();
        sizes.dedup();
        for size in sizes {
            table.some(&format!("{size} slots"), |model| {
                let bias = model.slots.iter().find(|bias| bias.options == size)?;
                Some(slots(bias))
            });
        }
    }
    table.lines
}

struct Table<'a> {
    models: &'a [Invariance],
    lines: Vec<StudyLine>,
}

impl Table<'_> {
    fn heading(&mut self, name: &str) {
        self.lines.push(StudyLine {
            name: name.to_owned(),
            cells: Vec::new(),
        });
    }

    fn line(&mut self, name: &str, cell: impl Fn(&Invariance) -> String) {
        self.lines.push(StudyLine {
            name: name.to_owned(),
            cells: self.models.iter().map(cell).collect(),
        });
    }

    /// A line that is left out where no model has anything to say.
    fn some(&mut self, name: &str, cell: impl Fn(&Invariance) -> Option<String>) {
        let cells: Vec<Option<String>> = self.models.iter().map(cell).collect();
        if cells.iter().any(Option::is_some) {
            let cells = cells.into_iter();
            self.lines.push(StudyLine {
                name: name.to_owned(),
                cells: cells
                    .map(|cell| cell.unwrap_or_else(|| "-".to_owned()))
                    .collect(),
            });
        }
    }

    fn changes(&mut self, of: impl for<'m> Fn(&'m Invariance) -> Option<&'m Changes>) {
        self.heading("A. the list reversed, from the text on");
        self.some("  answers changed", |model| {
            of(model).map(|changes| changed(&changes.reverse, "question", "questions"))
        });
        self.some("  vectors bit-identical", |model| {
            of(model).map(|changes| {
                format!(
                    "{} of {}",
                    count(changes.identical_vectors),
                    count(changes.reverse.questions)
                )
            })
        });
        self.spread("  vectors moved", |model| {
            of(model)?.reverse_vectors.as_ref()
        });
        self.spread("  logits moved", |model| of(model)?.reverse.logits.as_ref());
        self.spread("  probabilities moved", |model| {
            of(model)?.reverse_probabilities.as_ref()
        });
        self.heading("B. other orders");
        self.some("  orders", |model| of(model).map(orders));
        self.some("  answers changed", |model| {
            of(model).map(|changes| changed(&changes.permutations, "order", "orders"))
        });
        self.spread("  logits moved", |model| {
            of(model)?.permutations.logits.as_ref()
        });
        self.heading("C. one option left out, logits of the others");
        self.spread("  moved", |model| of(model)?.leave_one_out.as_ref());
        self.heading("D. one neighbour exchanged, lists of the same size");
        self.spread("  moved", |model| of(model)?.swap.as_ref());
        self.some("  left out: other tokens were read", |model| {
            let cut = of(model)?.cut;
            (cut > 0).then(|| count(cut))
        });
    }

    fn spread(&mut self, name: &str, of: impl for<'m> Fn(&'m Invariance) -> Option<&'m Spread>) {
        self.some(name, |model| of(model).map(spread));
    }
}

fn changed(part: &Part, one: &str, many: &str) -> String {
    let text = format!(
        "{} of {}",
        count(part.changed),
        plural(part.orders, one, many)
    );
    if part.changed == 0 {
        return text;
    }
    format!("{text} ({})", listed(&part.changed_questions))
}

/// Ids that a cell lists.
const IDS: usize = 3;

fn listed(cases: &Listed) -> String {
    let ids: Vec<String> = cases
        .first
        .iter()
        .take(IDS)
        .map(|id| Foreign(id).cut(40))
        .collect();
    let more = cases.count - ids.len() as u64;
    let ids = ids.join(", ");
    if more == 0 {
        ids
    } else {
        format!("{ids}, {} more", count(more))
    }
}

fn refused(refused: &Refused) -> Option<String> {
    let reason = refused.reason.as_deref()?;
    Some(format!(
        "{} ({}): {}",
        plural(refused.cases.count, "question", "questions"),
        listed(&refused.cases),
        Foreign(reason).cut(120)
    ))
}

fn orders(changes: &Changes) -> String {
    let orders = changes.permutations.orders;
    let how = match changes.by_head {
        0 => "whole passes",
        head if head == orders => "at the head, from the vectors of one pass",
        _ => "some at the head, some whole passes",
    };
    let drawn = match changes.drawn {
        0 => String::new(),
        drawn => format!(", drawn for {}", plural(drawn, "question", "questions")),
    };
    format!(
        "{} of {}{drawn}; {how}",
        count(orders),
        plural(changes.permutations.questions, "question", "questions")
    )
}

fn spread(spread: &Spread) -> String {
    if spread.worst == 0.0 {
        return format!("0 in all {}", count(spread.values));
    }
    format!(
        "median {}, at most {} ({}), {} values",
        small(spread.median),
        small(spread.worst),
        Foreign(&spread.worst_case).cut(40),
        count(spread.values)
    )
}

fn slots(bias: &SlotBias) -> String {
    let logits: Vec<String> = bias.logits.iter().map(|logit| signed(*logit)).collect();
    logits.join(" ")
}

fn signed(value: f64) -> String {
    let text = format!("{value:+.2}");
    // What rounds to nothing has no sign.
    if text == "-0.00" {
        "+0.00".to_owned()
    } else {
        text
    }
}

/// Two significant digits, in exponent form below a thousandth.
pub fn small(value: f64) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else if value.abs() < 1e-3 {
        format!("{value:.1e}")
    } else if value.abs() < 0.1 {
        format!("{value:.3}")
    } else {
        format!("{value:.2}")
    }
}

/// What can be said of a model, in one sentence or two.
pub fn study_statement(model: &Invariance) -> String {
    let statement = &model.statement;
    let all = &model.all;
    if all.reverse.questions == 0 {
        return "nothing was studied".to_owned();
    }
    let step = format!(
        "logits moved by at most {}; rounding in {} may move them by {}",
        small(statement.moved),
        model.precision,
        small(statement.tolerance)
    );
    let composition = match statement.composition_over_order {
        None => String::new(),
        Some(times) if times >= 1.0 => format!(
            ". The median of leaving an option out is {} times that",
            count_of(times)
        ),
        Some(_) => ". The median of leaving an option out is no more than that".to_owned(),
    };
    let composition = match model.refused.cases.count {
        0 => composition,
        refused => format!(
            "{composition}. {} could not be asked, and nothing is said of {}",
            plural(refused, "question", "questions"),
            if refused == 1 { "it" } else { "them" }
        ),
    };
    if statement.invariant {
        format!(
            "numerically invariant in {}: no answer changed in {} and {}; {step}{composition}",
            model.precision,
            plural(all.reverse.questions, "reversal", "reversals"),
            plural(all.permutations.orders, "order", "orders"),
        )
    } else if all.reverse.changed + all.permutations.changed > 0 {
        format!(
            "not invariant: {} of {} and {} of {} changed the answer; {step}{composition}",
            count(all.reverse.changed),
            plural(all.reverse.questions, "reversal", "reversals"),
            count(all.permutations.changed),
            plural(all.permutations.orders, "order", "orders"),
        )
    } else {
        format!("not invariant, though no answer changed: {step}{composition}")
    }
}

/// A large ratio in whole numbers.
fn count_of(times: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a ratio from 1; what is larger than a count can hold is as good as endless"
    )]
    let whole = times.round() as u64;
    count(whole)
}
