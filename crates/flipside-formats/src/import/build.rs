//! What every importer builds with: cases of which little is on record, outcomes, and the recording at the end.

use std::collections::BTreeSet;
use std::sync::Arc;

use flipside_core::answer::Usage;
use flipside_core::case::{
    Brought, Case, CaseId, CaseOption, FieldValue, Key, KeyBinding, Parts, Question, QuestionKind,
    Source,
};
use flipside_core::compare::About;
use flipside_core::foreign::Foreign;
use flipside_core::json::{Json, Object};
use flipside_core::order::{OptionId, Order};
use flipside_core::present::Presentation;
use flipside_core::record::{Failed, FailedKind, Outcome};
use flipside_core::recorded::{BACKEND, Decision, Missing, QUESTION};
use flipside_core::shared::List;

use super::file::{File, done};
use super::listed::Orders;
use super::{Record, Recording};
use crate::cases::Sorted;
use crate::read::{Error, Out, Warning};

/// The name of a question of which no name is on record.
pub(super) const UNNAMED: &str = "pick";

/// What stands for a model that is not on record.
pub(super) const NO_MODEL: &str = "not recorded";

/// A case of which nothing is on record yet: no state, no option.
pub(super) fn bare(id: String, source: Source, question: &str, kind: QuestionKind) -> Case {
    Case {
        id: CaseId(id),
        named: true,
        source,
        state: Json::Null,
        question: Question {
            kind,
            name: question.to_owned(),
            instructions: None,
            before: Vec::new(),
            after: Vec::new(),
        }
        .into(),
        options: List::new(),
        keys: if kind == QuestionKind::Score {
            KeyBinding::Place
        } else {
            KeyBinding::Option
        },
        accept: List::new(),
        position_dependent: None,
        note: None,
        fields: List::new(),
        equal: List::new(),
        brought: Brought::default(),
    }
}

/// A decision of which neither request nor answer is on record.
pub(super) fn nothing(case: Case, why: String) -> Decision {
    Decision {
        case,
        outcome: None,
        others: Vec::new(),
        missing: vec![Missing::Request, Missing::Answer { why }],
    }
}

/// An option without a text.
pub(super) fn option(key: &str) -> CaseOption {
    CaseOption {
        key: Key(key.to_owned()),
        text: None,
    }
}

/// Adds the field `name` unless the case has one of that name.
pub(super) fn field(case: &mut Case, name: &str, value: FieldValue) {
    if case.field(name).is_none() {
        case.fields.push((name.to_owned(), value));
    }
}

/// Adds the fields by which every decision can be grouped: its backend, where known, and its question.
pub(super) fn origin(case: &mut Case, backend: Option<&str>) {
    if let Some(backend) = backend {
        field(case, BACKEND, FieldValue::Text(backend.to_owned()));
    }
    let question = FieldValue::Text(case.question.name.clone());
    field(case, QUESTION, question);
}

/// The identity of the option with this key.
pub(super) fn identity(options: &[CaseOption], key: &str) -> Option<OptionId> {
    let place = options.iter().position(|option| option.key.0 == key)?;
    u16::try_from(place).ok().map(OptionId)
}

/// What the System One answer object `given` comes to for `case` in its own order.
pub(super) fn outcome(case: &Case, given: &Object, model: Option<&str>) -> Outcome {
    let order = Order::own(case.options.len());
    let shown = Presentation::new(case, &order);
    match flipside_core::answer::object(&shown, given) {
        Ok(mut answer) => {
            answer.served_model = model.map(Arc::from);
            Outcome::Answered(answer)
        }
        Err(rejection) => Outcome::Failed(Failed::from(&rejection)),
    }
}

/// The failure that was recorded: a status where there is one, and what was said.
pub(super) fn failure(status: Option<u64>, said: Option<&Json>) -> Failed {
    let said = said.map(|said| match said {
        Json::String(text) => Foreign::line(text),
        other => Foreign::line(&other.to_text()),
    });
    let message = match (status, said) {
        (Some(status), Some(said)) => format!("status {status}: {said}"),
        (Some(status), None) => format!("status {status}"),
        (None, Some(said)) => said,
        (None, None) => "the record says that it failed, and not why".to_owned(),
    };
    let kind = if status.is_some() {
        FailedKind::Status
    } else {
        FailedKind::Unavailable
    };
    Failed {
        kind,
        message,
        unanswered: false,
    }
}

