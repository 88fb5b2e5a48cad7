//! The settings of `flipside invariance`.

use flipside_core::case::KeyBinding;
use flipside_core::invariance::{MOST_OPTIONS, Settings};
use flipside_formats::read::{Format, Input, QuestionAs, ReadOptions};
use flipside_models::catalog::{Kind, ModelSpec};

use super::values::{Check, whole};
use crate::diagnostic::Diagnostic;
use crate::flags::InvarianceFlags;

/// The most orders of one question: more would be held in memory than tell anything new.
const MOST_ORDERS: u64 = 1_000_000;

/// What `flipside invariance` does.
#[derive(Debug)]
pub(crate) struct Invariance {
    pub(crate) inputs: Vec<Input>,
    pub(crate) read: ReadOptions,
    /// Each as the user names it.
    pub(crate) models: Vec<ModelSpec>,
    pub(crate) limit: usize,
    /// Numbers of options, ascending; empty for the questions as they are.
    pub(crate) options: Vec<usize>,
    pub(crate) study: Settings,
    pub(crate) require: bool,
    pub(crate) markdown: bool,
    pub(crate) json: Option<String>,
}

/// Checks the flags.
///
/// # Errors
/// Every bad value.
pub(crate) fn invariance(flags: &InvarianceFlags) -> Result<Invariance, Vec<Diagnostic>> {
    let mut check = Check::default();
    let mut inputs = Vec::new();
    for text in &flags.cases {
        match text.parse::<Input>() {
            Ok(input) => inputs.push(input),
            Err(error) => check.errors.push(Diagnostic::caused(&error)),
        }
    }
    let defaults = ["tiny-agentjev".to_owned(), "tiny-laya".to_owned()];
    let named: &[String] = if flags.model.is_empty() {
        &defaults
    } else {
        &flags.model
    };
    let mut models: Vec<ModelSpec> = Vec::new();
    for text in named {
        match ModelSpec::parse(text) {
            Ok(spec) => match spec.kind() {
                Kind::Local(_) | Kind::Causal(_)
                    if models.iter().any(|known| known.text() == text) =>
                {
                    check.errors.push(Diagnostic::new(format!("`--model {text}` is given twice")));
                }
                Kind::Local(_) | Kind::Causal(_) => models.push(spec),
                _ => check.refuse(
                    "--model",
                    text,
                    "a model in process: `tiny-laya`, `tiny-agentjev`, `laya:DIR`, `agentjev:DIR`, `embed:DIR` or `gguf:FILE`; others show nothing below their answer",
                ),
            },
            Err(error) => {
                let told = Diagnostic::new(&error);
                check.errors.push(told.help("`flipside models` lists them with what each needs"));
            }
        }
    }
    let format = check.value(
        "--format",
        flags.format.as_deref(),
        &Format::names(),
        |text| text.parse::<Format>().ok(),
    );
    let mut number = |flag: &str, text: Option<&str>, default: usize, most: u64| {
        let words = format!("a plain number from 1 to {most}");
        let value = check.value(flag, text, &words, |text| whole(text, 1, most));
        value.map_or(default, |value| usize::try_from(value).unwrap_or(default))
    };
    let study = Settings::default();
    let limit = number(
        "--limit",
        flags.limit.as_deref(),
        usize::MAX,
        u64::from(u32::MAX),
    );
    let drawn = number(
        "--orders",
        flags.orders.as_deref(),
        study.drawn,
        MOST_ORDERS,
    );
    let passes = number(
        "--passes",
        flags.passes.as_deref(),
        study.passes,
        MOST_ORDERS,
    );
    let seed = check.value(
        "--seed",
        flags.seed.as_deref(),
        "a plain number from 0 to 18446744073709551615",
        |text| whole(text, 0, u64::MAX),
    );
    let options = check.value(
        "--options",
        flags.options.as_deref(),
        "different plain numbers from 2 to 255, comma-separated",
        counts,
    );
    check.done(Invariance {
        inputs,
        read: ReadOptions {
            format,
            answer_base: None,
            question_as: QuestionAs::State,
            bind_keys: KeyBinding::Place,
            keep_position_dependent: false,
        },
        models,
        limit,
        options: options.unwrap_or_default(),
        study: Settings {
            seed: seed.unwrap_or(study.seed),
            drawn,
            passes,
            ..study
        },
        require: flags.require,
        markdown: flags.markdown,
        json: flags.json.clone(),
    })
}

fn counts(text: &str) -> Option<Vec<usize>> {
    let most = MOST_OPTIONS as u64;
    let mut counts = text
        .split(',')
        .map(|count| whole(count.trim(), 2, most).and_then(|count| usize::try_from(count).ok()))
        .collect::<Option<Vec<usize>>>()?;
    let given = counts.len();
    counts.sort_unstable();
    counts.dedup();
    (counts.len() == given).then_some(counts)
}
