//! The part of a stored summary that rows need.

use camino::Utf8Path;
use flipside_core::capability::{CapabilityRow, Hardware, Told};
use flipside_core::perturb::Axis;
use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::Error;
use super::folder::Ended;
use crate::folder::Run;

/// The shape of summaries that are read.
pub(super) const SCHEMA: &str = flipside_core::summary::SCHEMA;

/// What a file says it is.
#[derive(Deserialize)]
struct Head {
    schema: Option<String>,
    models: Option<Vec<Box<RawValue>>>,
}

/// A summary as far as rows need it.
#[derive(Debug, Deserialize)]
pub(super) struct Stored {
    method: u32,
    model: Model,
    counts: Counts,
    fit: Fit,
    #[serde(default)]
    axes: IndexMap<String, IndexMap<String, Figure>>,
    composition: Option<Composition>,
    control: Option<Figure>,
    complete: bool,
}

#[derive(Debug, Deserialize)]
struct Model {
    spec: String,
    requested: Option<String>,
    endpoint: Option<String>,
    #[serde(default)]
    served: Vec<String>,
    #[serde(default)]
    hardware: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Counts {
    cases: u64,
    labelled: u64,
    asks: u64,
    answered: u64,
    failed: u64,
    #[serde(default)]
    confirming: u64,
    #[serde(default)]
    confirming_unasked: u64,
}

#[derive(Debug, Deserialize)]
struct Fit {
    #[serde(flatten)]
    figure: Figure,
    right: u64,
}

#[derive(Debug, Deserialize)]
struct Figure {
    pairs: u64,
    missing: u64,
    unasked: u64,
    no_decision: u64,
    vacuous: u64,
    flips: Option<u64>,
    rate: Option<f64>,
    interval: Option<[f64; 2]>,
}

/// Axes that are counted over all their options or decoys together.
#[derive(Debug, Deserialize)]
struct Composition {
    drop: Option<Figure>,
    decoy: Option<Figure>,
}

/// The summaries in a file, as far as `T` needs them.
pub(crate) fn read<T: DeserializeOwned>(path: &Utf8Path, bytes: &[u8]) -> Result<Vec<T>, Error> {
    let head: Head = parsed(path, bytes)?;
    match head.models {
        Some(models) if head.schema.is_none() => {
            let texts = models.iter().map(|text| text.get().as_bytes());
            texts.map(|text| read_one(path, text)).collect()
        }
        _ => Ok(vec![read_one(path, bytes)?]),
    }
}

/// The one summary in `bytes`, as far as `T` needs it.
pub(crate) fn read_one<T: DeserializeOwned>(path: &Utf8Path, bytes: &[u8]) -> Result<T, Error> {
    let head: Head = parsed(path, bytes)?;
    match head.schema {
        Some(schema) if schema == SCHEMA => parsed(path, bytes),
        Some(found) => Err(Error::Schema {
            path: path.to_owned(),
            found,
        }),
        None => Err(Error::NoSchema {
            path: path.to_owned(),
        }),
    }
}

fn parsed<'a, T: Deserialize<'a>>(path: &Utf8Path, bytes: &'a [u8]) -> Result<T, Error> {
    serde_json::from_slice(bytes).map_err(|source| Error::NoSummary {
        path: path.to_owned(),
        source,
    })
}

impl Stored {
    /// The asks that it counts.
    pub(super) fn recorded(&self) -> Ended {
        let counts = &self.counts;
        Ended {
            answered: counts.answered,
            failed: counts.failed,
            confirming: counts.confirming.saturating_sub(counts.confirming_unasked),
        }
    }

    /// Its row; `run` is the `run.json` beside it, where it stands in a run folder.
    pub(super) fn row(self, path: &Utf8Path, run: Option<&Run>) -> CapabilityRow {
        let axes = Axis::CHANGES.into_iter().filter_map(|axis| {
            let lines = self.axes.get(axis.name())?;
            let together = self
                .composition
                .as_ref()
                .and_then(|composition| match axis {
                    Axis::Drop => composition
                        .drop
                        .as_ref()
                        .map(|figure| ("all options", figure)),
                    Axis::Decoy => composition
                        .decoy
                        .as_ref()
                        .map(|figure| ("all decoys", figure)),
                    _ => None,
                });
            let told = match together {
                Some((name, figure)) => figure.told(Some(name), 1),
                None => worst(lines),
            };
            Some((axis.name().to_owned(), told))
        });
        let axes = axes.collect();
        let stated = run
            .and_then(|run| run.hardware.clone())
            .or(self.model.hardware);
        let hardware = match (stated, &self.model.endpoint) {
            (Some(text), _) => Hardware::Stated(text),
            (None, Some(_)) => Hardware::Served,
            (None, None) => Hardware::Unknown,
        };
        let checkpoint = match self.model.requested {
            Some(requested) if self.model.served.is_empty() => vec![requested],
            _ => self.model.served,
        };
        let recorded = self.counts.answered + self.counts.failed;
        CapabilityRow {
            source: path.to_string(),
            model: self.model.spec,
            checkpoint,
            hardware,
            started: run.map(|run| run.started.clone()),
            cases: self.counts.cases,
            fit: match self.counts.labelled {
                0 => Told::NotApplicable("no case is labelled"),
                _ => Figure {
                    flips: Some(self.fit.right),
                    ..self.fit.figure
                }
                .told(None, 1),
            },
            axes,
            control: self
                .control
                .map_or(Told::NotAsked, |figure| figure.told(None, 1)),
            method: self.method,
            unfinished: (!self.complete).then_some((recorded, self.counts.asks)),
        }
    }
}

/// The variant of the highest share, of equal ones the first; without any the reason of all together.
fn worst(lines: &IndexMap<String, Figure>) -> Told {
    let measured = lines
        .iter()
        .filter_map(|(name, figure)| Some((name, figure, figure.rate?)));
    let worst = measured.reduce(|worst, next| if next.2 > worst.2 { next } else { worst });
    let variants = lines.len() as u64;
    if let Some((name, figure, _)) = worst {
        return figure.told(Some(name), variants);
    }
    let sum = |of: fn(&Figure) -> u64| lines.values().map(of).sum::<u64>();
    let all = Figure {
        pairs: 0,
        missing: sum(|figure| figure.missing),
        unasked: sum(|figure| figure.unasked),
        no_decision: sum(|figure| figure.no_decision),
        vacuous: sum(|figure| figure.vacuous),
        flips: None,
        rate: None,
        interval: None,
    };
    all.told(None, variants)
}

impl Figure {
    fn told(&self, variant: Option<&str>, of_variants: u64) -> Told {
        match (self.flips, self.rate) {
            (Some(count), Some(rate)) => Told::Share {
                variant: variant.map(str::to_owned),
                of_variants,
                count,
                of: self.pairs,
                rate,
                interval: self.interval,
                missing: self.missing,
                unasked: self.unasked,
            },
            _ if self.missing + self.unasked + self.no_decision == 0 => {
                Told::NotApplicable(if self.vacuous > 0 {
                    "it changes no case"
                } else {
                    // Such as drops of a model whose choice was the option left out each time.
                    "no pair to compare"
                })
            }
            _ => Told::NotMeasured {
                missing: self.missing,
                unasked: self.unasked,
                no_decision: self.no_decision,
            },
        }
    }
}
