//! Causal language models in process: what they are sent, how replies are aligned, what is paid once.

#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps nothing")]

use std::sync::Arc;

use flipside_core::answer::{Answer, ReadoutKind};
use flipside_core::case::{
    Brought, Case, CaseId, CaseOption, Key, KeyBinding, Question, QuestionKind, Source,
};
use flipside_core::json::Json;
use flipside_core::model::Sending;
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::Variant;
use flipside_core::present::Presentation;
use flipside_local::causal::{Causal, Numbers, Request};
use flipside_models::catalog::{ModelSpec, in_process};
use flipside_models::local::InsideModel;
use flipside_models::wire;

fn file(name: &str) -> String {
    format!(
        "{}/../flipside-local/tests/goldens/{name}/model.gguf",
        env!("CARGO_MANIFEST_DIR")
    )
}

fn model(settings: &str) -> Arc<dyn InsideModel> {
    let spec = format!("gguf:{}{settings}", file("causal-llama"));
    let spec = ModelSpec::parse(&spec).unwrap();
    in_process(&spec).unwrap().unwrap()
}

fn case() -> Case {
    let options = [("a", "in the thing"), ("b", "there"), ("c", "on 12")];
    let options: Vec<CaseOption> = options
        .iter()
        .map(|(key, text)| CaseOption {
            key: Key((*key).to_owned()),
            text: Some(Json::String((*text).to_owned())),
        })
        .collect();
    Case {
        id: CaseId("c".to_owned()),
        named: true,
        source: Source {
            format: "probe".into(),
            file: "-".into(),
            line: 1,
        },
        state: Json::String("charged twice".to_owned()),
        question: Question {
            kind: QuestionKind::Score,
            name: "q".to_owned(),
            instructions: Some(Json::String("Which?".to_owned())),
            before: Vec::new(),
            after: Vec::new(),
        }
        .into(),
        options: options.into(),
        keys: KeyBinding::Option,
        accept: Vec::new().into(),
        position_dependent: None,
        note: None,
        fields: Vec::new().into(),
        equal: Vec::new().into(),
        brought: Brought::default(),
    }
}

fn order(list: &[u64]) -> Order {
    Order::new(list).unwrap()
}

fn sent(model: &dyn InsideModel, list: &[u64]) -> String {
    let (case, order) = (case(), order(list));
    String::from_utf8(model.request(&Presentation::new(&case, &order)).unwrap()).unwrap()
}

async fn asked(model: &dyn InsideModel, list: &[u64], variant: &Variant) -> Answer {
    let (case, order) = (case(), order(list));
    let shown = Presentation::new(&case, &order);
    let bytes = model.request(&shown).unwrap();
    let sending = Sending {
        shown: &shown,
        bytes: &bytes,
        case: &case.id,
        variant,
        again: false,
        attempt: 1,
    };
    let reply = model.send(sending).await.unwrap();
    assert!(reply.server_ms.is_some());
    model.read(&shown, &reply).unwrap()
}

