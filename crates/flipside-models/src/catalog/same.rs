//! Whether a model is the one that made recorded decisions.

use flipside_core::model::Card;

use super::list::{Needs, catalog};

/// Whether a model is the one that made recorded decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SameModel {
    /// Both names mean one model, as far as names can; another version of it is still the same.
    Same,
    /// The names do not tell.
    Unknown,
    /// They are two models.
    Other,
}

/// Models that answer under more than one name, by how such names begin.
const FAMILIES: [&str; 4] = ["agentjev", "jev", "laya", "clm"];

/// Whether the model of `card` is the one that made decisions which are recorded as of `backend`, where the record names one, and
/// whose answers carry the names `served`.
///
/// A model is the same under the same spec. Jev, Laya, CLM and `AgentJev` are each one model behind every name that begins with theirs,
/// a family name of a recorded backend counting before served names. A control is nothing but itself. What stands behind an address
/// or a program is not known.
pub fn same_model(backend: Option<&str>, served: &[String], card: &Card) -> SameModel {
    if backend == Some(card.spec.as_str()) {
        return SameModel::Same;
    }
    if is_control(&card.spec) || backend.is_some_and(is_control) {
        return SameModel::Other;
    }
    let then = backend.and_then(family).or_else(|| common_family(served));
    match (then, family(&card.spec)) {
        (Some(then), Some(now)) if then == now => SameModel::Same,
        (Some(_), Some(_)) => SameModel::Other,
        _ => SameModel::Unknown,
    }
}

fn name(spec: &str) -> &str {
    spec.split(':').next().unwrap_or(spec)
}

/// Whether a spec, or a name of a recorded backend, is that of a model whose answers are computed here by a rule.
fn is_control(spec: &str) -> bool {
    let mut entries = catalog().iter();
    let entry = entries.find(|entry| entry.name == name(spec));
    // Of the others only rules read a file and are a control.
    entry.is_some_and(|entry| entry.needs == Needs::Nothing || entry.name == "rule")
}

/// The family of a model's name; a name may stand behind the one of its provider, as in `~typesafe/jev-latest`.
fn family(model: &str) -> Option<&'static str> {
    // Behind a router stands the model that it is asked for.
    let model = name(model.strip_prefix("openrouter:").unwrap_or(model));
    let model = model.rsplit('/').next().unwrap_or(model).to_lowercase();
    let of = |family: &&&str| {
        let rest = model.strip_prefix(**family);
        rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_alphabetic()))
    };
    FAMILIES.iter().find(of).copied()
}

/// The family of all served names, where they have one.
fn common_family(served: &[String]) -> Option<&'static str> {
    let mut families = served.iter().map(|name| family(name));
    let first = families.next()??;
    families.all(|next| next == Some(first)).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(spec: &str) -> Card {
        Card {
            spec: spec.to_owned(),
            requested: None,
            endpoint: None,
            key_variable: None,
            remote: true,
            concurrency: 1,
            price: None,
            confidence: None,
            whole_replies: false,
            object_order: false,
            protocol: None,
        }
    }

    fn same(backend: Option<&str>, served: &[&str], spec: &str) -> SameModel {
        let served: Vec<String> = served.iter().map(|name| (*name).to_owned()).collect();
        same_model(backend, &served, &card(spec))
    }

    #[test]
    fn one_spec_and_one_family_are_one_model_whatever_its_version() {
        for (backend, spec) in [
            ("overlap", "overlap"),
            ("slot:2", "slot:2"),
            ("systemone:http://h/", "systemone:http://h/"),
            ("exec:python3 a.py", "exec:python3 a.py"),
            ("jev", "jev:jev-1.13"),
            ("jev-1.14.0", "jev"),
            ("laya", "laya-served"),
            ("laya-served", "laya-served"),
            ("clm-latest", "clm"),
            ("Jev", "jev"),
            ("jev", "openrouter:~typesafe/jev-latest"),
            ("openrouter:typesafe/jev-1.14:free", "jev"),
            ("laya", "laya-predict"),
            ("laya-served", "laya-served?order=option_order"),
        ] {
            assert_eq!(
                same(Some(backend), &[], spec),
                SameModel::Same,
                "{backend} {spec}"
            );
        }
        assert_eq!(
            same(None, &["~typesafe/jev-latest"], "jev"),
            SameModel::Same
        );
        assert_eq!(
            same(Some("mine"), &["laya-0.3"], "laya-served"),
            SameModel::Same
        );
    }

    #[test]
    fn two_families_and_a_control_beside_anything_else_are_two_models() {
        for (backend, spec) in [
            ("laya", "jev"),
            ("jev", "laya-served"),
            ("laya", "openrouter:typesafe/jev-1.14"),
            ("agentjev", "jev"),
            ("clm", "jev"),
            ("laya", "overlap"),
            ("overlap", "jev"),
            ("random", "systemone:http://h/"),
            ("rule", "exec:python3 a.py"),
            ("slot:1", "slot:2"),
            ("first", "last"),
            ("systemone:http://h/", "first"),
        ] {
            assert_eq!(
                same(Some(backend), &[], spec),
                SameModel::Other,
                "{backend} {spec}"
            );
        }
        assert_eq!(same(None, &["laya-0.3"], "jev"), SameModel::Other);
        assert_eq!(same(None, &[], "overlap"), SameModel::Other);
        // The backend's own name counts before what it served.
        assert_eq!(same(Some("laya"), &["jev-1.13"], "jev"), SameModel::Other);
    }

    #[test]
    fn addresses_programs_and_unknown_names_do_not_tell() {
        for (backend, spec) in [
            ("laya", "systemone:http://h/"),
            ("systemone:http://a/", "systemone:http://b/"),
            ("systemone:http://a/", "jev"),
            ("exec:a", "exec:b"),
            ("openrouter:a/b", "jev"),
            ("openrouter:a/b", "openrouter:a/c"),
            ("mine", "jev"),
            ("layabout", "laya-served"),
            ("jev", "replay:runs/a"),
        ] {
            assert_eq!(
                same(Some(backend), &[], spec),
                SameModel::Unknown,
                "{backend} {spec}"
            );
        }
        assert_eq!(same(None, &[], "jev"), SameModel::Unknown);
        assert_eq!(same(None, &["jev-1", "laya"], "jev"), SameModel::Unknown);
    }
}
