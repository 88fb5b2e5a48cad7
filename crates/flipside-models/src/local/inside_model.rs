//! What every model in process is.

use flipside_core::invariance::Inside;
use flipside_core::model::Model;

/// A model in process: it answers, and shows what is below its answer.
pub trait InsideModel: Model + Inside {
    /// SHA-256 of the weights in hexadecimal digits.
    fn digest(&self) -> &str;
}
