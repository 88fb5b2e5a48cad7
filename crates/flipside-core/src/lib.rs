//! The subject: cases, presentations, perturbations, plans, aligned answers, measures, statistics, gates; and `Model`, the port.
//!
//! Nothing here does I/O, reads a clock or the environment, starts a thread or touches a terminal.

pub mod answer;
pub mod canary;
pub mod capability;
pub mod case;
pub mod compare;
pub mod cost;
pub mod course;
pub mod digest;
pub mod drift_gate;
pub mod foreign;
pub mod gate;
pub mod groups;
pub mod invariance;
pub mod json;
pub mod letter;
pub mod measure;
pub mod model;
pub mod order;
pub mod perturb;
pub mod plan;
pub mod preflight;
pub mod present;
pub mod record;
pub mod recorded;
pub mod shared;
pub mod stats;
pub mod suite;
pub mod summary;
