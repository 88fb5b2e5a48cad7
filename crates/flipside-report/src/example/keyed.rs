//! Directions, changes of keys, averaged answers and places by order, as a run of two routes could have them: figures written down, not
//! counted.

use flipside_core::case::QuestionKind;
use flipside_core::stats::Method;
use flipside_core::summary::{
    Accuracy, AveragedAnswer, AveragedBy, AveragedKey, Direction, KeyChange, KeyChanges, KeyPair,
    OrderPlaces, PlaceCounts, Range, Summary,
};

use super::build::Variants;
use super::runs::first;

/// A pair of keys with the p value after adjustment for twice as many.
pub(crate) fn pair([from, to]: [&str; 2], [forth, back]: [u64; 2], p: f64) -> KeyPair {
    KeyPair {
        question: QuestionKind::Choice,
        from: from.to_owned(),
        to: to.to_owned(),
        cases: 400,
        forth,
        back,
        p,
        holm_p: (2.0 * p).min(1.0),
        clusters: None,
    }
}

/// A key whose mean change is `mean`.
pub(crate) fn change(key: &str, mean: f64) -> KeyChange {
    KeyChange {
        question: QuestionKind::Choice,
        key: key.to_owned(),
        cases: 400,
        mean,
        interval: [mean - 0.005_7, mean + 0.005_7],
        interval_method: Method::ClusterBootstrap,
        up: 309,
        down: 91,
        same: 0,
        own_chosen: 234,
        chosen: 329,
    }
}

fn averaged() -> AveragedAnswer {
    let by = |ties| AveragedBy {
        ties,
        changed: 72,
        accuracy: Some(Accuracy {
            right: 198,
            of: 400,
            rate: 0.495,
            interval: [0.446, 0.544],
            own_right: 194,
            difference: 0.01,
            difference_interval: [-0.032, 0.052],
            mcnemar_p: 0.724,
            clusters: None,
        }),
    };
    AveragedAnswer {
        cases: 400,
        orders: Some(Range { least: 2, most: 2 }),
        left_out: 1,
        without_probabilities: 2,
        mean: by(0),
        vote: by(121),
        keys: vec![AveragedKey {
            question: QuestionKind::Choice,
            key: "cheap".to_owned(),
            cases: 400,
            own: 234,
            mean: 298,
            vote: 298,
        }],
        keys_left_out: 0,
    }
}

fn places(first: u64, last: u64) -> OrderPlaces {
    OrderPlaces {
        answers: first + last,
        first,
        last,
        expected: 200.0,
        by_options: vec![PlaceCounts {
            options: 2,
            counts: vec![first, last],
        }],
    }
}

/// A run whose reversal moved answers from `strong` to `cheap`.
pub(crate) fn routed() -> Summary {
    let mut summary = first(&[Variants::Reverse]);
    let line = &mut summary.axes["order"]["reverse"];
    line.direction = Some(Direction {
        flips: 121,
        place_keys: 0,
        unshared: 0,
        pairs: vec![pair(["strong", "cheap"], [108, 13], 8.4e-20)],
        pairs_left_out: 0,
    });
    line.key_changes = Some(KeyChanges {
        keys: vec![change("cheap", 0.040_657), change("strong", -0.040_657)],
        keys_left_out: 0,
        seed: 1,
    });
    summary.averaged_answer = Some(Box::new(averaged()));
    if let Some(position) = &mut summary.position {
        position.by_order.insert("own".to_owned(), places(234, 166));
        position
            .by_order
            .insert("reverse".to_owned(), places(71, 329));
    }
    summary
}
