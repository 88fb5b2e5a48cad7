//! Two recorded answer sets against each other: goldens, real data, hand-worked cases, refusals, laws.

mod axes;
mod demands;
mod figures;
mod goldens;
mod laws;
mod matching;
mod parts;
mod sets;
