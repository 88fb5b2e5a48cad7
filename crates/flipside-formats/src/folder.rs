//! The run folder: what it holds, and the lock that lets one process write it.

mod difference;
mod grow;

use std::io::{BufWriter, Write};

use camino::{Utf8Path, Utf8PathBuf};
use flipside_core::canary::Canary;
use flipside_core::cost::CostSummary;
use flipside_core::course::Adaptive;
use flipside_core::model::Wire;
use flipside_core::plan::Baseline;
use flipside_core::recorded::RecordingTally;
use flipside_core::stats::sequential::Planned;
use flipside_core::summary::{ServedVersion, Summary};
use serde::{Deserialize, Serialize};

/// Name and version of `run.json`'s shape.
pub const SCHEMA: &str = "flipside.run/1";

/// The file with what the order canary asked.
const CANARY: &str = "canary.jsonl";

/// `run.json`: the plan of a run, in words that a later command can check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Name and version of this shape.
    pub schema: String,
    /// The flipside that began the run.
    pub flipside: String,
    /// The command as it was given.
    pub command: Vec<String>,
    /// When the run began, in UTC.
    pub started: String,
    /// Operating system and processor.
    pub platform: String,
    /// What the model ran on: as the user said, or for a model in process as the system says. Unknown in runs of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hardware: Option<String>,
    /// How the user named the model.
    pub model: String,
    /// The model name that requests carry.
    pub requested_model: Option<String>,
    /// Where requests go.
    pub endpoint: Option<String>,
    /// What requests are written and replies are read by; unknown in runs of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<Wire>,
    /// The orders, as they were asked for.
    pub orders: Vec<String>,
    /// The other axes, as they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub axes: Vec<String>,
    /// How axes were combined, if they were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cross: Option<String>,
    /// The seed of draws and of the schedule.
    pub seed: u64,
    /// The version of the draws.
    pub draws: String,
    /// The cap of `all`.
    pub max_orders: usize,
    /// Planned asks.
    pub asks: u64,
    /// Digest of everything that is asked.
    pub plan: String,
    /// The case files.
    pub sources: Vec<RunSource>,
    /// The model as it called itself, known once something was answered.
    #[serde(default)]
    pub served_models: Vec<String>,
    /// Every model that answered, told apart by name, provider, revision and fingerprint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub served: Vec<ServedVersion>,
    /// What the order canary found; absent where order was no question, and in runs of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canary: Option<Canary>,
    /// What the run cost, noted with who served; absent where its asks cost nothing, and in runs of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<CostSummary>,
    /// Where the baseline's answers come from, unless they are asked.
    #[serde(default, skip_serializing_if = "is_asked")]
    pub baseline: Baseline,
    /// The recordings that the cases come from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recordings: Vec<RecordingTally>,
    /// How the run is judged, as far as it decides what is asked.
    pub judging: RunJudging,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature that serde's skip_serializing_if calls"
)]
fn is_asked(baseline: &Baseline) -> bool {
    *baseline == Baseline::Ask
}

/// How a run is judged, as far as it decides what is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunJudging {
    /// Error rate of bounds and tests.
    pub alpha: f64,
    /// Which flips are asked once more.
    pub confirm: String,
    /// The adaptive rule, if there is one.
    pub adaptive: Option<RunAdaptive>,
}

/// The rule by which an adaptive run stops.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunAdaptive {
    /// The rule.
    pub rule: Adaptive,
    /// The variant that decides.
    pub variant: String,
    /// The limit.
    pub limit: f64,
    /// Cases.
    pub cases: usize,
    /// The field whose values are the clusters, if cases are clustered.
    pub cluster: Option<String>,
    /// Cases, or clusters, that may be asked.
    pub units: u64,
    /// The boundaries of a `planned` run: after how many pairs how many flips end it.
    pub planned: Option<Planned>,
    /// How many cases the run had before each time that it grew.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grown_from: Vec<usize>,
}

/// One case file of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunSource {
    /// The file as the user named it.
    pub name: String,
    /// SHA-256 of its bytes as read.
    pub sha256: String,
    /// Cases in it.
    pub cases: u64,
}

/// Why a run folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The folder or a file in it cannot be read or written.
    #[error("`{path}` cannot be used as a run folder")]
    Io {
        /// The folder.
        path: Utf8PathBuf,
        /// What went wrong.
        #[source]
        source: std::io::Error,
    },
    /// Another process writes it.
    #[error("`{path}` is being written by another flipside")]
    Locked {
        /// The folder.
        path: Utf8PathBuf,
    },
    /// The folder has files, but is no run folder.
    #[error("`{path}` has files in it and is no run folder: it has no `run.json`")]
    Foreign {
        /// The folder.
        path: Utf8PathBuf,
    },
    /// `run.json` cannot be read.
    #[error("`{path}` is no `run.json` that this flipside reads")]
    Run {
        /// The file.
        path: Utf8PathBuf,
        /// What is wrong with it.
        #[source]
        source: serde_json::Error,
    },
    /// The folder holds another plan.
    #[error("`{path}` holds another plan: {difference}")]
    OtherPlan {
        /// The folder.
        path: Utf8PathBuf,
        /// What differs, the first thing first.
        difference: String,
        /// What to do about it.
        help: String,
    },
}

