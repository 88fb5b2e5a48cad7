//! The drop axis: one option less.
//!
//! Leaving an option out moves those behind it up. So each is compared with the full list in which the option to be left out
//! stands last, where nothing moves (the statistics page, 9).

use super::{Altered, Alternative, Axis, Change, Variant};
use crate::case::{Case, QuestionKind};
use crate::order::OptionId;
use crate::plan::VacuousReason;

/// One option less, or the list that it is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Drop {
    /// This option is offered last.
    Last(OptionId),
    /// This option is not offered.
    Out(OptionId),
}

impl Drop {
    /// The option that is left out, if one is.
    pub fn out(self) -> Option<OptionId> {
        match self {
            Self::Last(_) => None,
            Self::Out(id) => Some(id),
        }
    }

    /// Moves the option to the end, or leaves it out.
    ///
    /// # Errors
    /// [`VacuousReason::NotAChoice`] for levels and statements; [`VacuousReason::TooFewOptions`] where two options or fewer are
    /// offered; [`VacuousReason::PositionDependent`] where an option speaks about others; [`VacuousReason::Unchanged`] where the
    /// option is not offered anyway.
    pub(super) fn apply(self, to: &mut Altered) -> Result<(), VacuousReason> {
        if to.case.question.kind != QuestionKind::Choice {
            return Err(VacuousReason::NotAChoice);
        }
        if to.shown.len() < 3 {
            return Err(VacuousReason::TooFewOptions);
        }
        if to.case.position_dependent.is_some() {
            return Err(VacuousReason::PositionDependent);
        }
        let (Self::Last(moved) | Self::Out(moved)) = self;
        if !to.shown.contains(&moved) {
            return Err(VacuousReason::Unchanged);
        }
        to.shown.retain(|id| *id != moved);
        if self == Self::Last(moved) {
            to.shown.push(moved);
        }
        Ok(())
    }
}

/// Each option left out in turn, named by its identity.
pub(super) fn alternatives(case: &Case) -> Vec<Alternative> {
    let each = |id: u16| {
        let change = |drop: fn(OptionId) -> Drop| Change::Drop(drop(OptionId(id)));
        Alternative {
            against: Some((
                Variant::on(Axis::Drop, format!("last:{id}")),
                change(Drop::Last),
            )),
            ..Alternative::new(Variant::on(Axis::Drop, id.to_string()), change(Drop::Out))
        }
    };
    let options =
        u16::try_from(case.options.len()).expect("a case has at most Order::MOST options");
    let mut whole = Altered {
        case: case.clone(),
        shown: (0..options).map(OptionId).collect(),
    };
    // A case that cannot be asked so is told once.
    let told = if Drop::Out(OptionId(0)).apply(&mut whole).is_ok() {
        options
    } else {
        1
    };
    (0..told).map(each).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::KeyBinding;
    use crate::order::Order;
    use crate::perturb::decoy::Decoy;
    use crate::perturb::example::{choice, desks, noul, score, shown, shown_in};

    fn out(id: u16) -> Change {
        Change::Drop(Drop::Out(OptionId(id)))
    }

    fn last(id: u16) -> Change {
        Change::Drop(Drop::Last(OptionId(id)))
    }

    #[test]
    fn nothing_moves_between_a_reference_and_its_shorter_list() {
        let case = desks();
        assert_eq!(
            shown(&case, last(0)).unwrap(),
            [
                "deny: no money",
                "ask: a person looks",
                "refund: money back"
            ]
        );
        assert_eq!(
            shown(&case, out(0)).unwrap(),
            ["deny: no money", "ask: a person looks"]
        );
        assert_eq!(
            shown(&case, last(2)).unwrap(),
            shown_in(&case, &Order::own(3), &[]).unwrap(),
            "the last option stands last already"
        );
    }

    #[test]
    fn letters_that_stay_in_their_places_are_those_of_the_places_left() {
        let mut case = choice(&[("A", "iron"), ("B", "cork"), ("C", "lead")]);
        case.keys = KeyBinding::Place;
        assert_eq!(
            shown(&case, last(1)).unwrap(),
            ["A: iron", "B: lead", "C: cork"]
        );
        assert_eq!(shown(&case, out(1)).unwrap(), ["A: iron", "B: lead"]);
    }

    #[test]
    fn every_option_is_left_out_in_turn_and_compared_with_its_own_reference() {
        let found = alternatives(&desks());
        let names: Vec<String> = found.iter().map(|each| each.variant.to_string()).collect();
        assert_eq!(names, ["drop/0", "drop/1", "drop/2"]);
        let (variant, change) = found[1].against.clone().unwrap();
        assert_eq!(variant.to_string(), "drop/last:1");
        assert_eq!((found[1].change.clone(), change), (out(1), last(1)));
    }

    #[test]
    fn what_cannot_lose_an_option_is_told_once() {
        let mut dependent = desks();
        dependent.position_dependent = Some("all of the above".to_owned());
        let two = choice(&[("a", "one"), ("b", "two")]);
        for (case, reason) in [
            (score(&["a", "b", "c"]), VacuousReason::NotAChoice),
            (noul("no", "yes"), VacuousReason::NotAChoice),
            (two, VacuousReason::TooFewOptions),
            (dependent, VacuousReason::PositionDependent),
        ] {
            assert_eq!(shown(&case, out(0)), Err(reason));
            assert_eq!(shown(&case, last(0)), Err(reason));
            assert_eq!(alternatives(&case).len(), 1);
        }
        assert_eq!(shown(&desks(), out(3)), Err(VacuousReason::Unchanged));
    }

    #[test]
    fn beside_a_decoy_the_option_to_be_left_out_stands_after_it() {
        let decoy = Change::Decoy(Decoy::NoneOfThese);
        let own = Order::own(3);
        let changes = |change: Change| [change, decoy.clone()];
        let full = shown_in(&desks(), &own, &changes(last(0))).unwrap();
        let short = shown_in(&desks(), &own, &changes(out(0))).unwrap();
        assert_eq!(full.len(), 4);
        assert_eq!(short, full[..3]);
        assert_eq!(short[2], "none: none of these");
    }
}
