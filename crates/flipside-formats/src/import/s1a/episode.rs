//! `episode.json`: what was decided, and what stood before the model.

use std::collections::BTreeMap;

use flipside_core::json::{Json, Object};

use crate::cases::Fields;
use crate::read::{At, Error};

/// An episode as it was written.
pub(super) struct Episode<'a> {
    pub(super) ticks: Vec<Tick<'a>>,
    pub(super) views: Vec<View<'a>>,
    /// The expected answer by ticket, where the agent knows it.
    pub(super) expected: BTreeMap<&'a str, &'a str>,
    /// What the episode was seeded by.
    pub(super) seed: Option<&'a Json>,
}

/// One decision.
pub(super) struct Tick<'a> {
    pub(super) step: u64,
    /// The key that was chosen; `None` for a decision that failed.
    pub(super) key: Option<&'a str>,
    /// Why it failed, where the record says so.
    pub(super) error: Option<&'a str>,
    /// Probabilities by key; empty where the backend has none.
    pub(super) probabilities: &'a [(String, Json)],
    pub(super) confidence: Option<&'a Json>,
    /// Whether a plan text stood in the state.
    pub(super) plan: bool,
    /// Whether notices stood in the state.
    pub(super) notices: bool,
    pub(super) blocked: Vec<&'a str>,
    /// The policy that decided.
    pub(super) source: Option<&'a str>,
    /// Whether the act was accepted, where the record says so.
    pub(super) accepted: Option<bool>,
    /// The model that served, as it calls itself.
    pub(super) served_by: Option<&'a str>,
}

/// What stood before the model.
pub(super) struct View<'a> {
    pub(super) state: &'a Json,
    pub(super) candidates: &'a [(String, Json)],
}

impl View<'_> {
    /// Places of the candidates that are offered when those in `blocked` are withheld: all of them if none would be left.
    pub(super) fn offered(&self, blocked: &[&str]) -> Vec<usize> {
        let all = 0..self.candidates.len();
        let kept = |place: &usize| !blocked.contains(&self.candidates[*place].0.as_str());
        let offered: Vec<usize> = all.clone().filter(kept).collect();
        if offered.is_empty() {
            all.collect()
        } else {
            offered
        }
    }
}

impl Tick<'_> {
    /// Whether the tick can have stood at `view`: it gives a probability to exactly what that offers. Without probabilities, it
    /// can have stood at any that offers something.
    pub(super) fn fits(&self, view: &View<'_>) -> bool {
        let offered = view.offered(&self.blocked);
        if self.probabilities.is_empty() {
            return !offered.is_empty();
        }
        let has = |place: &usize| {
            let key = &view.candidates[*place].0;
            self.probabilities.iter().any(|(given, _)| given == key)
        };
        offered.len() == self.probabilities.len() && offered.iter().all(has)
    }

    /// Whether its act can have been accepted at `view`.
    pub(super) fn may_be_accepted(&self, view: &View<'_>) -> bool {
        let offers = |key: &str| {
            let offered = view.offered(&self.blocked);
            offered.iter().any(|place| view.candidates[*place].0 == key)
        };
        self.accepted != Some(false) && self.key.is_some_and(offers)
    }

    pub(super) fn may_be_refused(&self) -> bool {
        self.accepted != Some(true)
    }
}

impl<'a> Episode<'a> {
    pub(super) fn of(at: &'a At, object: &'a Object) -> Result<Self, Error> {
        let own = Fields::inside(at, "", object);
        let help = "an episode has `decisions` and `views`";
        let mut ticks: Vec<Tick<'a>> = Vec::new();
        for (place, (path, object)) in listed(own, object, "decisions", help)?
            .into_iter()
            .enumerate()
        {
            let tick = tick(Fields::inside(at, &path, object), object, place)?;
            if ticks.iter().any(|other| other.step == tick.step) {
                let expected = "a step that no other decision has";
                let found = object.get("step").unwrap_or(&Json::Null);
                return Err(Fields::inside(at, &path, object).value_error("step", found, expected));
            }
            ticks.push(tick);
        }
        let mut views = Vec::new();
        for (path, object) in listed(own, object, "views", help)? {
            views.push(view(Fields::inside(at, &path, object), object)?);
        }
        let mut episode = Self {
            ticks,
            views,
            expected: BTreeMap::new(),
            seed: None,
        };
        let extra = own.get("extra").and_then(Json::as_object);
        if let Some(router) = extra.and_then(|extra| extra.get("ticket_router")) {
            episode.read_router(own, router)?;
        }
        Ok(episode)
    }

