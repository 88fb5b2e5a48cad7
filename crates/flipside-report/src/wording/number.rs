//! How numbers are printed.

/// Numbers up to here are printed without separators.
const PLAIN_UP_TO: u64 = 9_999;

/// Below this a p-value is printed as a bound: exact tests of large tables give less than anybody can use.
const SMALLEST_P: f64 = 1e-6;

/// A count, with thousands separators above 9,999.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    if n <= PLAIN_UP_TO {
        return digits;
    }
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A place, from 1: `1st`, `22nd`, `13th`.
pub fn ordinal(n: u64) -> String {
    let ending = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{}{ending}", count(n))
}

/// A share as a percentage with one decimal.
///
/// Only 0 and 1 themselves are printed as `0.0%` and `100.0%`; what would round to them is `<0.1%` or `>99.9%`.
pub fn percent(share: f64) -> String {
    let rounded = format!("{:.1}%", share * 100.0);
    match rounded.as_str() {
        "0.0%" | "-0.0%" if share == 0.0 => "0.0%".to_owned(),
        "0.0%" => "<0.1%".to_owned(),
        "100.0%" if share < 1.0 => ">99.9%".to_owned(),
        _ => rounded,
    }
}

/// A part of a whole in percent; a part of nothing is none of it.
#[expect(clippy::cast_precision_loss, reason = "one decimal is printed")]
pub fn percent_of(part: u64, whole: u64) -> String {
    percent(if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    })
}

/// A share beside a limit: as [`percent`], with up to three more decimals where one would make them look equal.
pub fn percent_apart(share: f64, from: f64) -> String {
    // Closer than this they are equal but for the rounding of a computed bound.
    let differ = (share - from).abs() > 1e-12;
    if !differ || format!("{:.1}", share * 100.0) != format!("{:.1}", from * 100.0) {
        return percent(share);
    }
    let decimals = (2..=4).find(|&decimals| {
        format!("{:.decimals$}", share * 100.0) != format!("{:.decimals$}", from * 100.0)
    });
    format!("{:.1$}%", share * 100.0, decimals.unwrap_or(4))
}

/// A share as a percentage with one decimal, rounded up: the smallest such limit that the share keeps.
pub fn percent_up(share: f64) -> String {
    // Within this many steps of a decimal, a share is that decimal: 0.1 is 10.0% and not 10.1%.
    const SLACK: f64 = 1e-9;
    format!("{:.1}%", (share * 1_000.0 - SLACK).ceil() / 10.0)
}

/// Two shares as the ends of an interval, such as `1.8-9.4%`.
pub fn range([lower, upper]: [f64; 2]) -> String {
    let lower = percent(lower);
    format!("{}-{}", lower.trim_end_matches('%'), percent(upper))
}

/// A limit as a user would write it: `5%`, `12.5%`.
pub fn limit(share: f64) -> String {
    let text = format!("{:.4}", share * 100.0);
    format!("{}%", text.trim_end_matches('0').trim_end_matches('.'))
}

/// A difference of two shares in percentage points, with its sign.
pub fn points(difference: f64) -> String {
    let text = format!("{:+.1}", difference * 100.0);
    if matches!(text.as_str(), "-0.0" | "+0.0") {
        "0.0".to_owned()
    } else {
        text
    }
}

/// A p-value with three significant digits; below one in a million it is `<0.000001`, and only 1 itself is `1`.
pub fn p_value(p: f64) -> String {
    if p < SMALLEST_P {
        return "<0.000001".to_owned();
    }
    if p >= 1.0 {
        return "1".to_owned();
    }
    // The exponent comes from scientific notation, which has rounded already: 0.0009996 is 0.00100.
    let scientific = format!("{p:.2e}");
    let exponent = scientific
        .rsplit_once('e')
        .and_then(|(_, exponent)| exponent.parse::<i32>().ok());
    let decimals = usize::try_from(2 - exponent.unwrap_or(0)).unwrap_or(2);
    let text = format!("{p:.decimals$}");
    if text.starts_with('1') {
        ">0.999".to_owned()
    } else {
        text
    }
}

/// A probability as reported, with two decimals; only 0 and 1 themselves are `0.00` and `1.00`.
pub fn probability(p: f64) -> String {
    let text = format!("{p:.2}");
    match text.as_str() {
        "1.00" if p < 1.0 => ">0.99".to_owned(),
        "0.00" if p > 0.0 => "<0.01".to_owned(),
        _ => text,
    }
}

/// A duration: `0.4 ms`, `12 ms`, `1.5 s`, `2 min 5 s`.
pub fn duration_ms(ms: f64) -> String {
    if ms < 9.95 {
        format!("{ms:.1} ms")
    } else if ms < 999.5 {
        format!("{ms:.0} ms")
    } else if ms < 59_950.0 {
        format!("{:.1} s", ms / 1_000.0)
    } else {
        let seconds = (ms / 1_000.0).round();
        format!(
            "{:.0} min {:.0} s",
            (seconds / 60.0).floor(),
            seconds % 60.0
        )
    }
}

/// Money given in millionths of a US dollar: cents from one dollar on, else to the last digit that is not zero.
pub fn usd(micros: u64) -> String {
    let (dollars, rest) = (micros / 1_000_000, micros % 1_000_000);
    if dollars > 0 {
        let cents = (micros + 5_000) / 10_000;
        return format!("${}.{:02}", count(cents / 100), cents % 100);
    }
    let fraction = format!("{rest:06}");
    let kept = fraction.trim_end_matches('0');
    format!("$0.{kept:0<2}")
}

