//! What a gate on drift is about: one measure, summed up over the pairs of the worst order.

use crate::gate;
use crate::stats::quantile::Place;

/// The forms of a gate on drift, for messages and help.
pub const FORMS: &str = "`drift.MEASURE.STAT` with MEASURE one of `tv`, `dp`, `js`, `logodds`, `logit` and STAT one of \
                         `p50`, `p95`, `max`, such as `drift.js.p95<=0.02`";

/// A measure of drift that can be gated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Measure {
    /// Total variation.
    TotalVariation,
    /// Largest change of a probability.
    LargestChange,
    /// Jensen-Shannon divergence in bits.
    JensenShannon,
    /// Largest change of a log-odds, in nats.
    LogOdds,
    /// Largest change of a centred log probability, in nats.
    Logit,
}

impl Measure {
    const ALL: [Self; 5] = [
        Self::TotalVariation,
        Self::LargestChange,
        Self::JensenShannon,
        Self::LogOdds,
        Self::Logit,
    ];

    /// The name in `--gate`.
    pub fn name(self) -> &'static str {
        match self {
            Self::TotalVariation => "tv",
            Self::LargestChange => "dp",
            Self::JensenShannon => "js",
            Self::LogOdds => "logodds",
            Self::Logit => "logit",
        }
    }

    /// Whether it runs from 0 to 1; otherwise it has no largest value.
    pub fn bounded(self) -> bool {
        match self {
            Self::TotalVariation | Self::LargestChange | Self::JensenShannon => true,
            Self::LogOdds | Self::Logit => false,
        }
    }
}

/// How the pairs of one order are summed up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stat {
    /// The median.
    P50,
    /// The 95th percentile.
    P95,
    /// The largest.
    Max,
}

impl Stat {
    const ALL: [Self; 3] = [Self::P50, Self::P95, Self::Max];

    /// The name in `--gate`.
    pub fn name(self) -> &'static str {
        match self {
            Self::P50 => "p50",
            Self::P95 => "p95",
            Self::Max => "max",
        }
    }

    /// The quantile, from 0 to 1.
    pub fn share(self) -> f64 {
        match self {
            Self::P50 => 0.5,
            Self::P95 => 0.95,
            Self::Max => 1.0,
        }
    }
}

/// One figure of drift that can be gated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DriftStat {
    /// The measure.
    pub measure: Measure,
    /// How pairs are summed up.
    pub stat: Stat,
}

impl DriftStat {
    /// The name as it is written in `--gate`.
    pub fn name(self) -> String {
        format!("drift.{}.{}", self.measure.name(), self.stat.name())
    }

    /// Reads `drift.MEASURE.STAT`.
    pub fn parse(text: &str) -> Option<Self> {
        let (measure, stat) = text.strip_prefix("drift.")?.split_once('.')?;
        Some(Self {
            measure: Measure::ALL
                .into_iter()
                .find(|known| known.name() == measure)?,
            stat: Stat::ALL.into_iter().find(|known| known.name() == stat)?,
        })
    }

    /// Reads a limit: a share such as `2%` or `0.02` where the measure runs from 0 to 1, else a plain number from 0.
    pub fn limit(self, text: &str) -> Option<f64> {
        if self.measure.bounded() {
            return gate::share(text);
        }
        let plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        let value = text.parse::<f64>().ok()?;
        (plain && value.is_finite()).then_some(value)
    }
}

/// What a limit on one figure of drift says about the pairs of one order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Judged {
    /// At or under the limit whatever the pairs without a value would show.
    Within(f64),
    /// Over the limit whatever they would show.
    Over(f64),
    /// It depends on them; the figure of the others, if there is one.
    Undecided(Option<f64>),
}

/// Judges the values of one order's pairs, `sorted` from the smallest, beside `unknown` pairs without a value.
///
/// A pair without a value counts as the largest possible one on the way to `Within` and as 0 on the way to `Over`, so
/// failures, zeros and missing probabilities never look like calm. `None` without any pair.
pub fn judge(stat: DriftStat, sorted: &[f64], unknown: usize, limit: f64) -> Option<Judged> {
    let worst = if stat.measure.bounded() {
        1.0
    } else {
        f64::INFINITY
    };
    let seen = quantile(sorted.len(), stat.stat.share(), |place| sorted[place]);
    let all = sorted.len() + unknown;
    let high = quantile(all, stat.stat.share(), |place| {
        sorted.get(place).copied().unwrap_or(worst)
    })?;
    let low = quantile(all, stat.stat.share(), |place| {
        let known = place.checked_sub(unknown);
        known.map_or(0.0, |place| sorted[place])
    })?;
    Some(match seen {
        Some(value) if high <= limit => Judged::Within(value),
        Some(value) if low > limit => Judged::Over(value),
        seen => Judged::Undecided(seen),
    })
}

