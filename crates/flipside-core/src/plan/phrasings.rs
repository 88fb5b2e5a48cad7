//! Rewordings that some cases bring and others do not.

use std::collections::{BTreeMap, BTreeSet};

use super::{Plan, Vacuous, VacuousReason};
use crate::perturb::{Axis, AxisSpec, Variant, phrasing};

impl Plan {
    /// Tells every rewording as vacuous for each case that does not bring it, so that each line accounts for all cases.
    pub(super) fn complete_phrasings(&mut self, known: &mut BTreeMap<Variant, u32>) {
        if !self.axes.contains(&AxisSpec::Phrasing) {
            return;
        }
        let is_phrasing = |variant: &Variant| variant.axis == Axis::Phrasing;
        if !self.variants.iter().any(is_phrasing) {
            let none = Variant::on(Axis::Phrasing, phrasing::NONE);
            let place = u32::try_from(self.variants.len()).expect("a plan has few variants");
            known.insert(none.clone(), place);
            self.variants.push(none);
            self.changes.push(Vec::new());
        }
        let asked = self.asks.iter().map(|ask| (ask.case, ask.variant));
        let told = self.vacuous.iter().map(|told| (told.case, told.variant));
        let done: BTreeSet<(u32, u32)> = asked.chain(told).collect();
        let variants = (0u32..).zip(&self.variants);
        let variants: Vec<u32> = variants
            .filter(|(_, variant)| is_phrasing(variant))
            .map(|(place, _)| place)
            .collect();
        for (case, _) in (0u32..).zip(self.cases.iter()) {
            let lacking = variants
                .iter()
                .filter(|&&variant| !done.contains(&(case, variant)));
            self.vacuous.extend(lacking.map(|&variant| Vacuous {
                case,
                variant,
                reason: VacuousReason::NoPhrasing,
            }));
        }
        self.vacuous.sort_by_key(|vacuous| vacuous.case);
    }
}
