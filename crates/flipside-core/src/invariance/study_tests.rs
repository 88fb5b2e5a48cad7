use super::*;
use crate::case::{Brought, CaseId, CaseOption, Key, KeyBinding, Question, Source};
use crate::invariance::{Precision, with_options};
use crate::json::Json;

/// Option `i` has the vector [2^i]; its logit is its vector plus `weight` times the sum of the others plus `slot` times its place.
struct Linear {
    weight: f32,
    slot: f32,
    head: bool,
}

impl Linear {
    fn logits(&self, vectors: &[Vec<f32>]) -> Vec<f32> {
        let sum: f32 = vectors.iter().map(|vector| vector[0]).sum();
        vectors
            .iter()
            .enumerate()
            .map(|(place, vector)| {
                vector[0] + self.weight * (sum - vector[0]) + self.slot * place as f32
            })
            .collect()
    }
}

impl Inside for Linear {
    fn precision(&self) -> Precision {
        Precision {
            name: "f32",
            epsilon: f64::from(f32::EPSILON),
        }
    }

    fn see(&self, shown: &Presentation<'_>) -> Result<Seen, String> {
        let vectors: Vec<Vec<f32>> = shown
            .options()
            .map(|option| vec![2f32.powi(i32::from(option.id.0))])
            .collect();
        let logits = self.logits(&vectors);
        Ok(Seen {
            choice: first_largest(&logits),
            probabilities: logits.iter().map(|z| z / 64.0).collect(),
            kept: vec![1; vectors.len()],
            logits,
            vectors,
        })
    }

    fn rescore(&self, vectors: &[Vec<f32>]) -> Option<Result<Vec<f32>, String>> {
        self.head.then(|| Ok(self.logits(vectors)))
    }

    fn equal_slots(&self, shown: &Presentation<'_>) -> Option<Result<Vec<f32>, String>> {
        Some(Ok(self.logits(&vec![vec![1.0]; shown.len()])))
    }
}

pub(super) fn case(id: &str, options: usize, kind: QuestionKind) -> Case {
    Case {
        id: CaseId(id.to_owned()),
        named: true,
        source: Source {
            format: "probe".into(),
            file: "-".into(),
            line: 1,
        },
        state: Json::String("s".to_owned()),
        question: Question {
            kind,
            name: "q".to_owned(),
            instructions: None,
            before: Vec::new(),
            after: Vec::new(),
        }
        .into(),
        options: (0..options)
            .map(|option| CaseOption {
                key: Key(format!("k{option}")),
                text: None,
            })
            .collect::<Vec<_>>()
            .into(),
        keys: KeyBinding::Option,
        accept: Vec::new().into(),
        position_dependent: None,
        note: None,
        fields: Vec::new().into(),
        equal: Vec::new().into(),
        brought: Brought::default(),
    }
}

fn found(cases: &[Case], model: &Linear) -> Invariance {
    study(cases, model, ("m", None), &Settings::default(), |_| ())
}

/// The published counts have one solution: 45 questions of 4 options and 12 of 5 give 2,520 orders, 780 values left out and 900 swaps.
#[test]
fn the_published_counts_come_out_of_their_questions() {
    let mut cases: Vec<Case> = (0..45)
        .map(|n| case(&format!("four-{n}"), 4, QuestionKind::Choice))
        .collect();
    cases.extend((0..12).map(|n| case(&format!("five-{n}"), 5, QuestionKind::Score)));
    cases.push(case("said", 2, QuestionKind::Noul));
    cases.push(case("one", 1, QuestionKind::Choice));
    let model = Linear {
        weight: 0.25,
        slot: 0.0,
        head: true,
    };
    let found = found(&cases, &model);
    assert_eq!(
        found.questions,
        Questions {
            choice: 45,
            score: 12,
            noul: 1,
            single: 1
        }
    );
    let all = &found.all;
    assert_eq!((all.reverse.questions, all.reverse.orders), (57, 57));
    assert_eq!((all.permutations.orders, all.by_head), (2_520, 2_520));
    assert_eq!(all.drawn, 0);
    assert_eq!(all.leave_one_out.as_ref().unwrap().values, 780);
    assert_eq!(all.swap.as_ref().unwrap().values, 900);
    assert_eq!(all.permutations.changed + all.reverse.changed, 0);
    assert_eq!(all.identical_vectors, 57);
    assert!(found.statement.invariant);
    let sizes: Vec<u64> = found.by_options.iter().map(|row| row.options).collect();
    assert_eq!(sizes, [4, 5]);
    assert_eq!(found.by_options[0].changes.permutations.orders, 1_080);
}

/// By hand, three options with vectors 1, 2, 4 and weight 0.5: without 4 the logit of 1 falls by 2, without 2 by 1, and so on; the
/// six falls are 0.5, 0.5, 1, 1, 2, 2. Swaps: of option 0 the pair {1, 2}: 0.5 |4 - 2| = 1; of 1: 0.5 |4 - 1| = 1.5; of 2: 0.5.
#[test]
fn what_a_neighbour_moves_is_counted_as_by_hand() {
    let cases = [case("c", 3, QuestionKind::Choice)];
    for head in [true, false] {
        let model = Linear {
            weight: 0.5,
            slot: 0.0,
            head,
        };
        let found = found(&cases, &model);
        let less = found.all.leave_one_out.as_ref().unwrap();
        assert_eq!((less.values, less.median, less.worst), (6, 1.0, 2.0));
        let swap = found.all.swap.as_ref().unwrap();
        assert_eq!((swap.values, swap.median, swap.worst), (3, 1.0, 1.5));
        assert_eq!(found.all.by_head, if head { 6 } else { 0 });
        assert_eq!(
            found.statement.composition_over_order, None,
            "nothing moved"
        );
    }
}

