//! Models behind a boundary: HTTP protocols, exec, replay, rules, controls.
//!
//! Everything here implements [`flipside_core::model::Model`]. Nothing retries, schedules, counts cost, prints, or
//! reads the environment: variables come in as an [`env::Environment`].

pub mod catalog;
pub mod controls;
pub mod env;
pub mod exec;
pub mod http;
pub mod kept;
pub mod local;
pub mod replay;
pub mod wire;