impl Error {
    /// What to do about it, where there is something.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Io { .. } | Self::Run { .. } => None,
            Self::Locked { .. } => Some("wait for it, or name another `--out`".to_owned()),
            Self::Foreign { .. } => Some("name an empty or new folder with `--out`".to_owned()),
            Self::OtherPlan { help, .. } => Some(help.clone()),
        }
    }
}

/// An open run folder; the lock is held until it is dropped.
#[derive(Debug)]
pub struct Folder {
    path: Utf8PathBuf,
    run: Run,
    resumed: bool,
    _lock: std::fs::File,
}

impl Folder {
    /// Opens `path` for `run`: creates the folder, or goes on with the same plan in it.
    ///
    /// `cases` writes the canonical form of the cases, one a line.
    ///
    /// # Errors
    /// [`Error`] if the folder is locked, holds other files or another plan, or cannot be written.
    pub fn open(
        path: &Utf8Path,
        run: Run,
        cases: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
    ) -> Result<Self, Error> {
        let io = |source| Error::Io {
            path: path.to_owned(),
            source,
        };
        fs_err::create_dir_all(path).map_err(io)?;
        let lock_path = path.join(".lock");
        let known = path.join("run.json");
        if !known.exists() && holds_other_files(path).map_err(io)? {
            return Err(Error::Foreign {
                path: path.to_owned(),
            });
        }
        let lock = fs_err::File::create(&lock_path).map_err(io)?.into_parts().0;
        match lock.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => {
                return Err(Error::Locked {
                    path: path.to_owned(),
                });
            }
            Err(std::fs::TryLockError::Error(source)) => return Err(io(source)),
        }
        if known.exists() {
            let earlier = read_run(path)?;
            if let Some(grown) = grow::grown(path, &earlier, &run, cases).map_err(io)? {
                write_whole(&known, |out| write_run(&grown, out)).map_err(io)?;
                return Ok(Self {
                    path: path.to_owned(),
                    run: grown,
                    resumed: true,
                    _lock: lock,
                });
            }
            if let Some((difference, help)) = difference::difference(&earlier, &run) {
                return Err(Error::OtherPlan {
                    path: path.to_owned(),
                    difference,
                    help,
                });
            }
            return Ok(Self {
                path: path.to_owned(),
                run: earlier,
                resumed: true,
                _lock: lock,
            });
        }
        write_whole(&path.join("cases.jsonl"), cases).map_err(io)?;
        write_whole(&known, |out| write_run(&run, out)).map_err(io)?;
        Ok(Self {
            path: path.to_owned(),
            run,
            resumed: false,
            _lock: lock,
        })
    }

    /// The folder's path.
    pub fn path(&self) -> &Utf8Path {
        &self.path
    }

    /// The journal's path.
    pub fn journal(&self) -> Utf8PathBuf {
        journal_path(&self.path)
    }

    /// The run as it began.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// Whether the folder held this plan already.
    pub fn resumed(&self) -> bool {
        self.resumed
    }

    /// Notes in `run.json` which models answered, what the order canary found, and what the run cost.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn served(&self, summary: &Summary) -> Result<(), Error> {
        let run = Run {
            served_models: summary.model.served.clone(),
            served: summary.model.versions.clone(),
            canary: summary.canary.clone(),
            cost: summary.cost,
            ..self.run.clone()
        };
        self.write("run.json", |out| write_run(&run, out))
    }

    /// Notes in `run.json` what the order canary found, so that going on with the run asks it no more.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn keep_canary(&self, canary: &Canary) -> Result<(), Error> {
        let run = Run {
            canary: Some(canary.clone()),
            ..self.run.clone()
        };
        self.write("run.json", |out| write_run(&run, out))
    }

    /// The journal of the order canary.
    pub fn canary_journal(&self) -> Utf8PathBuf {
        self.path.join(CANARY)
    }

    /// Writes a file of the folder in one piece: a reader sees the old text or the new one.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write(
        &self,
        name: &str,
        text: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
    ) -> Result<(), Error> {
        write_whole(&self.path.join(name), text).map_err(|source| Error::Io {
            path: self.path.clone(),
            source,
        })
    }
}

/// The journal of the run folder at `path`.
pub fn journal_path(path: &Utf8Path) -> Utf8PathBuf {
    path.join("asks.jsonl")
}

/// `run.json` of the run folder at `path`.
///
/// # Errors
/// [`Error::Io`] if it cannot be read, [`Error::Run`] if it is not one.
pub fn read_run(path: &Utf8Path) -> Result<Run, Error> {
    let file = path.join("run.json");
    let text = fs_err::read(&file).map_err(|source| Error::Io {
        path: path.to_owned(),
        source,
    })?;
    serde_json::from_slice(&text).map_err(|source| Error::Run { path: file, source })
}

fn holds_other_files(path: &Utf8Path) -> std::io::Result<bool> {
    for entry in fs_err::read_dir(path)? {
        // What a run leaves that was killed before its first ask.
        let name = entry?.file_name();
        if !matches!(
            name.to_str(),
            Some(".lock" | "cases.jsonl" | "cases.jsonl.new" | "run.json.new")
        ) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn write_whole(
    path: &Utf8Path,
    text: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let fresh = Utf8PathBuf::from(format!("{path}.new"));
    let mut file = BufWriter::with_capacity(1 << 16, fs_err::File::create(&fresh)?);
    text(&mut file)?;
    file.flush()?;
    drop(file);
    fs_err::rename(&fresh, path)
}

fn write_run(run: &Run, out: &mut dyn Write) -> std::io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, run)?;
    out.write_all(b"\n")
}