/// By hand, vectors 1, 2, 4 and 3 a place: file order gives 1, 5, 10, reversed 7, 5, 4. Option 0 is chosen then, and moved by 6.
#[test]
fn a_preference_for_places_is_seen_in_logits_answers_and_slots() {
    let cases = [case("c", 3, QuestionKind::Choice)];
    let model = Linear {
        weight: 0.0,
        slot: 3.0,
        head: false,
    };
    let found = found(&cases, &model);
    let reverse = &found.all.reverse;
    assert_eq!(
        (reverse.changed, reverse.changed_questions.first.as_slice()),
        (1, &["c".to_owned()][..])
    );
    assert_eq!(reverse.logits.as_ref().unwrap().worst, 6.0);
    assert_eq!(
        found.all.reverse_probabilities.as_ref().unwrap().worst,
        6.0 / 64.0
    );
    // 012, 102 and 120 (2, 7, 7: the first of equal ones) choose the largest; 021, 201 and 210 do not.
    assert_eq!(found.all.permutations.orders, 6);
    assert_eq!(found.all.permutations.changed, 3);
    assert_eq!(found.slots[0].logits, [-3.0, 0.0, 3.0]);
    assert!(!found.statement.invariant);
    assert_eq!(found.statement.moved, 6.0);
}

#[test]
fn of_seven_options_every_order_is_scored_at_the_head() {
    let model = Linear {
        weight: 0.0,
        slot: 0.0,
        head: true,
    };
    let found = found(&[case("c", 7, QuestionKind::Choice)], &model);
    assert_eq!((found.all.drawn, found.all.by_head), (0, 5_040));
}

#[test]
fn above_seven_options_every_order_is_scored_where_as_many_may_be_drawn() {
    let model = Linear {
        weight: 0.0,
        slot: 0.0,
        head: true,
    };
    let settings = Settings {
        drawn: 40_320,
        compositions: 0,
        ..Settings::default()
    };
    let cases = [case("c", 8, QuestionKind::Choice)];
    let found = study(&cases, &model, ("m", None), &settings, |_| ());
    assert_eq!(
        (found.all.drawn, found.all.permutations.orders),
        (0, 40_320)
    );
}

#[test]
fn above_seven_options_orders_are_drawn_and_said_so() {
    let cases = [case("c", 9, QuestionKind::Choice)];
    let settings = Settings {
        drawn: 40,
        ..Settings::default()
    };
    let model = Linear {
        weight: 0.0,
        slot: 0.0,
        head: true,
    };
    let found = study(&cases, &model, ("m", None), &settings, |_| ());
    assert_eq!((found.all.drawn, found.all.permutations.orders), (1, 40));
    let whole = Linear {
        head: false,
        ..model
    };
    let found = study(&cases, &whole, ("m", None), &settings, |_| ());
    assert_eq!((found.all.drawn, found.all.permutations.orders), (1, 24));
}

#[test]
fn what_cannot_be_asked_is_counted_and_the_rest_studied() {
    struct Short(Linear);
    impl Inside for Short {
        fn precision(&self) -> Precision {
            self.0.precision()
        }
        fn see(&self, shown: &Presentation<'_>) -> Result<Seen, String> {
            if shown.len() > 4 {
                return Err(format!("{} options do not fit", shown.len()));
            }
            self.0.see(shown)
        }
        fn rescore(&self, vectors: &[Vec<f32>]) -> Option<Result<Vec<f32>, String>> {
            self.0.rescore(vectors)
        }
        fn equal_slots(&self, _: &Presentation<'_>) -> Option<Result<Vec<f32>, String>> {
            None
        }
    }
    let cases = [
        case("a", 4, QuestionKind::Choice),
        case("b", 5, QuestionKind::Choice),
        case("c", 6, QuestionKind::Score),
    ];
    let model = Short(Linear {
        weight: 0.0,
        slot: 0.0,
        head: true,
    });
    let found = study(&cases, &model, ("m", None), &Settings::default(), |_| ());
    assert_eq!((found.questions.choice, found.questions.score), (1, 0));
    assert_eq!(found.refused.cases.first, ["b", "c"]);
    assert_eq!(
        found.refused.reason.as_deref(),
        Some("5 options do not fit")
    );
    assert!(found.slots.is_empty());
}

#[test]
fn a_list_is_filled_with_options_of_other_cases() {
    let mut other = case("b", 6, QuestionKind::Choice);
    other.options = (0..6)
        .map(|option| CaseOption {
            key: Key(format!("k{}", option + 2)),
            text: None,
        })
        .collect::<Vec<_>>()
        .into();
    let cases = [
        case("a", 3, QuestionKind::Choice),
        other,
        case("n", 2, QuestionKind::Noul),
    ];
    let keys = |case: &Case| -> Vec<String> {
        case.options
            .iter()
            .map(|option| option.key.0.clone())
            .collect()
    };
    let two = with_options(&cases, 2, 1);
    assert_eq!(
        two.iter()
            .map(|case| case.id.0.as_str())
            .collect::<Vec<_>>(),
        ["a/2", "b/2"]
    );
    assert_eq!(keys(&two[1]), ["k2", "k3"]);
    // The file has k0 to k7.
    let eight = with_options(&cases, 8, 1);
    assert_eq!(keys(&eight[0])[..3], ["k0", "k1", "k2"]);
    let mut sorted = keys(&eight[0]);
    sorted.sort();
    assert_eq!(sorted, ["k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"]);
    assert_ne!(
        keys(&with_options(&cases, 8, 2)[0]),
        keys(&eight[0]),
        "another seed"
    );
    assert!(with_options(&cases, 9, 1).is_empty());
}
