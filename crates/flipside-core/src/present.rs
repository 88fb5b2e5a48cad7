//! Presentations: exactly what a model is shown, with the way back to identities.

use crate::case::{Case, Key};
use crate::json::Json;
use crate::order::{OptionId, Order, Position};

/// What a model is shown: the state, the question, and the options in an order.
///
/// It carries its own way back: [`Presentation::at_key`] and [`Presentation::order`] lead from a reply to identities.
#[derive(Clone, Debug)]
pub struct Presentation<'a> {
    case: &'a Case,
    order: &'a Order,
}

/// One option as shown.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// Where it is shown.
    pub position: Position,
    /// Which option it is.
    pub id: OptionId,
    /// The key shown with it.
    pub key: &'a Key,
    /// The text shown with it.
    pub text: Option<&'a Json>,
}

impl<'a> Presentation<'a> {
    /// `case` with those of its options that `order` lists, in that order.
    ///
    /// # Panics
    /// If `order` lists an option that the case does not have.
    pub fn new(case: &'a Case, order: &'a Order) -> Self {
        let has = |id: &OptionId| id.index() < case.options.len();
        assert!(
            order.identities().iter().all(has),
            "an order of this case's options"
        );
        Self { case, order }
    }

    /// The case that is presented.
    pub fn case(&self) -> &'a Case {
        self.case
    }

    /// The state as shown.
    pub fn state(&self) -> &'a Json {
        &self.case.state
    }

    /// The instructions as shown.
    pub fn instructions(&self) -> Option<&'a Json> {
        self.case.question.instructions.as_ref()
    }

    /// The order of the options.
    pub fn order(&self) -> &'a Order {
        self.order
    }

    /// How many identities there are, those included that are not shown: the length of lists by identity.
    pub fn identities(&self) -> usize {
        self.case.options.len()
    }

    /// How many options are shown.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether no option is shown; never so for a checked case.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The options as shown, first position first.
    pub fn options(&self) -> impl ExactSizeIterator<Item = Shown<'a>> + use<'a> {
        let case = self.case;
        self.order
            .identities()
            .iter()
            .enumerate()
            .map(move |(place, &id)| {
                let bound = case.keys.owner(id, place);
                Shown {
                    position: Position(u16::try_from(place).expect("orders have u16 places")),
                    id,
                    key: &case.options[bound].key,
                    text: case.options[id.index()].text.as_ref(),
                }
            })
    }

    /// The option shown under `key`, compared byte for byte.
    pub fn at_key(&self, key: &str) -> Option<Shown<'a>> {
        self.options().find(|shown| shown.key.0 == key)
    }
}
