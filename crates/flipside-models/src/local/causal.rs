//! A causal language model as a model: asks that wait together are computed in one pass.

use std::fmt;
use std::fmt::Write as _;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use flipside_core::answer::Answer;
use flipside_core::invariance::{self, Inside, Seen};
use flipside_core::json::write_string;
use flipside_core::model::{
    BoxFuture, Card, Failure, Inquired, Model, Rejection, Reply, Sending, Unsupported,
};
use flipside_core::perturb::Axis;
use flipside_core::present::Presentation;
use flipside_formats::json;
use flipside_local::causal::{Asked, Causal, Numbers, Request, Scores};
use flipside_local::{AskError, LoadError};
use rayon::ThreadPoolBuilder;
use tokio::sync::oneshot;

use super::InsideModel;
use crate::wire::Protocol as _;
use crate::wire::language::{self, CausalRead};

/// Asks that are computed in one pass at most: measured, 4 to 8 are faster than one by one and than all at once.
const TOGETHER: usize = 8;
/// Hexadecimal digits of the digest in a model's name.
const DIGITS: usize = 12;
/// The distance from 1 to the next larger number of 8 binary digits, to which quantised products round activations.
const QUANTISED_EPSILON: f64 = 0.007_812_5;
const INFALLIBLE: &str = "a string takes everything";

/// A causal language model in process.
pub struct CausalModel {
    card: Card,
    protocol: language::Causal,
    causal: Arc<Causal>,
    /// Opens the same file in 32-bit floats, for what quantised numbers are compared with.
    reference: Option<Box<Opener>>,
    jobs: Mutex<Sender<Job>>,
}

type Opener = dyn Fn() -> Result<Causal, LoadError> + Send + Sync;

/// One ask on its way to the thread that computes.
struct Job {
    request: Request,
    /// Whether it is a control, which has nothing of what was computed before.
    alone: bool,
    answered: oneshot::Sender<Result<Reply, AskError>>,
}

impl fmt::Debug for CausalModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CausalModel")
            .field("card", &self.card)
            .finish_non_exhaustive()
    }
}

impl CausalModel {
    /// `causal`, which the user calls `spec` and records call `name` with the beginning of its digest.
    pub(crate) fn new(
        spec: String,
        name: &str,
        protocol: language::Causal,
        causal: Causal,
        reference: Option<Box<Opener>>,
    ) -> Self {
        let card = Card {
            spec,
            requested: None,
            endpoint: None,
            key_variable: None,
            remote: false,
            concurrency: TOGETHER,
            price: None,
            confidence: None,
            whole_replies: protocol.whole_replies(),
            object_order: false,
            protocol: Some(protocol.wire()),
        };
        let causal = Arc::new(causal);
        let (jobs, waiting) = channel();
        let worker = Worker {
            causal: Arc::clone(&causal),
            name: format!("{name}@{}", &causal.digest()[..DIGITS]),
        };
        std::thread::spawn(move || worker.work(&waiting));
        Self {
            card,
            protocol,
            causal,
            reference,
            jobs: Mutex::new(jobs),
        }
    }

    fn parsed(bytes: &[u8]) -> Result<Request, AskError> {
        let text = std::str::from_utf8(bytes).expect("requests are JSON");
        Request::parse(&json::parse(text).expect("requests are JSON"))
    }

    /// What one pass alone shows; `equal` as the protocol says.
    fn alone(&self, shown: &Presentation<'_>, equal: bool) -> Result<Seen, String> {
        let bytes = self.protocol.asking(shown, equal);
        let bytes = bytes.map_err(|error| error.reason)?;
        let request = Self::parsed(&bytes).map_err(|error| error.to_string())?;
        let (asked, vectors) = self
            .causal
            .see(&request)
            .map_err(|error| error.to_string())?;
        let logits = self.protocol.logits(shown, &body("", &asked));
        let logits = logits.map_err(|error| error.to_string())?;
        let most = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let shares: Vec<f64> = logits.iter().map(|logit| (logit - most).exp()).collect();
        let all: f64 = shares.iter().sum();
        let first = shares.iter().position(|share| *share >= 1.0);
        Ok(Seen {
            vectors,
            logits: logits.iter().map(|logit| narrow(*logit)).collect(),
            probabilities: shares.iter().map(|share| narrow(share / all)).collect(),
            choice: first.unwrap_or_default(),
            kept: Vec::new(),
        })
    }