/// The quantile of `n` sorted values by the rule of [`stats::quantile`](crate::stats::quantile), of which the largest may
/// be infinite.
fn quantile(n: usize, share: f64, at: impl Fn(usize) -> f64) -> Option<f64> {
    let Place { below, above, part } = Place::of(n, share)?;
    // Without a part the value above does not count, and 0 times infinity is no number.
    Some(if part > 0.0 {
        at(below) * (1.0 - part) + at(above) * part
    } else {
        at(below)
    })
}

/// A figure of drift in three significant digits, for reasons and reports: `0.0316`, `1.03`, `0`.
pub fn digits(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let scientific = format!("{value:.2e}");
    let exponent = scientific
        .rsplit_once('e')
        .and_then(|(_, exponent)| exponent.parse::<i32>().ok())
        .unwrap_or(0);
    let trim = |text: &str| {
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text.to_owned()
        }
    };
    // What is smaller is float noise or close to it.
    if exponent < -4 {
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
        return format!("{}e{exponent}", trim(mantissa));
    }
    let decimals = usize::try_from(2 - exponent).unwrap_or(0);
    trim(&format!("{value:.decimals$}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::{GateSpec, Subject};

    fn js_p95() -> DriftStat {
        DriftStat::parse("drift.js.p95").unwrap()
    }

    #[test]
    fn every_figure_of_drift_has_a_name_that_reads_back() {
        for measure in Measure::ALL {
            for stat in Stat::ALL {
                let gate = DriftStat { measure, stat };
                assert_eq!(DriftStat::parse(&gate.name()), Some(gate));
            }
        }
        let read =
            GateSpec::parse_list("drift.js.p95<=0.02,drift.logodds.max<=1.5,none:drift.tv.p50");
        let limit =
            |name, limit| GateSpec::Limit(Subject::Drift(DriftStat::parse(name).unwrap()), limit);
        assert_eq!(
            read.unwrap(),
            [
                limit("drift.js.p95", 0.02),
                limit("drift.logodds.max", 1.5),
                GateSpec::None(Subject::Drift(DriftStat::parse("drift.tv.p50").unwrap())),
            ]
        );
    }

    #[test]
    fn bad_gates_on_drift_say_what_there_is() {
        let errors = GateSpec::parse_list(
            "drift<=1,drift.js<=0.1,drift.kl.p95<=0.1,drift.js.p99<=0.1,drift.js.p95<=2,drift.logit.max<=5%,drift.tv.max>=1",
        );
        let texts: Vec<String> = errors
            .unwrap_err()
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            texts,
            [
                format!("`drift<=1`: expected {FORMS}"),
                format!("`drift.js<=0.1`: expected {FORMS}"),
                format!("`drift.kl.p95<=0.1`: expected {FORMS}"),
                format!("`drift.js.p99<=0.1`: expected {FORMS}"),
                "`drift.js.p95<=2`: expected a limit such as `drift.js.p95<=0.02`".to_owned(),
                "`drift.logit.max<=5%`: expected a limit such as `drift.logit.max<=0.02`"
                    .to_owned(),
                "`drift.tv.max>=1`: expected a limit such as `drift.tv.max<=0.02`".to_owned(),
            ]
        );
    }

    #[test]
    fn a_pair_without_a_value_never_makes_a_gate_hold() {
        // 21 values: the 95th percentile is the 20th of them, at place 0.95 * 20 = 19.
        let calm: Vec<f64> = (0..20)
            .map(|n| f64::from(n) / 1000.0)
            .chain([0.9])
            .collect();
        assert_eq!(judge(js_p95(), &calm, 0, 0.02), Some(Judged::Within(0.019)));
        assert_eq!(judge(js_p95(), &calm, 0, 0.01), Some(Judged::Over(0.019)));
        // With one more pair the place is 0.95 * 21 = 19.95, nearly at 0.9.
        assert_eq!(
            judge(js_p95(), &calm, 1, 0.02),
            Some(Judged::Undecided(Some(0.019)))
        );
        assert_eq!(judge(js_p95(), &calm, 1, 1.0), Some(Judged::Within(0.019)));
        assert_eq!(judge(js_p95(), &[], 3, 0.02), Some(Judged::Undecided(None)));
        assert_eq!(judge(js_p95(), &[], 0, 0.02), None);
        let logit = DriftStat::parse("drift.logit.max").unwrap();
        assert_eq!(
            judge(logit, &[0.1, 0.2], 1, 1e9),
            Some(Judged::Undecided(Some(0.2)))
        );
        assert_eq!(judge(logit, &[0.1, 0.2], 1, 0.1), Some(Judged::Over(0.2)));
    }

    #[test]
    fn figures_have_three_significant_digits() {
        let texts = [
            0.0,
            0.031_596_7,
            1.029_62,
            0.2,
            12.345,
            0.000_012_3,
            0.000_01,
            1.0,
            1234.5,
        ]
        .map(digits);
        assert_eq!(
            texts,
            [
                "0", "0.0316", "1.03", "0.2", "12.3", "1.23e-5", "1e-5", "1", "1234"
            ]
        );
    }
}
