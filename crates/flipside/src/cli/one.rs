//! One choice asked of one model: what `flipside decide` and the tool `decide` share.

use std::sync::Arc;

use flipside_core::case::{
    Brought, Case, CaseError, CaseId, CaseOption, Key, KeyBinding, Question, QuestionKind, Source,
};
use flipside_core::gate::Gates;
use flipside_core::json::{Json, Object};
use flipside_core::model::Model;
use flipside_core::order::OptionId;
use flipside_core::perturb::Axis;
use flipside_core::plan::{self, Plan, PlanInput};
use flipside_engine::Signals;
use flipside_models::env::Environment;

use crate::cli::ask::{Asked1, Asking};
use crate::cli::canary::Wanted;
use crate::cli::lists::lists;
use crate::diagnostic::Diagnostic;
use crate::settings::{Models, Orders};

/// A choice that comes from no file.
pub(crate) struct Choice {
    pub(crate) id: String,
    /// Whether somebody gave it that id.
    pub(crate) named: bool,
    pub(crate) format: &'static str,
    pub(crate) file: &'static str,
    pub(crate) line: u64,
    pub(crate) state: Json,
    /// Keys and texts, in the order in which the model sees them.
    pub(crate) options: Vec<(String, Option<String>)>,
    pub(crate) rules: String,
    pub(crate) accept: Vec<OptionId>,
}

impl Choice {
    /// The case that it is.
    ///
    /// # Errors
    /// What is wrong with its options.
    pub(crate) fn case(self) -> Result<Case, CaseError> {
        let rules = ("rules".to_owned(), Json::String(self.rules));
        let option = |(key, text)| CaseOption {
            key: Key(key),
            text: Option::map(text, Json::String),
        };
        let case = Case {
            id: CaseId(self.id),
            source: Source {
                format: self.format.to_owned().into(),
                file: self.file.to_owned().into(),
                line: self.line,
            },
            state: self.state,
            question: Question {
                kind: QuestionKind::Choice,
                name: "pick".to_owned(),
                instructions: Some(Json::Object(Object::new(vec![rules]).expect("one member"))),
                before: Vec::new(),
                after: Vec::new(),
            }
            .into(),
            options: self.options.into_iter().map(option).collect(),
            keys: KeyBinding::Option,
            accept: self.accept.into(),
            named: self.named,
            position_dependent: None,
            note: None,
            fields: Vec::new().into(),
            equal: Vec::new().into(),
            brought: Brought::default(),
        };
        case.checked()
    }
}

/// One case, planned for one model.
pub(crate) struct One {
    model: Arc<dyn Model>,
    plan: Plan,
}

impl One {
    /// Reads the orders that are in files, builds the first of `models` and plans every ask.
    ///
    /// # Errors
    /// Whatever is wrong with any of them.
    pub(crate) fn new(
        case: Case,
        orders: &Orders,
        models: &Models,
        environment: &Environment,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut errors = Vec::new();
        let lists = lists(&orders.specs, &mut errors);
        if !errors.is_empty() {
            return Err(errors);
        }
        let model = crate::build(models, orders.seed, environment)?.remove(0);
        let input = PlanInput {
            orders: &orders.specs,
            seed: orders.seed,
            max_orders: orders.most,
            lists: &lists,
            axes: &[],
            key_lists: &[],
            cross: None,
        };
        let plan = plan::distinct(vec![case])
            .and_then(|distinct| Plan::build(&distinct, &input, model.as_ref()))
            .map_err(|errors| errors.iter().map(Diagnostic::new).collect::<Vec<_>>())?;
        Ok(Self { model, plan })
    }

    /// The case.
    pub(crate) fn case(&self) -> &Case {
        &self.plan.cases[0]
    }

    /// Requests that the planned asks need.
    pub(crate) fn requests(&self) -> u64 {
        let slots = 0..self.plan.asks.len();
        slots.filter(|slot| self.plan.sends(*slot)).count() as u64
    }

    /// The most requests that confirm a flip: both orders once more, where another order is asked at all.
    pub(crate) fn confirming(&self) -> u64 {
        let order = |slot: &usize| {
            let variant = self.plan.asks[*slot].variant as usize;
            self.plan.variants[variant].axis == Axis::Order && self.plan.sends(*slot)
        };
        let mut orders = (0..self.plan.asks.len()).filter(order);
        if orders.next().is_some() { 2 } else { 0 }
    }

    /// Asks; `again` is the command that asks once more, empty where a caller has none.
    ///
    /// # Errors
    /// A plan that cannot be gone on with.
    pub(crate) async fn ask(
        &self,
        models: &Models,
        gates: &Gates,
        again: String,
        signals: &Signals,
    ) -> Result<Asked1, Diagnostic> {
        let asking = Asking {
            plan: &self.plan,
            model: self.model.as_ref(),
            models,
            gates,
            threshold: None,
            recordings: &[],
            folder: None,
            canary: Wanted::NoQuestion,
            quiet: false,
            again,
        };
        asking.run(signals).await
    }
}