    /// What it is and how it computes, a line each.
    fn about(&self) -> Result<Vec<String>, String> {
        let causal = &self.causal;
        let config = causal.config();
        let settings = self.protocol.settings();
        let mut lines = vec![
            format!("sha256 {}", causal.digest()),
            format!("{} bytes of weights", causal.bytes()),
            format!(
                "{}: {} layers, width {}, {} query heads on {} key heads, {} tokens of vocabulary",
                config.family.name(),
                config.layers,
                config.width,
                config.heads,
                config.key_heads,
                config.vocabulary
            ),
            format!("reads {} tokens", config.positions),
            format!(
                "reads {}, {}",
                match settings.read {
                    CausalRead::Letter => "the next token as a letter of the list",
                    CausalRead::Text => "each option's text after the list",
                    CausalRead::Pointwise =>
                        "each option's text without a list: order can change nothing but rounding",
                },
                if settings.chat {
                    "in the file's chat template"
                } else {
                    "after plain text"
                }
            ),
            format!(
                "keeps up to {} tokens for the next ask, {} bytes each",
                causal.kept_tokens(),
                causal.kept_bytes()
            ),
            format!("computes in {}", causal.numbers().name()),
        ];
        let floor = causal.floor().map_err(|error| error.to_string())?;
        lines.push(format!(
            "the shape of a batch moves a log-probability by at most {floor:.1e} nat, measured now"
        ));
        if let Some(reference) = &self.reference {
            let reference = reference().map_err(|error| error.to_string())?;
            let drift = causal
                .drift(&reference)
                .map_err(|error| error.to_string())?;
            lines.push(format!(
                "{} moves a log-probability by up to {drift:.2e} nat against f32, measured now",
                causal.numbers().name()
            ));
        }
        Ok(lines)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "order studies compare 32-bit numbers"
)]
fn narrow(value: f64) -> f32 {
    value as f32
}

/// What computes, on a thread of its own, until nobody can ask any more.
struct Worker {
    causal: Arc<Causal>,
    name: String,
}

impl Worker {
    fn work(&self, waiting: &Receiver<Job>) {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let pool = ThreadPoolBuilder::new().num_threads(cores).build();
        let pool = pool.expect("threads can be started");
        while let Ok(first) = waiting.recv() {
            let more = waiting.try_iter().take(TOGETHER - 1);
            let jobs: Vec<Job> = std::iter::once(first).chain(more).collect();
            pool.install(|| self.answer(jobs));
        }
    }

    fn answer(&self, jobs: Vec<Job>) {
        let (alone, together): (Vec<Job>, Vec<Job>) = jobs.into_iter().partition(|job| job.alone);
        let requests: Vec<Request> = together.iter().map(|job| job.request.clone()).collect();
        let asked = self.causal.ask(&requests);
        for (job, asked) in together.into_iter().zip(asked) {
            self.tell(job, asked);
        }
        for job in alone {
            let asked = self.causal.ask_alone(&job.request);
            self.tell(job, asked);
        }
    }

    fn tell(&self, job: Job, asked: Result<Asked, AskError>) {
        let reply = asked.map(|asked| Reply {
            body: body(&self.name, &asked),
            server_ms: u64::try_from(asked.took.as_millis()).ok(),
            ..Reply::default()
        });
        // Whoever waited may have left; nobody needs the answer then.
        drop(job.answered.send(reply));
    }
}

/// A reply of the model called `name`.
fn body(name: &str, asked: &Asked) -> String {
    let mut quoted = Vec::new();
    write_string(name, &mut quoted);
    let mut text = String::from("{\"model\":");
    text.push_str(&String::from_utf8_lossy(&quoted));
    write_scores(&asked.scores, &mut text);
    if let Some(less) = &asked.less {
        text.push_str(",\"less\":{");
        let start = text.len();
        write_scores(less, &mut text);
        // The comma before the first member.
        text.remove(start);
        text.push('}');
    }
    write!(
        text,
        ",\"usage\":{{\"input_tokens\":{},\"computed_tokens\":{}}}}}",
        asked.naive, asked.computed
    )
    .expect(INFALLIBLE);
    text
}

