//! `SmolLM2-135M-Instruct` itself, in the file that `FLIPSIDE_SMOLLM2` names; `tools/weights/smollm2.sh` fetches it.

use std::sync::LazyLock;

use camino::Utf8PathBuf;
use flipside_local::causal::{Causal, Numbers, Request};

use crate::golden::near;
use crate::support::{letters, plain, texts};

const DIGEST: &str = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53";

/// The customer's words, and which team is right.
const TICKETS: [(&str, usize); 4] = [
    (
        "my card was charged twice for the same order, please refund me.",
        0,
    ),
    ("the app crashes every time I open settings.", 1),
    ("I forgot my password and cannot sign in.", 2),
    ("love the new design, great job!", 3),
];
const TEAMS: [&str; 4] = [
    "invoices, payments and refunds",
    "bugs, crashes and outages",
    "account login and password",
    "general feedback",
];
/// The news, and which topic is right.
const NEWS: [(&str, usize); 4] = [
    ("The central bank raised interest rates by half a point.", 3),
    ("The striker scored twice in the cup final.", 1),
    ("The chip maker unveiled a new processor.", 2),
    ("The two presidents signed a peace treaty.", 0),
];
const TOPICS: [&str; 4] = ["world politics", "sports", "technology", "finance"];

/// State, question, options and the right one of the eight cases.
fn cases() -> Vec<(String, &'static str, [&'static str; 4], usize)> {
    let tickets = TICKETS.iter().map(|(state, right)| {
        let question = "Which team should handle this message?";
        (format!("Customer: {state}"), question, TEAMS, *right)
    });
    let news = NEWS.iter().map(|(state, right)| {
        let question = "What is the topic?";
        (format!("News: {state}"), question, TOPICS, *right)
    });
    tickets.chain(news).collect()
}

static MODEL: LazyLock<Option<Causal>> = LazyLock::new(|| {
    let file = std::env::var("FLIPSIDE_SMOLLM2").ok()?;
    Some(Causal::open(&Utf8PathBuf::from(file), Numbers::F32).unwrap())
});

#[expect(clippy::print_stdout, reason = "a test says that it is skipped")]
fn model() -> Option<&'static Causal> {
    let model = MODEL.as_ref();
    if model.is_none() {
        println!("skipped: FLIPSIDE_SMOLLM2 names no file of SmolLM2-135M-Instruct");
    }
    model
}

#[test]
fn it_is_the_published_file() {
    let Some(model) = model() else { return };
    assert_eq!(model.digest(), DIGEST);
    let config = model.config();
    let found = (
        config.layers,
        config.width,
        config.heads,
        config.key_heads,
        config.head,
    );
    assert_eq!(found, (30, 576, 9, 3, 64));
    assert!(model.chats());
}

/// candle's own reader gives 15232 for the first of the second text: it takes the cutting rules for GPT-2's and adds a blank.
#[test]
fn its_token_ids_are_the_published_ones() {
    let Some(model) = model() else { return };
    let ids = |text: &str| model.encode(text).unwrap();
    assert_eq!(ids("The capital of France is"), [504, 3575, 282, 4649, 314]);
    assert_eq!(
        ids("Question: 2024 is 12% off?"),
        [
            17872, 42, 216, 34, 32, 34, 36, 314, 216, 33, 34, 21, 767, 47
        ]
    );
    assert_eq!(
        ids("<|im_start|>user\nHi<|im_end|>\n"),
        [1, 4093, 198, 26843, 2, 198]
    );
    assert_eq!((ids("A"), ids(" A")), (vec![49], vec![330]));
    assert_eq!((ids("B"), ids(" B")), (vec![50], vec![389]));
    for id in [49, 330] {
        assert!(model.letter(b'A').contains(&id));
    }
}

/// By a forward pass in `NumPy` on weights dequantised to 32 bits, to three decimals.
#[test]
fn its_most_likely_tokens_are_the_published_ones() {
    let Some(model) = model() else { return };
    let ids = model.encode("The capital of France is").unwrap();
    let logits = model.next(&ids).unwrap();
    let mut ranked: Vec<u32> = (0..49_152).collect();
    ranked.sort_by(|a, b| logits[*b as usize].total_cmp(&logits[*a as usize]));
    let words: Vec<&str> = ranked[..5].iter().map(|id| model.token(*id)).collect();
    assert_eq!(words, ["ĠParis", "Ġthe", "ĠLondon", "ĠLe", "ĠNew"]);
    let top: Vec<f32> = ranked[..5].iter().map(|id| logits[*id as usize]).collect();
    near(
        "top",
        &top,
        &[17.371, 14.889, 13.245, 13.010, 12.952],
        (1e-3, 0.0),
    );
}

