//! Telling recordings apart, by content.

use camino::Utf8Path;

use super::{Error, Recording, Supplements, own};
use crate::read;

/// Reads the recording at `path`, a file or a folder, with what the user supplies where it lacks something.
///
/// # Errors
/// Every [`Error`] of its files.
pub fn read(path: &Utf8Path, _supplements: &Supplements) -> Result<Recording, Vec<Error>> {
    if path.join("run.json").exists() {
        return own::read(path).map_err(|error| vec![error]);
    }
    let file = path.to_string();
    let error = if path.exists() {
        read::Error::Directory { file }
    } else {
        read::Error::Missing { file }
    };
    Err(vec![error.into()])
}