fn write_scores(scores: &Scores, text: &mut String) {
    let mut list = |name: &str, numbers: &[String]| {
        if !numbers.is_empty() {
            write!(text, ",\"{name}\":[{}]", numbers.join(",")).expect(INFALLIBLE);
        }
    };
    let floats = |numbers: &[f64]| numbers.iter().map(f64::to_string).collect::<Vec<_>>();
    list("log_probabilities", &floats(&scores.log_probabilities));
    list("logits", &floats(&scores.logits));
    let tokens: Vec<String> = scores.tokens.iter().map(usize::to_string).collect();
    list("tokens", &tokens);
    if let Some(covered) = scores.covered {
        write!(text, ",\"covered\":{covered}").expect(INFALLIBLE);
    }
}

impl Model for CausalModel {
    fn card(&self) -> &Card {
        &self.card
    }

    fn request(&self, shown: &Presentation<'_>) -> Result<Vec<u8>, Unsupported> {
        let bytes = self.protocol.request(shown, None)?;
        let checked = Self::parsed(&bytes).and_then(|request| self.causal.check(&request));
        match checked {
            Ok(()) => Ok(bytes),
            Err(error) => Err(Unsupported {
                reason: error.to_string(),
            }),
        }
    }

    fn send<'a>(&'a self, sending: Sending<'a>) -> BoxFuture<'a, Result<Reply, Failure>> {
        let unavailable = |message: String| Failure::Unavailable { message };
        let request = match Self::parsed(sending.bytes) {
            Ok(request) => request,
            Err(error) => {
                return Box::pin(std::future::ready(Err(unavailable(error.to_string()))));
            }
        };
        let (answered, waiting) = oneshot::channel();
        let job = Job {
            request,
            alone: sending.again || sending.variant.axis == Axis::Same,
            answered,
        };
        let sent = match self.jobs.lock() {
            Ok(jobs) => jobs.send(job).is_ok(),
            Err(_) => false,
        };
        Box::pin(async move {
            let ended = || unavailable("the forward pass ended unexpectedly".to_owned());
            if !sent {
                return Err(ended());
            }
            match waiting.await {
                Ok(Ok(reply)) => Ok(reply),
                Ok(Err(error)) => Err(unavailable(error.to_string())),
                Err(_) => Err(ended()),
            }
        })
    }

    fn read(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection> {
        self.protocol.read(shown, reply)
    }

    fn by_case(&self) -> bool {
        true
    }

    fn inquire(&self) -> BoxFuture<'_, Vec<Inquired>> {
        Box::pin(std::future::ready(vec![Inquired {
            place: "checkpoint".to_owned(),
            found: self.about(),
        }]))
    }
}

impl Inside for CausalModel {
    fn precision(&self) -> invariance::Precision {
        let numbers = self.causal.numbers();
        invariance::Precision {
            name: numbers.name(),
            epsilon: match numbers {
                Numbers::F32 => f64::from(f32::EPSILON),
                Numbers::Quantised => QUANTISED_EPSILON,
            },
        }
    }

    fn see(&self, shown: &Presentation<'_>) -> Result<Seen, String> {
        self.alone(shown, false)
    }

    fn rescore(&self, _vectors: &[Vec<f32>]) -> Option<Result<Vec<f32>, String>> {
        None
    }

    fn equal_slots(&self, shown: &Presentation<'_>) -> Option<Result<Vec<f32>, String>> {
        // Equal texts have equal scores; letters differ by their place.
        (self.protocol.settings().read == CausalRead::Letter)
            .then(|| Ok(self.alone(shown, true)?.logits))
    }
}

impl InsideModel for CausalModel {
    fn digest(&self) -> &str {
        self.causal.digest()
    }
}
