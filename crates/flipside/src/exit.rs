//! Exit codes.

/// What the process tells its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Every gate held.
    Held = 0,
    /// Some gate did not hold: failed, inconclusive, not applicable or not measured.
    NotHeld = 1,
    /// Usage or input error: nothing was asked.
    Usage = 2,
    /// The run could not be completed: backend down, budget reached, interrupted. What was measured is written.
    Incomplete = 3,
}

impl Exit {
    /// All of them, by code.
    #[cfg(test)]
    pub(crate) const ALL: [Self; 4] = [Self::Held, Self::NotHeld, Self::Usage, Self::Incomplete];

    /// What it means, as the reference page says it.
    #[cfg(test)]
    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Self::Held => "every gate held, or there was none",
            Self::NotHeld => {
                "some gate did not hold: failed, inconclusive, undecided, not applicable or not measured"
            }
            Self::Usage => "usage or input error: nothing was asked",
            Self::Incomplete => {
                "not completed: backend down, budget reached, interrupted, or an output could not be written; what was measured is written, and the message names the command that goes on"
            }
        }
    }

    /// The one that speaks for several models: an incomplete run before an input error before a gate that did not hold.
    pub(crate) fn worst(exits: impl IntoIterator<Item = Self>) -> Option<Self> {
        let rank = |exit: &Self| *exit as u8;
        exits.into_iter().max_by_key(rank)
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
