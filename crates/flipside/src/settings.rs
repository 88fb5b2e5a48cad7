//! Flags to settings: everything is checked here, together, before a file is read, a model built or a key needed.

use camino::Utf8PathBuf;
use flipside_core::case::KeyBinding;
use flipside_core::gate::GateSpec;
use flipside_core::perturb::order::{FORMS, OrderSpec};
use flipside_formats::read::{AnswerBase, Format, Input, QuestionAs, ReadOptions};
use flipside_models::catalog::Kind;

use crate::defaults;
use crate::diagnostic::Diagnostic;
use crate::flags::{AskedFlags, DecideFlags, JudgedFlags, ModelFlags, OutputFlags, ProbeFlags};

mod asking;
mod axes;
mod comparing;
mod invariance;
mod judging;
mod mcp;
mod reask;
mod reporting;
mod suite;
mod values;

use asking::models;
use values::{Check, whole};

pub(crate) use asking::{Models, key_variable, model_name, small_limits, timeout};
pub(crate) use axes::Axes;
pub(crate) use comparing::{Compare, compare};
pub(crate) use invariance::{Invariance, invariance};
pub(crate) use judging::Judging;
pub(crate) use mcp::{Mcp, ProbeCall, mcp};
pub(crate) use reask::{Reask, Supplied, reask};
pub(crate) use reporting::{Rendered, Report, report};
pub(crate) use suite::{SuiteGenerate, SuiteRun, SuiteScore};
pub(crate) use suite::{suite_generate, suite_run, suite_score};

/// What `flipside probe` does.
#[derive(Debug)]
pub(crate) struct Probe {
    pub(crate) inputs: Vec<Input>,
    pub(crate) read: ReadOptions,
    pub(crate) probing: Probing,
    /// Whether it is done again each time a case file changes.
    pub(crate) watch: bool,
}

/// What is asked of cases, wherever they come from, and how it is judged and told.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct Probing {
    pub(crate) orders: Orders,
    pub(crate) axes: Axes,
    pub(crate) gates: Vec<GateSpec>,
    pub(crate) judging: Judging,
    pub(crate) threshold: Option<f64>,
    pub(crate) models: Models,
    /// Whether a canary tells first if order reaches the model.
    pub(crate) canary: bool,
    pub(crate) out: Option<Utf8PathBuf>,
    pub(crate) json: Option<String>,
    pub(crate) dry_run: bool,
    pub(crate) verbose: bool,
    pub(crate) quiet: bool,
}

/// Which orders are asked.
#[derive(Debug)]
pub(crate) struct Orders {
    pub(crate) specs: Vec<OrderSpec>,
    pub(crate) seed: u64,
    pub(crate) most: usize,
}

/// What `flipside decide` does.
#[derive(Debug)]
pub(crate) struct Decide {
    pub(crate) state: TextSource,
    pub(crate) options: Vec<(String, String)>,
    pub(crate) rules: String,
    pub(crate) orders: Orders,
    pub(crate) models: Models,
}

/// Where a text comes from.
#[derive(Debug)]
pub(crate) enum TextSource {
    Text(String),
    File(Utf8PathBuf),
}

impl TextSource {
    /// A flag's value: the text itself, or `@FILE`.
    fn of(text: &str) -> Self {
        match text.strip_prefix('@') {
            Some(file) => Self::File(file.into()),
            None => Self::Text(text.to_owned()),
        }
    }
}

fn orders(
    check: &mut Check,
    entries: &[String],
    seed: Option<&str>,
    max_orders: Option<&str>,
    axes: &Axes,
    models: &Models,
) -> Orders {
    let mut specs = Vec::new();
    for entry in entries {
        match OrderSpec::parse_list(entry) {
            Ok(more) => specs.extend(more),
            Err(errors) => check.errors.extend(errors.iter().map(|error| {
                Diagnostic::new(format!("`--order`: {error}")).help(format!("orders are {FORMS}"))
            })),
        }
    }
    let lists: Vec<String> = specs
        .iter()
        .filter(|spec| matches!(spec, OrderSpec::List(_)))
        .map(ToString::to_string)
        .collect();
    if let Some(pair) = lists.windows(2).find(|pair| pair[0] != pair[1]) {
        let [first, second] = [0, 1].map(|place| flipside_core::foreign::Foreign(&pair[place]));
        check.errors.push(
            Diagnostic::new(format!(
                "`--order`: the orders of `{first}` and `{second}` would have one name"
            ))
            .help("put all orders into one file"),
        );
    }
    let number = "a plain number from 0 to 18446744073709551615";
    let given = check.value("--seed", seed, number, |text| whole(text, 0, u64::MAX));
    let model_draws = models
        .specs
        .iter()
        .any(|spec| matches!(spec.kind(), Kind::Random | Kind::Noisy(_)));
    let draws = model_draws || axes.draws() || specs.iter().any(OrderSpec::draws);
    if let Some(text) = seed.filter(|_| given.is_some() && !draws) {
        let mut asked: Vec<String> = specs.iter().map(ToString::to_string).collect();
        asked.extend(axes.specs.iter().map(ToString::to_string));
        let asked = if asked.is_empty() {
            "no other order is asked".to_owned()
        } else {
            let asked = asked.join(",");
            format!(
                "`{}` draws nothing",
                flipside_core::foreign::Foreign(&asked)
            )
        };
        check.errors.push(
            Diagnostic::new(format!(
                "`--seed {text}`: {asked}, so the seed would change nothing"
            ))
            .help("leave it out, or ask an order that draws: `random:N`, `shuffle:N` or `all`"),
        );
    }
    let most = check.value(
        "--max-orders",
        max_orders,
        "a plain number from 1 to 1000000",
        |text| whole(text, 1, 1_000_000),
    );
    Orders {
        specs,
        seed: given.unwrap_or(defaults::SEED),
        most: most
            .and_then(|most| usize::try_from(most).ok())
            .unwrap_or(defaults::MAX_ORDERS),
    }
}

