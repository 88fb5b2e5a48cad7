//! C and D: what an option less, or another neighbour, does to the logits of the others.

use super::super::changes::difference;
use super::super::inside::Seen;
use super::{Count, One, id};
use crate::order::{OptionId, Order};
use crate::present::Presentation;

impl One<'_> {
    /// C and D.
    pub(super) fn compositions(&self, count: &mut Count) -> Result<(), String> {
        let n = self.options();
        let head = self.model.rescore(&self.own.vectors).is_some();
        // Without option j: logits of the others by identity, NaN at j; `None` where another number of tokens was read.
        let mut without: Vec<Option<Vec<f32>>> = Vec::with_capacity(n);
        for left_out in 0..n {
            let kept: Vec<usize> = (0..n).filter(|option| *option != left_out).collect();
            let logits = if head {
                let vectors: Vec<Vec<f32>> = kept
                    .iter()
                    .map(|option| self.own.vectors[*option].clone())
                    .collect();
                Some(self.model.rescore(&vectors).expect("it rescored before")?)
            } else {
                let ids: Vec<OptionId> = kept.iter().map(|option| id(*option)).collect();
                let seen = self
                    .model
                    .see(&Presentation::new(self.case, &Order::listing(&ids)))?;
                self.same_cuts(&kept, &seen).then_some(seen.logits)
            };
            without.push(logits.map(|logits| {
                let mut all = vec![f32::NAN; n];
                for (option, logit) in kept.iter().zip(logits) {
                    all[*option] = logit;
                }
                all
            }));
        }
        for (left_out, logits) in without.iter().enumerate() {
            let Some(logits) = logits else {
                count.cut += n as u64 - 1;
                continue;
            };
            for option in (0..n).filter(|option| *option != left_out) {
                let moved = difference(self.own.logits[option], logits[option]);
                count.leave_one_out.add(moved, &self.id);
            }
        }
        for j in 0..n {
            for k in j + 1..n {
                let (Some(less_j), Some(less_k)) = (&without[j], &without[k]) else {
                    count.cut += n as u64 - 2;
                    continue;
                };
                for option in (0..n).filter(|option| *option != j && *option != k) {
                    count
                        .swap
                        .add(difference(less_j[option], less_k[option]), &self.id);
                }
            }
        }
        Ok(())
    }

    /// Whether `seen`, of the options `kept`, was read from as many tokens each as the whole list was.
    fn same_cuts(&self, kept: &[usize], seen: &Seen) -> bool {
        let n = self.options();
        kept.iter()
            .zip(&seen.kept)
            .all(|(option, tokens)| self.own.kept[*option] == *tokens)
            && self.own.kept.get(n..) == seen.kept.get(n - 1..)
    }
}
