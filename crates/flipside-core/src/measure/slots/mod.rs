//! Two options, two slots, two sets of keys: what four answers of a case follow.
//!
//! A case with two options that is asked in both orders, each under its own keys and under others, is a 2 x 2 factorial. Order
//! alone cannot tell a preference for a slot from one for a key that stands in it, and another set of keys alone cannot tell a
//! preference for a key from one for the words beside it; the four answers together can.

mod effects;
mod figures;
mod follow;
mod rows;
mod whole;

pub(crate) use whole::slots_and_keys;
