//! The program as a process: what it asks, prints, writes and survives.

#![expect(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "small counts, numbers passed through unchanged, and a test fails where it unwraps nothing"
)]

mod agentjev;
mod arrays;
mod axes;
mod axis_report;
mod canary;
mod canary_strict;
mod capability;
mod causal;
mod certify;
mod compare;
mod compared;
mod confirm;
mod controls;
mod crash;
mod cross;
mod dialects;
mod docs;
mod drift;
mod explained;
mod faults;
mod gates;
mod general;
mod groups;
mod guides;
mod hosts;
mod html;
mod invariance;
mod language;
mod language_choice;
mod language_faults;
mod language_table;
mod limits;
mod lists;
mod local;
mod mcp;
mod mcp_calls;
mod models;
mod options;
mod orders;
mod outputs;
mod paying;
mod peers;
mod phrasings;
mod positions;
mod probe;
mod questions;
mod reask;
mod reask_baseline;
mod reask_others;
mod recorded_figures;
mod recorded_pairs;
mod report_formats;
mod schema;
mod served;
mod suite;
mod support;
mod usage;
mod watch;
