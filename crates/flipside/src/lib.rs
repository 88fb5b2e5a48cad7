//! The flipside library facade: one pipeline, `read → perturb → ask → align → measure → judge → report`, room by room.

pub use flipside_core as core;
pub use flipside_engine as engine;
pub use flipside_formats as formats;
pub use flipside_models as models;
pub use flipside_report as report;
