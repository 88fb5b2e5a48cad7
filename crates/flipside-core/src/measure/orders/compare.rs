//! Which figures may stand beside each other.

use std::fmt;

use crate::measure::orders::spoken;
use crate::summary::{Orders, Range};

/// A figure of section 3 of the statistics page, with what another one has to share to be compared with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The share of pairs that flip under one variant.
    FlipRate {
        /// The variant.
        variant: String,
    },
    /// D, the mean over cases of the share of pairs of answers that differ.
    PairwiseDisagreement {
        /// Options per case.
        options: Range,
    },
    /// U, the share of cases whose answers are not all the same.
    AnyFlip {
        /// Answers per case.
        orders: Range,
    },
    /// The mean share of the most frequent answer.
    ModalShare {
        /// Answers per case.
        orders: Range,
        /// Options per case.
        options: Range,
    },
    /// Brennan and Prediger's coefficient.
    ChanceAdjusted,
}

impl Quantity {
    /// The name that reports print.
    pub fn name(&self) -> &'static str {
        match self {
            Self::FlipRate { .. } => "flip rate",
            Self::PairwiseDisagreement { .. } => "pairwise disagreement",
            Self::AnyFlip { .. } => "any-flip share",
            Self::ModalShare { .. } => "modal share",
            Self::ChanceAdjusted => "Brennan-Prediger kappa",
        }
    }

    /// The name with its article.
    fn one(&self) -> String {
        with_article(self.name())
    }
}

fn with_article(name: &str) -> String {
    let article = if name.starts_with('a') { "an" } else { "a" };
    format!("{article} {name}")
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why two figures do not compare.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Incomparable {
    /// Two different figures.
    #[error(
        "{} does not compare with {}: one model has a different value for each; compare the same figure",
        first.one(),
        second.one()
    )]
    Figures {
        /// One.
        first: Quantity,
        /// The other.
        second: Quantity,
    },
    /// Flip rates of different variants.
    #[error(
        "the flip rate of order `{}` does not compare with that of order `{}`: each order sees other preferences; compare the same order",
        crate::foreign::Foreign(first),
        crate::foreign::Foreign(second)
    )]
    Variants {
        /// One.
        first: String,
        /// The other.
        second: String,
    },
    /// Shares that move with the number of orders, over different numbers of orders.
    #[error(
        "{} over {} does not compare with one over {}: it moves with the number of orders; compare the pairwise disagreement",
        with_article(figure),
        spoken(*first, "orders"),
        spoken(*second, "orders")
    )]
    Orders {
        /// The figure.
        figure: &'static str,
        /// Answers per case of one.
        first: Range,
        /// Of the other.
        second: Range,
    },
    /// A share over cases that differ in their number of answers.
    #[error(
        "{} over {} per case does not compare with another: it moves with the number of orders; ask all cases in the same orders",
        with_article(figure),
        spoken(*orders, "orders")
    )]
    Uneven {
        /// The figure.
        figure: &'static str,
        /// Answers per case.
        orders: Range,
    },
    /// Disagreements over different numbers of options.
    #[error(
        "{} over {} does not compare with one over {}: it moves with the number of options; compare the Brennan-Prediger kappa",
        with_article(figure),
        spoken(*first, "options"),
        spoken(*second, "options")
    )]
    Options {
        /// The figure.
        figure: &'static str,
        /// Options per case of one.
        first: Range,
        /// Of the other.
        second: Range,
    },
    /// A run without the figure.
    #[error("a run has no {figure} to compare: no case has two answers of which one decided")]
    NotMeasured {
        /// The figure.
        figure: &'static str,
    },
}

/// Whether two figures may stand beside each other. Source: the statistics page, 3.
///
/// Never an any-flip share against a pairwise rate, nor two any-flip shares over different numbers of orders: "22.5 %" and
/// "11.2 %" are one model.
///
/// # Errors
/// [`Incomparable`], with what can be compared in its place.
pub fn comparable(first: &Quantity, second: &Quantity) -> Result<(), Incomparable> {
    let figure = first.name();
    match (first, second) {
        (Quantity::FlipRate { variant: a }, Quantity::FlipRate { variant: b }) => {
            if a == b {
                return Ok(());
            }
            Err(Incomparable::Variants {
                first: a.clone(),
                second: b.clone(),
            })
        }
        (
            Quantity::PairwiseDisagreement { options: a },
            Quantity::PairwiseDisagreement { options: b },
        ) => same_options(figure, *a, *b),
        (Quantity::AnyFlip { orders: a }, Quantity::AnyFlip { orders: b }) => {
            same_orders(figure, *a, *b)
        }
        (
            Quantity::ModalShare {
                orders: a,
                options: of_a,
            },
            Quantity::ModalShare {
                orders: b,
                options: of_b,
            },
        ) => same_orders(figure, *a, *b).and_then(|()| same_options(figure, *of_a, *of_b)),
        (Quantity::ChanceAdjusted, Quantity::ChanceAdjusted) => Ok(()),
        _ => Err(Incomparable::Figures {
            first: first.clone(),
            second: second.clone(),
        }),
    }
}

