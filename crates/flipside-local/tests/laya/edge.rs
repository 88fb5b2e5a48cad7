//! Where cuts begin, and what settings are that a folder does not state.

use camino::Utf8Path;
use flipside_core::json::Json;
use flipside_local::laya::{Laya, Layout, Question, Sequence, State};

use crate::golden::Golden;
use crate::support::{asked, open};

/// Changes a member of a configuration file; `None` removes it.
fn set(file: &Utf8Path, member: &str, value: Option<u64>) {
    let text = std::fs::read_to_string(file).unwrap();
    let mut config: serde_json::Value = serde_json::from_str(&text).unwrap();
    let members = config.as_object_mut().unwrap();
    match value {
        Some(value) => members.insert(member.to_owned(), value.into()),
        None => members.remove(member),
    };
    std::fs::write(file, config.to_string()).unwrap();
}

/// The tokens of a choice among labels of these lengths; a byte is a token here.
fn labelled(laya: &Laya, lengths: &[usize]) -> Result<Sequence, String> {
    let labels = ('a'..).zip(lengths);
    let labels: Vec<String> = labels
        .map(|(letter, length)| String::from(letter).repeat(*length))
        .collect();
    let question = serde_json::json!({
        "type": "choice", "instructions": "Which of these many teams is it?", "criteria": labels
    });
    let question = flipside_formats::json::parse(&question.to_string()).unwrap();
    let question = Question::parse(&question).unwrap();
    let state = State::of(&Json::String("x".into())).unwrap();
    laya.sequence(&state, &question)
        .map_err(|error| error.to_string())
}

/// By hand: with a blank in front a label of 46 letters is 47 tokens, with its mask 48. Three of them leave 160 − 144 = 16 tokens,
/// which is enough. A letter more leaves 15: each is cut to (160 − 16) / 3 = 48 tokens, of which one is the mask.
#[test]
fn options_are_cut_where_fewer_than_sixteen_tokens_are_left() {
    let (_kept, folder) = Golden::open("laya-a").checkpoint();
    let laya = open(&folder);
    assert_eq!(laya.config().head_max_len, 160);
    let fits = labelled(&laya, &[46, 46, 46]).unwrap().cuts;
    assert_eq!(fits.options, [(47, 47), (47, 47), (47, 47)]);
    let head = "choice question: Which of these many teams is it?".len();
    assert_eq!(fits.head, (head, 16));
    let cut = labelled(&laya, &[46, 47, 46]).unwrap().cuts;
    assert_eq!(cut.options, [(47, 47), (48, 47), (47, 47)]);
    assert_eq!(cut.head, (head, 16));
    // One token fewer for the head and both branches differ: 159 − 144 is below 16, (159 − 16) / 3 = 47.
    set(
        &folder.join("rl_agent_config.json"),
        "head_max_len",
        Some(159),
    );
    let cut = labelled(&open(&folder), &[46, 46, 46]).unwrap().cuts;
    assert_eq!(cut.options, [(47, 46), (47, 46), (47, 46)]);
    assert_eq!(cut.head, (head, 159 - 3 * 47));
}

#[test]
fn an_option_fits_whose_mask_is_the_last_token() {
    let (_kept, folder) = Golden::open("laya-a").checkpoint();
    let whole = labelled(&open(&folder), &[5, 5, 5]).unwrap();
    let last = u64::try_from(whole.markers[2]).unwrap();
    let config = folder.join("rl_agent_config.json");
    set(&config, "max_len", Some(last + 1));
    let fits = labelled(&open(&folder), &[5, 5, 5]).unwrap();
    assert_eq!(fits.markers, whole.markers);
    assert_eq!(fits.ids, whole.ids[..=whole.markers[2]]);
    set(&config, "max_len", Some(last));
    assert_eq!(
        labelled(&open(&folder), &[5, 5, 5]).unwrap_err(),
        format!("2 of 3 options fit into {last} tokens; offer fewer, or shorter ones")
    );
}

/// The first golden states what is the published default anyway, but for budgets and positions.
#[test]
fn settings_that_are_not_stated_are_the_published_defaults() {
    let golden = Golden::open("laya-a");
    let (_kept, folder) = golden.checkpoint();
    let logits = |laya: &Laya| {
        let (state, question) = asked(golden.case("string"));
        laya.ask(&state, &question).unwrap().scored.logits
    };
    let stated = logits(&open(&folder));
    let encoder = folder.join("encoder/config.json");
    for member in [
        "global_rope_theta",
        "local_rope_theta",
        "global_attn_every_n_layers",
        "norm_eps",
        "hidden_activation",
        "norm_bias",
        "max_position_embeddings",
    ] {
        set(&encoder, member, None);
    }
    assert_eq!(logits(&open(&folder)), stated);
    let agent = folder.join("rl_agent_config.json");
    for member in ["max_len", "head_max_len", "temperature"] {
        set(&agent, member, None);
    }
    let config = open(&folder).config().clone();
    assert_eq!((config.max_len, config.head_max_len), (512, 192));
    assert_eq!((config.layout, config.actions), (Layout::Sequential, 2));
    // Without a number of positions there are 8192.
    set(&agent, "max_len", Some(8192));
    assert_eq!(open(&folder).config().max_len, 8192);
    set(&agent, "max_len", Some(8193));
    let error = Laya::open(&folder, flipside_local::Precision::F32);
    assert!(
        error
            .err()
            .unwrap()
            .to_string()
            .ends_with("`max_len` is 8193, the encoder has 8192 positions")
    );
}
