//! The flags of `flipside models`.

use clap::Args;

const MODELS_HELP: &str = "\
Without MODEL nothing is asked: every model is listed with what it needs, and with the variables that are set.

Examples:
  flipside models
  flipside models jev
  flipside models systemone:http://127.0.0.1:8000/v1/systemone --model-name typesafe:jev@1 --key-from GATEWAY_KEY";

#[derive(Args, Debug)]
#[command(after_help = MODELS_HELP)]
pub(crate) struct ModelsFlags {
    /// Ask this model what it is, one small question, and whether option order reaches it
    #[arg(value_name = "MODEL")]
    pub(crate) model: Option<String>,

    /// The environment variable that holds the key of its host, where it has none of its own
    #[arg(long, value_name = "VARIABLE")]
    pub(crate) key_from: Option<String>,

    /// The model name that requests carry [default: the model's own; jev-latest for systemone:URL]
    #[arg(long, value_name = "NAME")]
    pub(crate) model_name: Option<String>,

    /// Ask the small question alone, and not in up to 14 further asks whether option order reaches the model
    #[arg(long)]
    pub(crate) no_canary: bool,

    /// How long it may take, such as `10s` [default: 10s]
    #[arg(long, allow_hyphen_values = true, value_name = "TIME")]
    pub(crate) timeout: Option<String>,
}
