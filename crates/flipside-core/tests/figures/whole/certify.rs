//! The certify rule on whole summaries: the table of section 6.1 of the statistics page.

use flipside_core::gate::{GateSpec, Gates};
use flipside_core::summary::{MorePairs, Verdict};

use super::given::{cases, chose, failed, gated, line, number};

/// Flips, pairs compared and missing pairs; the limit; both bounds to six digits; the word; and further pairs.
type Row = (
    [usize; 3],
    &'static str,
    [f64; 2],
    Verdict,
    Option<[Option<u64>; 2]>,
);

#[test]
fn the_certify_rule_says_what_the_page_prints() {
    let both = |none, same| Some([Some(none), Some(same)]);
    let rows: [Row; 11] = [
        ([0, 59, 0], "5%", [0.0, 0.049_508], Verdict::Stable, None),
        (
            [0, 58, 0],
            "5%",
            [0.0, 0.050_339],
            Verdict::Inconclusive,
            both(1, 1),
        ),
        // Wilson's one-sided limit is under 5 % here.
        (
            [0, 52, 0],
            "5%",
            [0.0, 0.055_982],
            Verdict::Inconclusive,
            both(7, 7),
        ),
        (
            [0, 8, 0],
            "5%",
            [0.0, 0.312_344],
            Verdict::Inconclusive,
            both(51, 51),
        ),
        (
            [8, 8, 0],
            "5%",
            [0.687_656, 1.0],
            Verdict::OrderSensitive,
            None,
        ),
        (
            [3, 100, 0],
            "5%",
            [0.008_226, 0.075_711],
            Verdict::Inconclusive,
            both(53, 261),
        ),
        (
            [8, 100, 0],
            "5%",
            [0.040_429, 0.139_717],
            Verdict::Inconclusive,
            both(186, 100),
        ),
        (
            [3, 96, 4],
            "10%",
            [0.008_226, 0.127_458],
            Verdict::Inconclusive,
            None,
        ),
        (
            [3, 100, 0],
            "10%",
            [0.008_226, 0.075_711],
            Verdict::Stable,
            None,
        ),
        ([0, 0, 40], "5%", [0.0, 1.0], Verdict::Inconclusive, None),
        (
            [0, 300, 0],
            "0%",
            [0.0, 0.009_936],
            Verdict::Inconclusive,
            None,
        ),
    ];
    for ([flips, pairs, missing], limit, [lower, upper], verdict, more) in rows {
        let specs = GateSpec::parse_list(&format!("order<={limit},none:fit")).unwrap();
        let gates = Gates::resolve(&specs, true, &[], true);
        let given = cases(pairs + missing, &["a", "b", "c"]);
        let result = gated(given, "random:1", &gates, &|shown, variant| {
            let place = number(shown);
            let changed = variant == "random:1";
            if changed && place >= pairs {
                failed()
            } else {
                chose(u16::from(changed && place < flips))
            }
        });
        let line = line(&result, "random:1");
        let figure = &line.figure;
        let what = format!("{flips}/{pairs}/{missing} at {limit}");
        assert!(
            (figure.lower.unwrap() - lower).abs() < 1e-6,
            "{what}: {figure:?}"
        );
        assert!(
            (figure.upper.unwrap() - upper).abs() < 1e-6,
            "{what}: {figure:?}"
        );
        assert_eq!(figure.verdict, verdict, "{what}");
        let more = more.map(|[if_no_flip, if_same_rate]| MorePairs {
            if_no_flip,
            if_same_rate,
        });
        assert_eq!(line.more_pairs, more, "{what}");
        assert_eq!(result.exit, u8::from(verdict != Verdict::Stable), "{what}");
    }
}
