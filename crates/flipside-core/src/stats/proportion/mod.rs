//! One share: its interval for a table, its exact bounds for a gate, and how many cases a claim needs.

mod bound;
mod file;
mod more;

pub use bound::{
    best_limit, cases_needed, clopper_pearson, lower_bound, missing_bounds, p_over, rule_of_three,
    upper_bound, wilson, wilson_upper,
};
pub use file::{FileBound, finite_file_bound, point_rule_max_flips, point_rule_pass};
pub use more::{MorePairs, Towards, more_pairs};

pub(in crate::stats) use bound::wilson_limits;
