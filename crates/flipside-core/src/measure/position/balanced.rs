//! Equal position shares over balanced sets of orders.

use super::rows::{Placed, Row};
use super::{CaseShares, Shares, shares_of, unit_means};
use crate::measure::pair::Said;
use crate::stats::{cluster, position};
use crate::summary::{BalancedMethod, PositionBalanced};

/// The test over `sets`, one balanced set of asks per case of `cases`, and the shares of the complete cases.
///
/// Hotelling's F by the statistics page, 7. Where the covariance is singular though shares are not equal (a position that no
/// answer came from makes it so), each position's mean share is tested by the bets of 4.4 and the smallest p value is
/// multiplied by the number of positions (Bonferroni): an own construction that is valid, if cautious.
pub(super) fn balanced<'a>(
    cases: &[Row<'a>],
    sets: &[Vec<Placed<'a>>],
    options: usize,
    cluster: Option<&str>,
) -> (PositionBalanced, Vec<CaseShares<'a>>) {
    let (mut left_out, mut no_decision) = (0, 0);
    let mut complete: Vec<CaseShares<'a>> = Vec::new();
    let mut counts = vec![0; options];
    for (row, asks) in cases.iter().zip(sets) {
        let lost = |said: &Said| matches!(said, Said::Missing | Said::Unasked);
        let places: Vec<usize> = asks.iter().filter_map(Placed::position).collect();
        if asks.iter().any(|ask| lost(&ask.said)) {
            left_out += 1;
        } else if places.len() < asks.len() {
            no_decision += 1;
        } else {
            for &place in &places {
                counts[place] += 1;
            }
            complete.push((row.case, shares_of(&places, options)));
        }
    }
    let rows = unit_means(&complete, cluster);
    let mut out = PositionBalanced {
        counts,
        cases: complete.len() as u64,
        clusters: cluster.map(|_| rows.len() as u64),
        left_out,
        no_decision,
        orders: sets.first().map_or(0, |asks| asks.len() as u64),
        wald: None,
        f: None,
        df: None,
        p: None,
        method: BalancedMethod::None,
        reason: None,
    };
    match position::balanced_test(&rows) {
        Ok(position::BalancedTest::Tested { wald, df, f, p, .. }) => {
            out.wald = Some(wald);
            out.f = Some(f);
            out.df = Some([df, rows.len() as u64 - df]);
            out.p = Some(p);
            out.method = BalancedMethod::Hotelling;
        }
        Ok(position::BalancedTest::UniformByConstruction { .. }) => {
            out.method = BalancedMethod::Unanimous;
            out.reason = Some(if cluster.is_some() {
                "no position preference (all clusters even)".to_owned()
            } else {
                "no position preference (all cases unanimous)".to_owned()
            });
        }
        Ok(position::BalancedTest::Undefined { .. }) => {
            out.p = by_bets(&rows, options);
            out.method = BalancedMethod::Betting;
            out.reason = Some(if rows.len() < options {
                let units = cluster.map_or("cases", |_| "clusters");
                format!("{} {units} are too few for {options} positions", rows.len())
            } else {
                "shares vary too little over cases for their covariance".to_owned()
            });
        }
        Err(_) => {
            out.reason = Some("no case is answered in every order of its set".to_owned());
        }
    }
    (out, complete)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "option counts are far below 2^52"
)]
fn by_bets(rows: &[Shares], options: usize) -> Option<f64> {
    let even = 1.0 / options as f64;
    let of_place = |place: usize| {
        let values: Vec<f64> = rows.iter().map(|row| row[place]).collect();
        cluster::betting_p(&values, even).ok()
    };
    let smallest = (0..options).filter_map(of_place).reduce(f64::min)?;
    Some((smallest * options as f64).min(1.0))
}
