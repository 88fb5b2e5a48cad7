//! Every axis, over real HTTP: planted models get exactly their own, and a run with all axes is like any other.

mod bytes;
mod cases;
mod expected;
mod kinds;
mod mechanics;
mod planted;
mod refused;
