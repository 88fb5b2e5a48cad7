//! The phrasing axis: the same decision in the other words that the case brings.

use super::{Altered, Alternative, Axis, Change, Variant};
use crate::case::{Case, KeyBinding, QuestionKind};
use crate::plan::VacuousReason;

/// The name under which a case without any rewording is told where no case of a run brings one.
pub(crate) const NONE: &str = "1";

/// Every rewording of `case` under its name, also those that nobody approved; at least one value.
pub(super) fn alternatives(case: &Case) -> Vec<Alternative> {
    let phrasings = case.brought.phrasings.iter();
    let names: Vec<&str> = phrasings.map(|phrasing| phrasing.name.as_str()).collect();
    let names = if names.is_empty() { vec![NONE] } else { names };
    let one = |name: &str| {
        Alternative::new(
            Variant::on(Axis::Phrasing, name),
            Change::Phrasing(name.to_owned()),
        )
    };
    names.into_iter().map(one).collect()
}

/// Puts the case into the words of its rewording of this name. A negated statement is asked with its sides under each other's
/// keys, so that its `true` is read as the case's `false`: what it says about the case is `1 - p`.
///
/// # Errors
/// [`VacuousReason::NoPhrasing`] without such a rewording; [`VacuousReason::NotApproved`] where nobody approved it;
/// [`VacuousReason::Unchanged`] where it has the case's own words.
pub(super) fn apply(name: &str, to: &mut Altered) -> Result<(), VacuousReason> {
    let mut phrasings = to.case.brought.phrasings.iter();
    let found = phrasings.find(|phrasing| phrasing.name == name).cloned();
    let phrasing = found.ok_or(VacuousReason::NoPhrasing)?;
    if !phrasing.approved {
        return Err(VacuousReason::NotApproved);
    }
    if !phrasing.rewords(&to.case) {
        return Err(VacuousReason::Unchanged);
    }
    if let Some(state) = phrasing.state {
        to.case.state = state;
    }
    if let Some(instructions) = phrasing.instructions {
        to.case.question.instructions = Some(instructions);
    }
    for (id, text) in phrasing.texts {
        to.case.options[id.index()].text = Some(text);
    }
    if phrasing.negated && to.case.question.kind == QuestionKind::Noul {
        to.case.keys = KeyBinding::Opposite;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer;
    use crate::case::Phrasing;
    use crate::json::Json;
    use crate::order::{OptionId, Order};
    use crate::perturb::test_case::{altered, case, text};
    use crate::present::Presentation;

    fn phrasing(name: &str) -> Phrasing {
        Phrasing {
            name: name.to_owned(),
            state: None,
            instructions: None,
            texts: Vec::new(),
            negated: false,
            approved: true,
        }
    }

    fn choice(phrasings: Vec<Phrasing>) -> Case {
        let mut case = case(QuestionKind::Choice, &[("a", Some("x")), ("b", Some("y"))]);
        case.brought.phrasings = phrasings.into();
        case.checked().unwrap()
    }

    #[test]
    fn a_rewording_replaces_what_it_says_and_leaves_the_rest() {
        let words = Phrasing {
            instructions: Some(text("j")),
            texts: vec![(OptionId(1), text("z"))],
            ..phrasing("formal")
        };
        let before = altered(choice(vec![phrasing("other"), words]));
        let mut to = before.clone();
        apply("formal", &mut to).unwrap();
        assert_eq!(to.case.question.instructions, Some(text("j")));
        assert_eq!(to.case.options[0], before.case.options[0]);
        assert_eq!(to.case.options[1].text, Some(text("z")));
        assert_eq!(to.case.options[1].key, before.case.options[1].key);
        assert_eq!(
            (&to.case.state, &to.shown),
            (&before.case.state, &before.shown)
        );
    }

    #[test]
    fn each_case_is_reworded_by_name_wherever_the_rewording_stands() {
        let state = |name: &str, words: &str| Phrasing {
            state: Some(text(words)),
            ..phrasing(name)
        };
        for brought in [
            vec![state("short", "1"), state("long", "2")],
            vec![state("long", "2"), state("short", "1")],
        ] {
            let mut to = altered(choice(brought));
            apply("long", &mut to).unwrap();
            assert_eq!(to.case.state, text("2"));
        }
    }

    #[test]
    fn what_nobody_approved_or_brought_is_not_asked() {
        let brought = vec![
            Phrasing {
                state: Some(text("t")),
                approved: false,
                ..phrasing("unread")
            },
            Phrasing {
                state: Some(text("s")),
                ..phrasing("own")
            },
        ];
        let to = altered(choice(brought));
        let reason = |name: &str| apply(name, &mut to.clone());
        assert_eq!(reason("unread"), Err(VacuousReason::NotApproved));
        assert_eq!(reason("own"), Err(VacuousReason::Unchanged));
        assert_eq!(reason("other"), Err(VacuousReason::NoPhrasing));
        let names = |case: &Case| -> Vec<String> {
            let found = alternatives(case).into_iter();
            found.map(|each| each.variant.name).collect()
        };
        assert_eq!(names(&to.case), ["unread", "own"]);
        assert_eq!(names(&choice(Vec::new())), ["1"]);
    }

    #[test]
    fn a_negated_statement_says_one_minus_p_about_the_case() {
        let negated = Phrasing {
            instructions: Some(text("It is not so.")),
            negated: true,
            ..phrasing("negated")
        };
        let mut own = case(
            QuestionKind::Noul,
            &[("true", Some("it is")), ("false", Some("it is not"))],
        );
        own.brought.phrasings = vec![negated].into();
        let mut to = altered(own.clone());
        apply("negated", &mut to).unwrap();
        let order = Order::own(2);
        let shown: Vec<(&str, Option<&Json>)> = Presentation::new(&to.case, &order)
            .options()
            .map(|option| (option.key.0.as_str(), option.text))
            .collect();
        let (it_is, it_is_not) = (text("it is"), text("it is not"));
        assert_eq!(
            shown,
            [("false", Some(&it_is)), ("true", Some(&it_is_not))],
            "each side keeps its text and place"
        );
        let said = |case: &Case, p: f64| {
            let answer = answer::noul(&Presentation::new(case, &order), p, None).unwrap();
            (answer.choice.unwrap(), answer.probabilities.unwrap())
        };
        // Identity 0 is the case's `true`: 0.75 that it holds is 0.25 that the opposite does.
        assert_eq!(said(&own, 0.75), (OptionId(0), vec![0.75, 0.25]));
        assert_eq!(said(&to.case, 0.25), (OptionId(0), vec![0.75, 0.25]));
        assert_eq!(said(&to.case, 0.75), (OptionId(1), vec![0.25, 0.75]));
        // One half counts as `true` for the case, whichever way its statement is put.
        assert_eq!(said(&own, 0.5).0, OptionId(0));
        assert_eq!(said(&to.case, 0.5).0, OptionId(0));
    }
}