/// Millionths of millionths of a US dollar: `$0.000004956`, from a dollar on to the cent.
pub(super) fn usd_picos(picos: u64) -> String {
    const DOLLAR: u64 = 1_000_000_000_000;
    if picos >= DOLLAR {
        return usd(picos / 1_000_000);
    }
    let fraction = format!("{picos:012}");
    let kept = fraction.trim_end_matches('0');
    format!("$0.{kept:0<2}")
}

/// A size: `512 bytes`, `4.8 kB`, `1.2 MB`.
pub fn bytes(n: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "one decimal is printed")]
    let scaled = |unit: u64| n as f64 / unit as f64;
    match n {
        1 => "1 byte".to_owned(),
        0..1_000 => format!("{n} bytes"),
        1_000..1_000_000 => format!("{:.1} kB", scaled(1_000)),
        _ => format!("{:.1} MB", scaled(1_000_000)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cost_below_a_millionth_is_not_nothing() {
        let texts = [0, 1, 294_000, 4_956_000, 500_000_000_000, 2_345_678_901_234].map(usd_picos);
        let expected = [
            "$0.00",
            "$0.000000000001",
            "$0.000000294",
            "$0.000004956",
            "$0.50",
            "$2.35",
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn counts_above_9999_have_separators() {
        let texts = [0, 9_999, 10_000, 1_234_567].map(count);
        assert_eq!(texts, ["0", "9999", "10,000", "1,234,567"]);
    }

    #[test]
    fn places_have_english_endings() {
        let texts = [1, 2, 3, 4, 11, 12, 13, 21, 112, 122].map(ordinal);
        assert_eq!(
            texts,
            [
                "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th", "122nd"
            ]
        );
    }

    #[test]
    fn a_percentage_never_rounds_to_none_or_all() {
        let texts = [0.0, 0.0004, 0.042_553, 0.687_656, 0.9999, 1.0].map(percent);
        assert_eq!(
            texts,
            ["0.0%", "<0.1%", "4.3%", "68.8%", ">99.9%", "100.0%"]
        );
        assert_eq!(percent(-0.0), "0.0%");
    }

    #[test]
    fn a_bound_beside_its_limit_never_looks_equal_to_it() {
        assert_eq!(percent_apart(0.050_339, 0.05), "5.03%");
        assert_eq!(percent_apart(0.049_508, 0.05), "4.95%");
        assert_eq!(percent_apart(0.312_344, 0.05), "31.2%");
        assert_eq!(percent_apart(0.05, 0.05), "5.0%");
        assert_eq!(percent_apart(0.05 + 1e-15, 0.05), "5.0%");
        assert_eq!(percent_apart(0.050_000_1, 0.05), "5.0000%");
        assert_eq!(percent_apart(0.0004, 0.0), "0.04%");
    }

    #[test]
    fn a_limit_to_paste_is_rounded_up() {
        assert_eq!(
            [0.312_344, 0.1, 0.049_508, 1.0].map(percent_up),
            ["31.3%", "10.0%", "5.0%", "100.0%"]
        );
    }

    #[test]
    fn limits_are_printed_as_they_are_written() {
        assert_eq!(
            [0.05, 0.8, 0.125, 0.001, 0.0, 1.0].map(limit),
            ["5%", "80%", "12.5%", "0.1%", "0%", "100%"]
        );
    }

    #[test]
    fn intervals_and_differences_name_their_unit_once() {
        assert_eq!(range([0.018, 0.094]), "1.8-9.4%");
        assert_eq!(
            [-0.0075, 0.2, -0.000_01].map(points),
            ["-0.8", "+20.0", "0.0"]
        );
    }

    #[test]
    fn p_values_have_three_significant_digits_down_to_a_millionth() {
        let texts = [
            1.0,
            0.9999,
            0.453_125,
            0.038_574,
            0.000_488,
            0.000_999_6,
            0.000_001_234,
            9e-7,
            0.0,
        ]
        .map(p_value);
        assert_eq!(
            texts,
            [
                "1",
                ">0.999",
                "0.453",
                "0.0386",
                "0.000488",
                "0.00100",
                "0.00000123",
                "<0.000001",
                "<0.000001"
            ]
        );
    }

    #[test]
    fn probabilities_never_round_to_certainty() {
        assert_eq!(
            [0.0, 0.004, 0.625, 0.996, 1.0].map(probability),
            ["0.00", "<0.01", "0.62", ">0.99", "1.00"]
        );
    }

    #[test]
    fn durations_sizes_and_money_keep_what_matters() {
        assert_eq!(
            [0.42, 12.3, 1_500.0, 125_000.0, 59_999.0].map(duration_ms),
            ["0.4 ms", "12 ms", "1.5 s", "2 min 5 s", "1 min 0 s"]
        );
        assert_eq!(
            [0, 49, 300_000, 1_239_999, 12_345_000_000].map(usd),
            ["$0.00", "$0.000049", "$0.30", "$1.24", "$12,345.00"]
        );
        assert_eq!(
            [1, 512, 4_800, 1_200_000].map(bytes),
            ["1 byte", "512 bytes", "4.8 kB", "1.2 MB"]
        );
    }
}
