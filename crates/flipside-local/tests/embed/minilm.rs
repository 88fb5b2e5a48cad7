//! all-MiniLM-L6-v2 itself, in the folder that `FLIPSIDE_MINILM` names; `tools/weights/fetch.sh` fetches it.

use camino::Utf8PathBuf;
use flipside_local::embed::{Embed, Readout};

use super::golden::near;
use super::{choice, open};

const DIGEST: &str = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db";

const TEAMS: [&str; 4] = [
    "invoices, payments and refunds",
    "bugs, crashes and outages",
    "account login and password",
    "general feedback",
];
const TOPICS: [&str; 4] = ["world politics", "sports", "technology", "finance"];

/// State, options, and the option that is right.
const CASES: [(&str, [&str; 4], usize); 8] = [
    (
        "my card was charged twice for the same order, please refund me.",
        TEAMS,
        0,
    ),
    ("the app crashes every time I open settings.", TEAMS, 1),
    ("I forgot my password and cannot sign in.", TEAMS, 2),
    ("love the new design, great job!", TEAMS, 3),
    (
        "The central bank raised interest rates by half a point.",
        TOPICS,
        3,
    ),
    ("The striker scored twice in the cup final.", TOPICS, 1),
    ("The chip maker unveiled a new processor.", TOPICS, 2),
    ("The two presidents signed a peace treaty.", TOPICS, 0),
];

fn minilm(readout: Readout) -> Option<Embed> {
    let Ok(folder) = std::env::var("FLIPSIDE_MINILM") else {
        println!("skipped: FLIPSIDE_MINILM names no folder of all-MiniLM-L6-v2");
        return None;
    };
    let model = open(&Utf8PathBuf::from(folder), readout);
    assert_eq!(model.digest(), DIGEST);
    Some(model)
}

fn orders() -> Vec<[usize; 4]> {
    let mut orders = Vec::new();
    for a in 0..4 {
        for b in 0..4 {
            for c in 0..4 {
                for d in 0..4 {
                    let order = [a, b, c, d];
                    if (0..4).all(|option| order.contains(&option)) {
                        orders.push(order);
                    }
                }
            }
        }
    }
    orders
}

/// What the answers of [`CASES`] do under every order.
#[derive(Debug, Default)]
struct Seen {
    right: usize,
    right_reversed: usize,
    flips: usize,
    flips_reversed: usize,
    asks: usize,
    /// The largest change of a probability under reversal.
    worst: f32,
    moved: bool,
}

fn study(model: &Embed) -> Seen {
    let mut seen = Seen::default();
    for (state, labels, right) in CASES {
        let (state, mut question) = choice(state, &labels);
        let plain = model.ask(&state, &question).unwrap().answer;
        seen.right += usize::from(plain.choice == right);
        for order in orders() {
            question.order = order.to_vec();
            let answer = model.ask(&state, &question).unwrap().answer;
            seen.asks += 1;
            seen.flips += usize::from(answer.choice != plain.choice);
            seen.moved |= answer.logits != plain.logits;
            if order == [3, 2, 1, 0] {
                seen.right_reversed += usize::from(answer.choice == right);
                seen.flips_reversed += usize::from(answer.choice != plain.choice);
                let changes = answer.probabilities.iter().zip(&plain.probabilities);
                seen.worst = changes.fold(seen.worst, |worst, (a, b)| worst.max((a - b).abs()));
            }
        }
    }
    seen
}

/// By sentence-transformers' own formula in PyTorch: −0.03387697, 0.0919416, 0.04870135, −0.03488352; 0.942915, 0.256876.
#[test]
fn its_vectors_are_the_published_ones() {
    let Some(model) = minilm(Readout::Apart) else {
        return;
    };
    let (state, question) = choice("That is a happy person", &["x"]);
    let row = &model.sequence(&state, &question).unwrap().rows[0];
    assert_eq!(row.ids, [101, 2008, 2003, 1037, 3407, 2711, 102]);
    let happy = model.vector("That is a happy person").unwrap();
    let head = [-0.033_876_97, 0.091_941_6, 0.048_701_35, -0.034_883_52];
    near("head", &happy[..4], &head, (1e-6, 0.0));
    let (state, question) = choice(
        "That is a happy person",
        &["That is a very happy person", "Today is a sunny day"],
    );
    let logits = model.ask(&state, &question).unwrap().answer.logits;
    let expected = [20.0 * 0.942_915, 20.0 * 0.256_876_15];
    near("logits", &logits, &expected, (1e-5, 0.0));
}

#[test]
fn texts_apart_are_the_control_that_no_order_moves() {
    let Some(model) = minilm(Readout::Apart) else {
        return;
    };
    let seen = study(&model);
    println!("{seen:?}");
    assert_eq!((seen.right, seen.right_reversed), (8, 8));
    assert_eq!((seen.flips, seen.asks), (0, 192));
    assert!(!seen.moved, "{seen:?}");
}

/// The least lead of all 192 answers is 0.044 in a logit, so that no rounding of 32 bits makes or breaks a flip.
#[test]
fn in_one_sequence_reversal_flips_nothing_and_other_orders_do() {
    let Some(model) = minilm(Readout::Together) else {
        return;
    };
    let seen = study(&model);
    println!("{seen:?}");
    assert_eq!((seen.right, seen.right_reversed), (8, 8));
    assert_eq!(seen.flips_reversed, 0);
    assert_eq!((seen.flips, seen.asks), (12, 192));
    assert!((seen.worst - 0.105_248).abs() < 1e-4, "{seen:?}");
}
