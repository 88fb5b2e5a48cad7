//! The one entry to every recording.

use camino::Utf8Path;

use super::file::File;
use super::{
    Error, Kind, Recording, Supplements, agentjev, browser, exchange, offered, own, results, s1a,
    table,
};
use crate::read;

/// Reads the recording at `path`, a file or a folder, with what the user supplies where it lacks something.
///
/// What it is tells its content: a folder its files, a file the fields of its rows, every one of which must fit.
///
/// # Errors
/// Every [`Error`] of its files, at most [`read::MOST_ERRORS`] and then [`read::Error::More`].
pub fn read(path: &Utf8Path, supplements: &Supplements) -> Result<Recording, Vec<Error>> {
    if path.is_dir() {
        return match Kind::of_folder(path) {
            Some(Kind::Run) => own::read(path).map_err(|error| vec![error]),
            Some(Kind::Job) => s1a::read(path, supplements),
            Some(Kind::Browser) => browser::read(path).map_err(errors),
            _ => match exchange::requests_in(path) {
                Some(requests) => read(&requests, supplements),
                None => Err(vec![no_recording(path)]),
            },
        };
    }
    let file = File::load(path).map_err(|error| vec![error.into()])?;
    read_file(&file, supplements)
}

/// Reads one file.
fn read_file(file: &File<'_>, supplements: &Supplements) -> Result<Recording, Vec<Error>> {
    let read = match Kind::of_file(file).map_err(errors)? {
        Kind::Browser => browser::read(file.path),
        Kind::AgentJev => agentjev::read(file, supplements),
        Kind::Job => return s1a::read(file.path, supplements),
        Kind::Exchange => exchange::read(file, supplements),
        Kind::Request => exchange::read_requests(file, supplements),
        Kind::Response => exchange::read_responses(file, supplements),
        Kind::Results => results::read(file, supplements),
        Kind::Listed => offered::read(file, supplements),
        Kind::Table => table::read(file, supplements),
        // Which no file is.
        Kind::Run => return Err(vec![no_recording(file.path)]),
    };
    read.map_err(errors)
}

fn errors(errors: Vec<read::Error>) -> Vec<Error> {
    errors.into_iter().map(Error::from).collect()
}

fn no_recording(path: &Utf8Path) -> Error {
    Error::NoRecording {
        path: path.to_string(),
    }
}