/// How eight cases are answered in file order and reversed.
fn answered(
    model: &Causal,
    ask: impl Fn(&str, &str, &[&str]) -> Request,
    mean: bool,
) -> [usize; 3] {
    let (mut flips, mut right, mut reversed) = (0, 0, 0);
    for (state, question, options, correct) in cases() {
        let mut choices = Vec::new();
        for order in [[0, 1, 2, 3], [3, 2, 1, 0]] {
            let shown = order.map(|option| options[option]);
            let asked = model
                .ask(&[ask(&state, question, &shown)])
                .remove(0)
                .unwrap();
            let scores = asked.scores;
            let mut values = scores.log_probabilities;
            if mean {
                for (value, tokens) in values.iter_mut().zip(&scores.tokens) {
                    *value /= f64::from(u32::try_from(*tokens).unwrap());
                }
            }
            let best = (0..4)
                .max_by(|a, b| values[*a].total_cmp(&values[*b]))
                .unwrap();
            choices.push(order[best]);
        }
        flips += usize::from(choices[0] != choices[1]);
        right += usize::from(choices[0] == correct);
        reversed += usize::from(choices[1] == correct);
    }
    [flips, right, reversed]
}

fn lettered(options: &[&str]) -> String {
    let lines = options.iter().zip('A'..);
    let lines: Vec<String> = lines
        .map(|(text, letter)| format!("{letter}. {text}\n"))
        .collect();
    lines.concat()
}

#[test]
fn letters_in_its_chat_template_move_with_the_order_in_eight_of_eight() {
    let Some(model) = model() else { return };
    let ask = |state: &str, question: &str, options: &[&str]| Request {
        chat: true,
        ..plain(
            &format!(
                "{state}\n\nQuestion: {question}\n{}Answer with one letter.",
                lettered(options)
            ),
            letters(4),
        )
    };
    assert_eq!(answered(model, ask, false), [8, 2, 2]);
}

#[test]
fn letters_after_plain_text_move_with_the_order_in_eight_of_eight() {
    let Some(model) = model() else { return };
    let ask = |state: &str, question: &str, options: &[&str]| {
        let lines = lettered(options);
        plain(
            &format!("{state}\nQuestion: {question}\n{lines}Answer:"),
            letters(4),
        )
    };
    assert_eq!(answered(model, ask, false), [8, 2, 2]);
}

#[test]
fn listed_texts_move_in_four_of_eight() {
    let Some(model) = model() else { return };
    let ask = |state: &str, question: &str, options: &[&str]| {
        let listed = options.join("; ");
        plain(
            &format!("{state}\nQuestion: {question}\nOptions: {listed}\nAnswer:"),
            texts(options),
        )
    };
    assert_eq!(answered(model, ask, true), [4, 2, 1]);
}

#[test]
fn texts_without_a_list_move_in_none() {
    let Some(model) = model() else { return };
    let ask = |state: &str, question: &str, options: &[&str]| {
        plain(
            &format!("{state}\nQuestion: {question}\nAnswer:"),
            texts(options),
        )
    };
    assert_eq!(answered(model, ask, true), [0, 4, 4]);
}

/// 24 orders of a lettered list: what is computed is the tree, counted here by the prefixes of the tokens themselves.
#[test]
fn every_order_costs_what_the_tree_of_its_tokens_has() {
    let Some(model) = model() else { return };
    let (state, question, options, _) = cases().remove(0);
    let mut requests = Vec::new();
    for order in (0..256).map(|n| [n / 64, n / 16 % 4, n / 4 % 4, n % 4]) {
        if (0..4).all(|option| order.contains(&option)) {
            let shown = order.map(|option| options[option]);
            let lines = lettered(&shown);
            requests.push(plain(
                &format!("{state}\n\nQuestion: {question}\n{lines}Answer:"),
                letters(4),
            ));
        }
    }
    assert_eq!(requests.len(), 24);
    let paths = requests
        .iter()
        .map(|request| model.before(request).unwrap());
    let paths: Vec<Vec<u32>> = paths.collect();
    let prefixes: std::collections::BTreeSet<&[u32]> = paths
        .iter()
        .flat_map(|path| (1..=path.len()).map(|end| &path[..end]))
        .collect();
    let file = std::env::var("FLIPSIDE_SMOLLM2").unwrap();
    let fresh = Causal::open(&Utf8PathBuf::from(file), Numbers::F32).unwrap();
    let asked = fresh.ask(&requests);
    let asked: Vec<_> = asked.into_iter().map(Result::unwrap).collect();
    assert_eq!(
        asked.iter().map(|asked| asked.computed).sum::<usize>(),
        prefixes.len()
    );
    let naive: usize = paths.iter().map(Vec::len).sum();
    assert_eq!(asked.iter().map(|asked| asked.naive).sum::<usize>(), naive);
    println!("{} of {naive} tokens computed", prefixes.len());
    // Alone, from nothing, each is the same to the bit.
    for (request, asked) in requests.iter().zip(&asked).step_by(5) {
        assert_eq!(fresh.ask_alone(request).unwrap().scores, asked.scores);
    }
}
