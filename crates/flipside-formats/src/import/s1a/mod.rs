//! Runs of system1-agents over tools: a job folder, one trial of it, or one `episode.json`.

mod align;
mod decision;
mod episode;
mod job;
mod trial;

pub(super) use job::read;
