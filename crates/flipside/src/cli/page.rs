//! `report.html`: the page of a run folder, and of several models' folders together.

use camino::Utf8Path;
use flipside_core::plan::Plan;
use flipside_core::summary::Summary;
use flipside_formats::folder::{Error, Folder};
use flipside_report::html::{self, HtmlRun};

use crate::diagnostic::Diagnostic;

/// The name of the page.
const NAME: &str = "report.html";

/// One model's run with what its page needs.
pub(crate) struct PageRun<'a> {
    pub(crate) folder: &'a Folder,
    pub(crate) plan: &'a Plan,
    pub(crate) summary: &'a Summary,
}

impl<'a> PageRun<'a> {
    fn shown(&self) -> HtmlRun<'a> {
        HtmlRun {
            summary: self.summary,
            started: Some(&self.folder.run().started),
            cases: &self.plan.cases,
        }
    }

    /// Writes the page into the run folder.
    ///
    /// # Errors
    /// Whatever keeps it from being written.
    pub(crate) fn write(&self) -> Result<(), Error> {
        let page = html::render(&[self.shown()]);
        self.folder
            .write(NAME, |out| out.write_all(page.as_bytes()))
    }
}

/// Writes one page of several models into the folder `out` that holds their run folders.
///
/// # Errors
/// Whatever keeps it from being written.
pub(crate) fn write_several(out: &Utf8Path, runs: &[PageRun<'_>]) -> Result<(), Diagnostic> {
    let shown: Vec<HtmlRun<'_>> = runs.iter().map(PageRun::shown).collect();
    let path = out.join(NAME);
    fs_err::write(&path, html::render(&shown)).map_err(|error| Diagnostic::caused(&error))
}
