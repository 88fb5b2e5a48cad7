//! Models behind HTTP: one client per model, exact bytes out, the body as it came back.

mod base64;
mod client;
mod compression;
mod endpoint;
mod failure;
mod header;
mod inquire;
mod key;
mod other_way;
mod places;
mod served;

pub(crate) use client::{Proxies, TOO_LONG};
pub(crate) use endpoint::{Endpoint, UrlProblem};
pub(crate) use endpoint::{OPENAI, OPENROUTER, TYPESAFE};
pub(crate) use key::{Key, KeyProblem, without};
pub(crate) use served::Parts;
pub use served::Served;
