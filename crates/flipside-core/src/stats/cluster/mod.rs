//! Units that are not independent: design effects, bounds that know them, the bootstrap over clusters, and betting intervals.

mod betting;
mod bootstrap;
mod korn_graubard;
mod resample;
mod several;
mod weights;

mod ranks;

pub use betting::{betting_interval, betting_interval_over, betting_p};
pub use bootstrap::{Bootstrap, DRAWS, FEWEST_FLIPS, bootstrap, every_resample, ratio};
pub use korn_graubard::{Cluster, Clustered, korn_graubard};
pub use several::bootstrap_several;
pub use weights::{
    affordable, bootstrap_weighted, random_groups, ratio_interval, weighted_quantiles,
    weighted_ratio,
};

pub use ranks::Ranks;