    /// What the agent that routes tickets knows beside its decisions.
    fn read_router(&mut self, own: Fields<'a>, router: &'a Json) -> Result<(), Error> {
        let path = "extra.ticket_router";
        let Some(object) = router.as_object() else {
            return Err(own.type_error(path, router, "an object"));
        };
        let path = format!("{path}.");
        let router = Fields::inside(own.at, &path, object);
        self.seed = object.get("seed").filter(|seed| **seed != Json::Null);
        if !router.has("routes") {
            return Ok(());
        }
        for (path, object) in listed(router, object, "routes", "")? {
            let route = Fields::inside(own.at, &path, object);
            let (id, expected) = (text(route, object, "id")?, text(route, object, "expected")?);
            let (Some(id), Some(expected)) = (id, expected) else {
                continue;
            };
            let before = self.expected.insert(id, expected);
            if before.is_some_and(|before| before != expected) {
                let found = Json::String(expected.to_owned());
                let same = "the answer that another route of this ticket expects";
                return Err(route.value_error("expected", &found, same));
            }
        }
        Ok(())
    }
}

/// The objects of the list `field`, each with what leads to it.
fn listed<'a>(
    own: Fields<'_>,
    object: &'a Object,
    field: &str,
    help: &'static str,
) -> Result<Vec<(String, &'a Object)>, Error> {
    own.required(field, help)?;
    let list = match object.get(field) {
        Some(Json::Array(list)) => list,
        other => {
            return Err(own.type_error(field, other.unwrap_or(&Json::Null), "an array of objects"));
        }
    };
    let item = |(place, value): (usize, &'a Json)| {
        let path = format!("{field}[{place}]");
        match value {
            Json::Object(object) => Ok((own.path(&path) + ".", object)),
            other => Err(own.type_error(&path, other, "an object")),
        }
    };
    list.iter().enumerate().map(item).collect()
}

/// The string under `field`, if there is one.
fn text<'a>(own: Fields<'_>, object: &'a Object, field: &str) -> Result<Option<&'a str>, Error> {
    match object.get(field) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(text)) => Ok(Some(text)),
        Some(other) => Err(own.type_error(field, other, "a string")),
    }
}

fn tick<'a>(own: Fields<'_>, object: &'a Object, place: usize) -> Result<Tick<'a>, Error> {
    let text = |field: &str| text(own, object, field);
    let flag = |field: &str| match own.object.get(field) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::Bool(flag)) => Ok(Some(*flag)),
        Some(other) => Err(own.type_error(field, other, "true or false")),
    };
    let step = match own.object.get("step") {
        None => place as u64 + 1,
        Some(value @ Json::Number(number)) => {
            (number.to_u64()).ok_or_else(|| own.value_error("step", value, "a whole number"))?
        }
        Some(other) => return Err(own.type_error("step", other, "a whole number")),
    };
    let probabilities = match object.get("probabilities") {
        None | Some(Json::Null) => &[][..],
        Some(Json::Object(probabilities)) => probabilities.members(),
        Some(other) => {
            return Err(own.type_error(
                "probabilities",
                other,
                "an object of probabilities by key",
            ));
        }
    };
    let blocked = match object.get("blocked") {
        None | Some(Json::Null) => Vec::new(),
        Some(Json::Array(keys)) => {
            let key = |(place, key): (usize, &'a Json)| {
                let path = format!("blocked[{place}]");
                key.as_str()
                    .ok_or_else(|| own.type_error(&path, key, "a key"))
            };
            keys.iter().enumerate().map(key).collect::<Result<_, _>>()?
        }
        Some(other) => return Err(own.type_error("blocked", other, "an array of keys")),
    };
    let notices = match own.get("harness_notices") {
        None | Some(Json::Bool(false)) => false,
        Some(Json::Array(notices)) => !notices.is_empty(),
        Some(_) => true,
    };
    Ok(Tick {
        step,
        key: text("key")?,
        error: text("error")?,
        probabilities,
        confidence: object
            .get("confidence")
            .filter(|value| **value != Json::Null),
        plan: flag("plan")?.unwrap_or(false),
        notices,
        blocked,
        source: text("source")?,
        accepted: flag("accepted")?,
        served_by: text("served_by")?,
    })
}

fn view<'a>(own: Fields<'_>, object: &'a Object) -> Result<View<'a>, Error> {
    let help = "a view has `state` and `candidates`";
    own.required("state", help)?;
    own.required("candidates", help)?;
    let state = object.get("state").unwrap_or(&Json::Null);
    match object.get("candidates").unwrap_or(&Json::Null) {
        Json::Object(candidates) => Ok(View {
            state,
            candidates: candidates.members(),
        }),
        other => Err(own.type_error("candidates", other, "an object of texts by key")),
    }
}