fn same_orders(figure: &'static str, first: Range, second: Range) -> Result<(), Incomparable> {
    if first != second {
        return Err(Incomparable::Orders {
            figure,
            first,
            second,
        });
    }
    if first.least < first.most {
        let orders = first;
        return Err(Incomparable::Uneven { figure, orders });
    }
    Ok(())
}

fn same_options(figure: &'static str, first: Range, second: Range) -> Result<(), Incomparable> {
    if first == second {
        return Ok(());
    }
    Err(Incomparable::Options {
        figure,
        first,
        second,
    })
}

impl Orders {
    /// The pairwise disagreement of this run, to be compared.
    ///
    /// # Errors
    /// [`Incomparable::NotMeasured`].
    pub fn pairwise_quantity(&self) -> Result<Quantity, Incomparable> {
        let options = self.agreement.options;
        let options = options.ok_or(Incomparable::NotMeasured {
            figure: "pairwise disagreement",
        })?;
        Ok(Quantity::PairwiseDisagreement { options })
    }

    /// The any-flip share of this run, to be compared.
    ///
    /// # Errors
    /// [`Incomparable::NotMeasured`].
    pub fn any_flip_quantity(&self) -> Result<Quantity, Incomparable> {
        let orders = self.agreement.orders;
        let orders = orders.ok_or(Incomparable::NotMeasured {
            figure: "any-flip share",
        })?;
        Ok(Quantity::AnyFlip { orders })
    }

    /// The modal share of this run, to be compared.
    ///
    /// # Errors
    /// [`Incomparable::NotMeasured`].
    pub fn modal_quantity(&self) -> Result<Quantity, Incomparable> {
        let ranges = self.agreement.orders.zip(self.agreement.options);
        let (orders, options) = ranges.ok_or(Incomparable::NotMeasured {
            figure: "modal share",
        })?;
        Ok(Quantity::ModalShare { orders, options })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn even(count: u64) -> Range {
        Range {
            least: count,
            most: count,
        }
    }

    fn any_flip(orders: Range) -> Quantity {
        Quantity::AnyFlip { orders }
    }

    fn refused(first: &Quantity, second: &Quantity) -> String {
        comparable(first, second).unwrap_err().to_string()
    }

    #[test]
    fn an_any_flip_share_never_stands_beside_a_pairwise_rate() {
        let pairwise = Quantity::PairwiseDisagreement { options: even(3) };
        assert_eq!(
            refused(&any_flip(even(6)), &pairwise),
            "an any-flip share does not compare with a pairwise disagreement: one model has a different value for each; compare the same figure"
        );
    }

    #[test]
    fn any_flip_shares_compare_over_one_number_of_orders_only() {
        assert_eq!(comparable(&any_flip(even(6)), &any_flip(even(6))), Ok(()));
        assert_eq!(
            refused(&any_flip(even(6)), &any_flip(even(3))),
            "an any-flip share over 6 orders does not compare with one over 3 orders: it moves with the number of orders; compare the pairwise disagreement"
        );
        let uneven = Range { least: 2, most: 6 };
        assert_eq!(
            refused(&any_flip(uneven), &any_flip(uneven)),
            "an any-flip share over 2 to 6 orders per case does not compare with another: it moves with the number of orders; ask all cases in the same orders"
        );
    }

    #[test]
    fn disagreements_compare_whatever_the_orders_but_not_across_options() {
        let over = |options| Quantity::PairwiseDisagreement { options };
        assert_eq!(comparable(&over(even(3)), &over(even(3))), Ok(()));
        assert_eq!(
            refused(&over(even(3)), &over(even(4))),
            "a pairwise disagreement over 3 options does not compare with one over 4 options: it moves with the number of options; compare the Brennan-Prediger kappa"
        );
        let kappa = Quantity::ChanceAdjusted;
        assert_eq!(comparable(&kappa, &kappa), Ok(()));
    }

    #[test]
    fn flip_rates_compare_under_one_order_only() {
        let rate = |variant: &str| Quantity::FlipRate {
            variant: variant.to_owned(),
        };
        assert_eq!(comparable(&rate("reverse"), &rate("reverse")), Ok(()));
        assert_eq!(
            refused(&rate("reverse"), &rate("rotate:1")),
            "the flip rate of order `reverse` does not compare with that of order `rotate:1`: each order sees other preferences; compare the same order"
        );
    }
}