/// Checks the flags that every command has which asks cases in several ways.
fn probing(
    check: &mut Check,
    command: &str,
    asked: &AskedFlags,
    judged: &JudgedFlags,
    output: &OutputFlags,
    model: &ModelFlags,
) -> Probing {
    let mut models = models(check, model);
    models.hardware = asking::hardware(check, output.hardware.as_deref());
    let axes = axes::read(check, asked);
    let orders = orders(
        check,
        &asked.order,
        asked.seed.as_deref(),
        asked.max_orders.as_deref(),
        &axes,
        &models,
    );
    let judging = judging::read(check, judged, &orders.specs, !asked.axis.is_empty());
    let gates = judging::gates(check, &judged.gate, command);
    let threshold = judging::threshold(check, judged.threshold.as_deref());
    Probing {
        orders,
        axes,
        gates,
        judging,
        threshold,
        models,
        canary: !asked.no_canary,
        out: output.out.clone().map(Utf8PathBuf::from),
        json: output.json.clone(),
        dry_run: output.dry_run,
        verbose: output.verbose,
        quiet: output.quiet,
    }
}

/// Checks the flags of `flipside probe`.
///
/// # Errors
/// Every bad value.
pub(crate) fn probe(flags: &ProbeFlags) -> Result<Probe, Vec<Diagnostic>> {
    let mut check = Check::default();
    let inputs = flags
        .cases
        .iter()
        .filter_map(|text| match text.parse::<Input>() {
            Ok(input) => Some(input),
            Err(error) => {
                check.errors.push(Diagnostic::caused(&error));
                None
            }
        });
    let inputs: Vec<Input> = inputs.collect();
    let probing = probing(
        &mut check,
        "flipside probe",
        &flags.asked,
        &flags.judged,
        &flags.output,
        &flags.model,
    );
    let read = ReadOptions {
        format: check.value(
            "--format",
            flags.format.as_deref(),
            &Format::names(),
            |text| text.parse::<Format>().ok(),
        ),
        answer_base: check.value(
            "--answer-base",
            flags.answer_base.as_deref(),
            "`0`, `1`, `letter` or `text`",
            |text| text.parse::<AnswerBase>().ok(),
        ),
        question_as: check
            .value(
                "--as",
                flags.question_as.as_deref(),
                "`state` or `instructions`",
                |text| match text {
                    "state" => Some(QuestionAs::State),
                    "instructions" => Some(QuestionAs::Instructions),
                    _ => None,
                },
            )
            .unwrap_or(QuestionAs::State),
        bind_keys: check
            .value(
                "--bind-keys",
                flags.bind_keys.as_deref(),
                "`place` or `option`",
                |text| match text {
                    "place" => Some(KeyBinding::Place),
                    "option" => Some(KeyBinding::Option),
                    _ => None,
                },
            )
            .unwrap_or(KeyBinding::Place),
        keep_position_dependent: flags.keep_position_dependent,
    };
    if flags.watch {
        check.errors.extend(unwatched(&inputs, &probing));
    }
    check.done(Probe {
        inputs,
        read,
        probing,
        watch: flags.watch,
    })
}

/// What keeps cases from being watched.
fn unwatched(inputs: &[Input], probing: &Probing) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    if !inputs.iter().any(|input| matches!(input, Input::Path(_))) {
        let text = "`--watch`: no case file is named that could change";
        errors.push(Diagnostic::new(text).help("name a file, or leave `--watch` out"));
    }
    if inputs.iter().any(|input| matches!(input, Input::Stdin)) {
        errors.push(Diagnostic::new(
            "`--watch`: standard input can be read once only",
        ));
    }
    if probing.dry_run {
        errors.push(Diagnostic::new(
            "`--watch` and `--dry-run` do not go together",
        ));
    }
    errors
}

/// Checks the flags of `flipside decide`.
///
/// # Errors
/// Every bad value.
pub(crate) fn decide(flags: &DecideFlags) -> Result<Decide, Vec<Diagnostic>> {
    let mut check = Check::default();
    let mut options: Vec<(String, String)> = Vec::new();
    for option in &flags.option {
        match option.split_once('=') {
            Some((key, text)) if !key.is_empty() => {
                if let Some(first) = options.iter().position(|(known, _)| known == key) {
                    let key = flipside_core::foreign::Foreign(key);
                    let second = options.len();
                    check.errors.push(
                        Diagnostic::new(format!(
                            "`--option {key}` is given twice, as option {} and option {}",
                            first + 1,
                            second + 1
                        ))
                        .help("give each option its own key; flipside never merges or drops one"),
                    );
                }
                options.push((key.to_owned(), text.to_owned()));
            }
            _ => check.refuse("--option", option, "`KEY=TEXT`"),
        }
    }
    let models = models(&mut check, &flags.model);
    let orders = orders(
        &mut check,
        &flags.order,
        flags.seed.as_deref(),
        None,
        &Axes::default(),
        &models,
    );
    if flags.model.model.len() > 1 {
        check.errors.push(Diagnostic::new(
            "`flipside decide` asks one model, `--model` is given more than once",
        ));
    }
    check.done(Decide {
        state: TextSource::of(&flags.state),
        options,
        rules: flags.rules.clone(),
        orders,
        models,
    })
}
