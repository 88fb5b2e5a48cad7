//! The golden file: one check per group, every expected key looked at, nothing forgotten.
