//! Four answers, by order and by keys: what they follow, and how much of each effect they have.

use crate::measure::pair::Said;
use crate::summary::Follows;

/// One value by order (own, other), then by keys (own, other).
pub(super) type Cells<T> = [[T; 2]; 2];

/// The value of every cell for its order and its keys.
pub(super) fn cells<T>(of: impl Fn(usize, usize) -> T) -> Cells<T> {
    [0, 1].map(|order| [0, 1].map(|keys| of(order, keys)))
}

/// Which option was answered: whether it is the case's second one.
pub(super) type Chosen = Cells<bool>;

/// The four answers, where all of them decided.
pub(super) fn decided(said: &Cells<Said>) -> Option<Chosen> {
    let all = said.as_flattened().iter();
    let all: Option<Vec<bool>> = all.map(|said| second(*said)).collect();
    let all = all?;
    Some(cells(|order, keys| all[2 * order + keys]))
}

/// Whether the second option was answered; `None` where none was.
pub(super) fn second(said: Said) -> Option<bool> {
    match said {
        Said::Chose { id, .. } => Some(id.index() == 1),
        Said::Nothing | Said::Missing | Said::Unasked => None,
    }
}

/// What four decided answers follow.
pub(super) fn follows(chosen: Chosen) -> Follows {
    let first = chosen[0][0];
    let all = |changes: fn(usize, usize) -> bool| {
        let wanted = cells(|order, keys| first ^ changes(order, keys));
        chosen == wanted
    };
    if all(|_, _| false) {
        Follows::Content
    } else if all(|order, _| order == 1) {
        // The other order shows the other option in a slot.
        Follows::Slot
    } else if all(|_, keys| keys == 1) {
        Follows::Keys
    } else {
        Follows::Mixed
    }
}

/// Every way in which the answers that are missing could have been decided. `None` where an answer did not decide: nothing that
/// is missing makes four decided answers of it.
pub(super) fn completions(said: &Cells<Said>) -> Option<Vec<Chosen>> {
    let said = said.as_flattened();
    if said.contains(&Said::Nothing) {
        return None;
    }
    let known: Vec<Option<bool>> = said.iter().map(|said| second(*said)).collect();
    let fits = |all: &Chosen| {
        let mut both = all.as_flattened().iter().zip(&known);
        both.all(|(one, known)| known.is_none_or(|known| known == *one))
    };
    let all = (0..16_u8).map(|bits| cells(|order, keys| bits >> (2 * order + keys) & 1 == 1));
    Some(all.filter(fits).collect())
}

/// One of the four effects of a 2 x 2 factorial: orthogonal contrasts, each divided by four so that it lies from -1 to 1.
///
/// Source: Yates 1937, the design and analysis of factorial experiments, on answers coded 1 and -1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Content,
    Position,
    Keys,
    Interaction,
}

impl Effect {
    /// The effect in four decided answers.
    pub(super) fn of(self, chosen: Chosen) -> f64 {
        let each = cells(|order, keys| {
            let turned = match self {
                Self::Content => false,
                Self::Position => order == 1,
                Self::Keys => keys == 1,
                Self::Interaction => order != keys,
            };
            if chosen[order][keys] ^ turned {
                -0.25
            } else {
                0.25
            }
        });
        each.as_flattened().iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::OptionId;

    fn chose(id: u16) -> Said {
        Said::Chose {
            id: OptionId(id),
            tied: false,
        }
    }

    #[test]
    fn each_of_sixteen_tables_follows_one_thing_and_its_squares_sum_to_one() {
        use Follows::{Content, Keys, Mixed, Slot};
        let mut counts = [0; 4];
        for bits in 0..16_u8 {
            let chosen = cells(|order, keys| bits >> (2 * order + keys) & 1 == 1);
            let [content, position, keys, interaction] = [
                Effect::Content,
                Effect::Position,
                Effect::Keys,
                Effect::Interaction,
            ]
            .map(|effect| effect.of(chosen));
            let squares = [content, position, keys, interaction].map(|effect| effect * effect);
            assert_eq!(squares.iter().sum::<f64>().to_bits(), 1.0_f64.to_bits());
            let follows = follows(chosen);
            let place = [Content, Slot, Keys, Mixed]
                .iter()
                .position(|each| *each == follows)
                .unwrap();
            counts[place] += 1;
            // Whatever is followed alone is all of it, and the others are nothing.
            if place < 3 {
                let mut expected = [0.0; 4];
                expected[place] = 1.0;
                assert_eq!(squares.map(f64::to_bits), expected.map(f64::to_bits));
            }
        }
        // By hand: two tables each, one for either option; ten are left, of which eight have one odd cell.
        assert_eq!(counts, [2, 2, 2, 10]);
    }

    #[test]
    fn a_missing_answer_leaves_two_tables_and_a_declined_one_none() {
        // Own order: first under both keys. Other order: first, and missing.
        let said = [[chose(0), chose(0)], [chose(0), Said::Missing]];
        let found = completions(&said).unwrap();
        let expected = [
            [[false, false], [false, false]],
            [[false, false], [false, true]],
        ];
        assert_eq!(found, expected);
        let said = [[chose(0), Said::Nothing], [chose(0), Said::Missing]];
        assert_eq!(completions(&said), None);
        assert_eq!(decided(&said), None);
        let nothing = [[Said::Unasked; 2]; 2];
        assert_eq!(completions(&nothing).unwrap().len(), 16);
    }
}
