//! How much the answers of one case agree, and coefficients that compare it with chance.

mod answers;
mod icc;
mod kappa;

pub use answers::{CaseAgreement, case_agreement, disagreement_range, largest_disagreement};
pub use icc::{Icc, icc};
pub use kappa::{
    FleissPart, Kappa, Weights, brennan_prediger, fleiss, fleiss_over, weighted_kappa,
};
