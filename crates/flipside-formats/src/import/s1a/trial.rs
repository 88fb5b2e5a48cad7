//! One trial: its episode, and what its result says of it.

use camino::{Utf8Path, Utf8PathBuf};
use flipside_core::digest::Digest;
use flipside_core::json::{Json, Object};

use crate::json::utf8;
use crate::read::{At, Error, Input, Out, load, of_json, rows_of};

/// A file that holds one object.
pub(super) struct Document {
    pub(super) at: At,
    pub(super) sha256: Digest,
    pub(super) object: Object,
}

impl Document {
    pub(super) fn read(path: &Utf8Path) -> Result<Self, Vec<Error>> {
        let one = |error| vec![error];
        let loaded = load(&Input::Path(path.to_owned())).map_err(one)?;
        let text = utf8(&loaded.bytes).map_err(|error| one(of_json(path.as_str(), 0, 0, error)))?;
        let mut out = Out::default();
        let mut rows = rows_of(path.as_str(), text, &mut out).into_iter();
        if out.error_count() > 0 {
            return Err(out.into_errors());
        }
        let wrong = |line, found| {
            one(Error::Type {
                at: At {
                    file: path.as_str().into(),
                    line,
                },
                field: "the file".to_owned(),
                expected: "one JSON object",
                found,
            })
        };
        let row = rows.next().ok_or_else(|| wrong(1, "nothing"))?;
        if let Some(second) = rows.next() {
            return Err(wrong(second.at.line, "a second one"));
        }
        Ok(Self {
            at: row.at,
            sha256: loaded.sha256,
            object: row.object,
        })
    }

    /// The text at the end of `path`, if it is there.
    pub(super) fn text(&self, path: &[&str]) -> Option<&str> {
        self.value(path).and_then(Json::as_str)
    }

    /// What stands at the end of `path`, if it is there and not null.
    pub(super) fn value(&self, path: &[&str]) -> Option<&Json> {
        let (last, outer) = path.split_last()?;
        let mut inner = &self.object;
        for name in outer {
            inner = inner.get(name)?.as_object()?;
        }
        inner.get(last).filter(|value| **value != Json::Null)
    }
}

/// A trial's files, as far as they are there.
pub(super) struct Trial {
    /// What it is called: the name of its folder, or of the episode's file.
    pub(super) name: String,
    pub(super) episode: Option<Utf8PathBuf>,
    pub(super) result: Option<Utf8PathBuf>,
}

impl Trial {
    /// The trial in the folder `path`.
    pub(super) fn in_folder(path: &Utf8Path) -> Self {
        let there = |path: Utf8PathBuf| path.is_file().then_some(path);
        Self {
            name: path.file_name().unwrap_or(path.as_str()).to_owned(),
            episode: there(path.join("agent/episode.json")),
            result: there(path.join("result.json")),
        }
    }

    /// The trial of an episode's file: of the folder that it stands in, where that is one.
    pub(super) fn of_episode(path: &Utf8Path) -> Self {
        let agent = path
            .parent()
            .filter(|agent| agent.file_name() == Some("agent"));
        let folder = agent
            .and_then(Utf8Path::parent)
            .filter(|folder| folder.join("result.json").is_file());
        match folder.map(Self::in_folder) {
            Some(trial) if trial.episode.as_deref() == Some(path) => trial,
            _ => Self {
                name: path.file_stem().unwrap_or(path.as_str()).to_owned(),
                episode: Some(path.to_owned()),
                result: None,
            },
        }
    }
}