#[test]
fn each_readout_has_its_own_words() {
    const LISTED: &str = r#""charged twice\n\nWhich?\n- in the thing\n- there\n- on 12\nAnswer:""#;
    const ALONE: &str = r#""charged twice\n\nWhich?\nAnswer:""#;
    const TEXTS: &str = r#""texts":["in the thing","there","on 12"]"#;
    let letter = r#"{"chat":true,"system":"You choose exactly one option. Answer with its letter alone.","user":"charged twice\n\nWhich?\nA) there\nB) on 12\nC) in the thing\nLetter:","letters":"ABC"}"#;
    assert_eq!(sent(&*model(""), &[1, 2, 0]), letter);
    assert_eq!(
        sent(&*model("?read=text"), &[0, 1, 2]),
        format!(r#"{{"chat":false,"user":{LISTED},{TEXTS}}}"#)
    );
    assert_eq!(
        sent(&*model("?read=pointwise"), &[0, 1, 2]),
        format!(r#"{{"chat":false,"user":{ALONE},{TEXTS}}}"#)
    );
    assert_eq!(
        sent(&*model("?read=pointwise&normalise=pmi"), &[0, 1, 2]),
        format!(r#"{{"chat":false,"user":{ALONE},{TEXTS},"less":{{"user":"Answer:"}}}}"#)
    );
    let contextual = sent(&*model("?template=plain&normalise=contextual"), &[0, 1, 2]);
    let less = r#""less":{"system":"You choose exactly one option. Answer with its letter alone.","user":"N/A\n\nWhich?\nA) in the thing\nB) there\nC) on 12\nLetter:"}}"#;
    assert!(contextual.starts_with(r#"{"chat":false,"#), "{contextual}");
    assert!(contextual.ends_with(less), "{contextual}");
}

#[test]
fn settings_are_found_again_from_a_record() {
    for settings in [
        "",
        "?template=plain",
        "?read=text&length=sum",
        "?read=pointwise&length=byte&normalise=pmi",
        "?read=text&chat=yes&normalise=contextual",
    ] {
        let card = model(settings).card().clone();
        let mut wire = card.protocol.unwrap();
        assert_eq!(wire::open(&wire).unwrap().wire(), wire, "{settings}");
        assert!(!card.remote && !card.object_order && !card.whole_replies);
        wire.settings.insert("length".to_owned(), "ell".to_owned());
        assert!(wire::open(&wire).is_none());
    }
}

/// The distribution from the file itself, by the formulas: softmax of log-probabilities, of means per token, of sums less what the
/// text has anyway.
#[tokio::test]
async fn distributions_are_the_formulas() {
    type Formula = fn(&[f64], &[f64], &[f64]) -> Vec<f64>;
    let plain: Formula = |own, _, _| own.to_vec();
    let mean: Formula = |own, _, tokens| own.iter().zip(tokens).map(|(x, n)| x / n).collect();
    let less: Formula = |own, less, _| own.iter().zip(less).map(|(x, y)| x - y).collect();
    let local = Causal::open(file("causal-llama").as_str().into(), Numbers::F32).unwrap();
    for (settings, formula) in [
        ("", plain),
        ("?normalise=contextual", less),
        ("?read=text", mean),
        ("?read=text&length=sum", plain),
        ("?read=pointwise&length=sum&normalise=pmi", less),
    ] {
        let model = model(settings);
        let list = [2, 0, 1];
        let answer = asked(&*model, &list, &Variant::baseline()).await;
        let text = sent(&*model, &list);
        let json = flipside_formats::json::parse(&text).unwrap();
        let request = Request::parse(&json).unwrap();
        let own = local.ask_alone(&request).unwrap();
        #[expect(clippy::cast_precision_loss, reason = "a few tokens")]
        let tokens: Vec<f64> = own.scores.tokens.iter().map(|n| *n as f64).collect();
        let other = own.less.map_or(Vec::new(), |less| less.log_probabilities);
        let values = formula(&own.scores.log_probabilities, &other, &tokens);
        let total: f64 = values.iter().map(|value| value.exp()).sum();
        let found = answer.probabilities.unwrap();
        let readout = answer.readout.unwrap();
        for (place, id) in list.iter().enumerate() {
            let id = usize::try_from(*id).unwrap();
            let expected = values[place].exp() / total;
            assert!((found[id] - expected).abs() < 1e-9, "{settings}: {found:?}");
            let log = own.scores.log_probabilities[place];
            assert_eq!(readout.log_probabilities[id], Some(log), "{settings}");
        }
        let letter = settings.is_empty() || settings.starts_with("?normalise");
        assert_eq!(readout.kind == ReadoutKind::LetterLogprobs, letter);
        assert_eq!(readout.covered, own.scores.covered);
        assert_eq!(answer.usage.input_tokens, Some(own.naive as u64));
    }
}

#[tokio::test]
async fn without_a_list_no_order_changes_a_bit() {
    let model = model("?read=pointwise");
    let own = asked(&*model, &[0, 1, 2], &Variant::baseline()).await;
    for list in [[2, 1, 0], [1, 2, 0]] {
        let other = asked(&*model, &list, &Variant::order("reverse")).await;
        assert_eq!(other.probabilities, own.probabilities);
        assert_eq!(other.choice, own.choice);
    }
}

#[tokio::test]
async fn a_prefix_is_paid_once_and_a_control_pays_all_of_it() {
    let model = model("?template=plain");
    let own = asked(&*model, &[0, 1, 2], &Variant::baseline()).await;
    assert_eq!(own.usage.cached_tokens, Some(0));
    let other = asked(&*model, &[0, 2, 1], &Variant::order("x")).await;
    let (all, kept) = (other.usage.input_tokens, other.usage.cached_tokens);
    assert!(kept > Some(80) && kept < all, "{kept:?} of {all:?}");
    let again = asked(&*model, &[0, 1, 2], &Variant::order("y")).await;
    assert_eq!(again.usage.cached_tokens, again.usage.input_tokens);
    let control = asked(&*model, &[0, 1, 2], &Variant::same(1)).await;
    assert_eq!(control.usage.cached_tokens, Some(0));
    for answer in [&again, &control] {
        assert_eq!(answer.probabilities, own.probabilities);
    }
    assert!(model.by_case());
}

#[test]
fn what_is_below_the_answer_moves_with_letters_and_not_without_a_list() {
    let (case, own, other) = (case(), order(&[0, 1, 2]), order(&[2, 1, 0]));
    let (own, other) = (
        Presentation::new(&case, &own),
        Presentation::new(&case, &other),
    );
    let pointwise = model("?read=pointwise");
    let (a, b) = (pointwise.see(&own).unwrap(), pointwise.see(&other).unwrap());
    let mut reversed = b.logits.clone();
    reversed.reverse();
    assert_eq!(a.logits, reversed);
    assert_eq!(a.vectors[0], b.vectors[2]);
    assert_eq!(a.vectors[0].len(), 64);
    assert!(pointwise.equal_slots(&own).is_none());
    let letter = model("");
    let seen = letter.see(&own).unwrap();
    assert_ne!(seen.vectors[0], letter.see(&other).unwrap().vectors[2]);
    assert_eq!(
        seen.vectors[0], seen.vectors[1],
        "one state has all letters"
    );
    let equal = letter.equal_slots(&own).unwrap().unwrap();
    assert_eq!(equal.len(), 3);
    assert_ne!(equal[0].to_bits(), equal[1].to_bits(), "letters differ");
    assert_ne!(equal, seen.logits, "other texts were read");
    assert!(letter.rescore(&seen.vectors).is_none());
    let choice = seen.choice;
    assert!(
        seen.probabilities
            .iter()
            .all(|p| *p <= seen.probabilities[choice])
    );
    assert_eq!(letter.precision().name, "f32");
}

#[tokio::test]
async fn what_it_is_is_said_and_measured() {
    let found = model("?precision=quantised").inquire().await.remove(0);
    let lines = found.found.unwrap();
    let has = |text: &str| lines.iter().any(|line| line.contains(text));
    assert!(
        has("llama: 2 layers, width 64, 4 query heads on 2 key heads, 273 tokens"),
        "{lines:?}"
    );
    assert!(has("computes in quantised"), "{lines:?}");
    assert!(
        has("the shape of a batch moves a log-probability by at most"),
        "{lines:?}"
    );
    assert!(
        has("quantised moves a log-probability by up to"),
        "{lines:?}"
    );
    let lines = model("?read=text").inquire().await.remove(0).found.unwrap();
    assert!(
        !lines.iter().any(|line| line.contains("against f32")),
        "{lines:?}"
    );
}

#[test]
fn a_choice_of_letters_keeps_the_first_of_a_tie() {
    // Equal log-probabilities in a reply: nothing in it prefers one, so that the first position is taken and said to be.
    let model = model("");
    let (case, list) = (case(), order(&[2, 0, 1]));
    let shown = Presentation::new(&case, &list);
    let reply = |body: &str| flipside_core::model::Reply {
        body: body.to_owned(),
        ..Default::default()
    };
    let tied = r#"{"model":"m","log_probabilities":[-1.0,-1.0,-3.0],"logits":[2.0,2.0,0.0],"covered":0.4,"usage":{"input_tokens":9,"computed_tokens":4}}"#;
    let answer = model.read(&shown, &reply(tied)).unwrap();
    assert_eq!(answer.choice, Some(OptionId(2)));
    assert!(answer.tied && answer.tie_broken);
    assert_eq!(answer.usage.cached_tokens, Some(5));
    assert_eq!(answer.remarks.len(), 2, "{:?}", answer.remarks);
    for (body, message) in [
        ("{}", "the reply has no `log_probabilities` (causal-lists)"),
        (
            r#"{"log_probabilities":[-1.0]}"#,
            "`log_probabilities` has 1 numbers, 3 options were shown (causal-lists)",
        ),
        (
            r#"{"log_probabilities":[-1.0,-1.0,-1.0],"less":{"log_probabilities":[-1.0,-1.0,-1.0]}}"#,
            "the reply compares with something else than was asked (causal-lists)",
        ),
    ] {
        let error = model.read(&shown, &reply(body)).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn every_bad_setting_says_what_there_is() {
    for (settings, message) in [
        (
            "",
            "expected a file after `gguf:`, such as `gguf:model.gguf`",
        ),
        (
            "?read=text",
            "expected a file after `gguf:`, such as `gguf:model.gguf`",
        ),
        (
            "m?read=plain",
            "expected `?read=letter`, `?read=text` or `?read=pointwise`",
        ),
        (
            "m?precision=bf16",
            "expected `?precision=f32` or `?precision=quantised`",
        ),
        (
            "m?length=long",
            "expected `?length=mean`, `?length=sum` or `?length=byte`",
        ),
        (
            "m?normalise=x",
            "expected `?normalise=none`, `?normalise=contextual` or `?normalise=pmi`",
        ),
        ("m?chat=maybe", "expected `?chat=yes` or `?chat=no`"),
        (
            "m?template=",
            "expected `?template=plain`, or a file with the words around a case",
        ),
        (
            "m?top=3",
            "expected a setting `read`, `template`, `chat`, `length`, `normalise` or `precision` of `gguf`, found `top`",
        ),
        ("m?read=text&read=text", "the setting `read` is given twice"),
        (
            "m?length=sum",
            "`length` belongs to `read=text` and `read=pointwise`: letters have none",
        ),
        (
            "m?normalise=pmi",
            "`normalise=pmi` belongs to `read=text` and `read=pointwise`; letters have `normalise=contextual`",
        ),
        (
            "m?template=plain&chat=yes",
            "`template=plain` asks without the chat template; leave out `chat`",
        ),
    ] {
        let error = ModelSpec::parse(&format!("gguf:{settings}")).unwrap_err();
        assert_eq!(error.problem, message, "{settings}");
    }
}

#[test]
fn words_of_a_file_are_read_for_the_readout() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("words.txt");
    let load = |words: &str, read: &str| {
        std::fs::write(&path, words).unwrap();
        let spec = format!(
            "gguf:{}?read={read}&template={}",
            file("causal-llama"),
            path.display()
        );
        in_process(&ModelSpec::parse(&spec).unwrap()).unwrap()
    };
    let own = load(
        "[user]\nState: {{state}}\nAnswer:\n[answer]\n{{text}}",
        "pointwise",
    );
    assert_eq!(
        sent(&*own.unwrap(), &[0, 1, 2]),
        r#"{"chat":false,"user":"State: charged twice\nAnswer:","texts":["in the thing","there","on 12"]}"#
    );
    let listed = load("[user]\n{{state}}\n{{options}}\nAnswer:", "pointwise");
    let error = listed.err().unwrap().to_string();
    assert!(
        error.ends_with(
            "line 1: the words list `{{options}}`, which `read=pointwise` shows to no option"
        ),
        "{error}"
    );
    let blank = load("[user]\n{{state}}\n{{options}}\nAnswer: ", "text").unwrap();
    let (case, own) = (case(), order(&[0, 1, 2]));
    let error = blank.request(&Presentation::new(&case, &own)).unwrap_err();
    assert!(
        error
            .reason
            .starts_with("the words before the answer end in a blank"),
        "{error}"
    );
}
