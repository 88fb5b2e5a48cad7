//! Servers of language models: a prompt in, tokens and their log-probabilities out.
//!
//! The fake model reads the text of the prompt and nothing else: it finds the option list, scores it by the policy, and
//! spreads each option's probability over the spellings of its letter. So the true distribution is known to a test: an option of probability
//! `p` has `coverage * p` on its letter, 5/8 of it on `A`, 1/4 on ` A` and 1/8 on `a`; what is not covered is on tokens that name no option.

mod ask;
mod echo;
mod find;
mod machine;
mod models;
mod native;
mod refuse;
mod server;
mod setting;
mod speak;
mod tokens;
mod write;

pub(crate) use ask::listed;
pub(crate) use machine::Machine;
pub use server::Language;
pub use setting::Setting;