/// The failure of a reply that answers other questions than that of `case`.
pub(super) fn unanswered(case: &Case) -> Failed {
    let name = Foreign(&case.question.name);
    Failed {
        kind: FailedKind::Malformed,
        message: format!("the reply has no answer to `{name}`"),
        unanswered: false,
    }
}

/// What a `usage` says of tokens.
pub(super) fn tokens(usage: &Json) -> Usage {
    let count = |name: &str| match usage.as_object()?.get(name)? {
        Json::Number(number) => number.to_u64(),
        _ => None,
    };
    Usage {
        input_tokens: count("input_tokens"),
        output_tokens: count("output_tokens"),
        cached_tokens: None,
        cost_usd_picos: None,
    }
}

/// Decisions as they are gathered from one file.
pub(super) struct Gathered<'a> {
    file: &'a File<'a>,
    format: &'static str,
    pub(super) decisions: Vec<Decision>,
    /// The models that answered, as they are called on record.
    models: BTreeSet<String>,
    parts: Parts,
}

impl<'a> Gathered<'a> {
    pub(super) fn new(file: &'a File<'a>, format: &'static str) -> Self {
        Self {
            file,
            format,
            decisions: Vec::with_capacity(file.rows_at_most()),
            models: BTreeSet::new(),
            parts: Parts::default(),
        }
    }

    pub(super) fn model(&mut self, model: &str) {
        if !self.models.contains(model) {
            self.models.insert(model.to_owned());
        }
    }

    /// Takes a decision, if its parts make a case; one of which nothing is known has no option and is taken as it is.
    pub(super) fn take(&mut self, mut decision: Decision, out: &mut Out) {
        if !decision.case.options.is_empty() {
            let Some(case) = out.checked(decision.case) else {
                return;
            };
            decision.case = case;
        }
        // Lists that grew item by item have room for as many again, and there are many decisions.
        decision.others.shrink_to_fit();
        for ask in &mut decision.others {
            self.parts.share_ask(ask);
        }
        if let Some(outcome) = &mut decision.outcome {
            self.parts.share_answer(outcome);
        }
        self.decisions.push(decision);
    }

    /// The recording of requests, once all are read: only all of them tell whether their writer sorted keys, and then an order that
    /// was in the keys of an object (`unlisted` until here) is not on record unless `orders` has it.
    pub(super) fn of_requests(
        mut self,
        sorted: &Sorted,
        orders: &Orders<'_>,
        mut out: Out,
    ) -> Result<Recording, Vec<Error>> {
        done(&mut out)?;
        let sorted = sorted.all();
        if sorted {
            let file = self.file.name.to_owned();
            out.warn(Warning::SortedKeys { file });
        }
        for decision in &mut self.decisions {
            let keyed = std::mem::take(&mut decision.case.brought.unlisted);
            if sorted && keyed && !orders.list_decision(decision) {
                decision.case.brought.unlisted = true;
                decision.missing.push(Missing::Order);
            }
        }
        Ok(self.recording(out))
    }

    /// The recording of what was gathered.
    pub(super) fn recording(self, out: Out) -> Recording {
        let decisions = self.decisions;
        let (mut recorded, mut failed) = (0, 0);
        for decision in &decisions {
            let others = decision.others.iter().map(|ask| &ask.outcome);
            for outcome in decision.outcome.iter().chain(others) {
                recorded += 1;
                failed += u64::from(matches!(outcome, Outcome::Failed(_)));
            }
        }
        let served: Vec<String> = self.models.into_iter().collect();
        // Nothing where no model is on record.
        let model = served.join(", ");
        Recording {
            format: self.format.to_owned(),
            about: About {
                name: self.file.name.to_owned(),
                model,
                requested: None,
                endpoint: None,
                served,
                flipside: None,
                method: None,
                started: None,
                cases: decisions.len() as u64,
                planned: None,
                recorded,
                failed,
                complete: decisions.iter().all(|decision| decision.outcome.is_some()),
                stopped_by: None,
            },
            sources: vec![Record {
                name: self.file.name.to_owned(),
                sha256: self.file.sha256,
                decisions: decisions.len() as u64,
            }],
            decisions,
            margins: None,
            warnings: out.warnings,
        }
    }
}
