//! Special functions against 40 digits from mpmath, and against statrs where it can be trusted.

use std::sync::LazyLock;

use flipside_core::stats::proportion::{lower_bound, upper_bound};
use flipside_core::stats::special::{
    Tail, beta_quantile, beta_tails, binomial_pmf, binomial_tails, chi_square_upper,
    f_quantile_upper, f_upper, gamma_tails, ln_beta, ln_gamma, normal_quantile, normal_tails,
    student_quantile_upper, student_two_sided,
};
use serde_json::Value;

/// What the module promises of every tail, density and quantile.
const RELATIVE: f64 = 1e-12;
/// The larger of two tails is 1 minus the other.
const LARGER: f64 = 1e-15;

static REFERENCE: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../data/special-reference.json")).unwrap());

fn rows(name: &str) -> &'static [Value] {
    let rows = REFERENCE[name].as_array().unwrap();
    assert!(!rows.is_empty(), "{name}");
    rows
}

/// A number, or the 40 digits of one rounded to the nearest float.
fn number(row: &Value, key: &str) -> f64 {
    row[key].as_str().unwrap().parse().unwrap()
}

fn count(row: &Value, key: &str) -> u64 {
    row[key].as_u64().unwrap()
}

/// Collects the worst relative error, so that a failure names the row and a success can be reported.
struct Worst(&'static str, f64, String);

impl Worst {
    fn new(name: &'static str) -> Self {
        Self(name, 0.0, String::new())
    }

    fn see(&mut self, got: f64, expected: f64, row: &Value) {
        let error = if expected == 0.0 {
            got.abs()
        } else {
            (got / expected - 1.0).abs()
        };
        assert!(error.is_finite(), "{}: {got} for {row}", self.0);
        if error > self.1 {
            self.1 = error;
            self.2 = format!("{got:e} for {row}");
        }
    }

    fn under(self, bound: f64) {
        assert!(self.1 <= bound, "{}: {:.2e}, {}", self.0, self.1, self.2);
    }
}

#[test]
fn beta_tails_reach_twelve_digits_up_to_a_million() {
    let mut worst = Worst::new("beta tails");
    for row in rows("beta") {
        let at = beta_tails(number(row, "a"), number(row, "b"), number(row, "x")).unwrap();
        let (lower, upper) = (number(row, "lower"), number(row, "upper"));
        if lower < upper {
            worst.see(at.lower, lower, row);
            assert!(
                (at.upper - upper).abs() <= LARGER * 2.0 + RELATIVE * lower,
                "{row}"
            );
        } else {
            worst.see(at.upper, upper, row);
            assert!(
                (at.lower - lower).abs() <= LARGER * 2.0 + RELATIVE * upper,
                "{row}"
            );
        }
    }
    worst.under(RELATIVE);
}

#[test]
fn beta_quantiles_undo_the_tails() {
    let mut worst = Worst::new("beta quantiles");
    for row in rows("beta") {
        let (a, b, x) = (number(row, "a"), number(row, "b"), number(row, "x"));
        let (lower, upper) = (number(row, "lower"), number(row, "upper"));
        let (tail, probability) = if lower < upper {
            (Tail::Lower, lower)
        } else {
            (Tail::Upper, upper)
        };
        if probability < 1e-250 || a.min(b) < 0.5 {
            continue;
        }
        let point = beta_quantile(a, b, tail, probability).unwrap();
        if x <= 0.5 {
            worst.see(point, x, row);
        } else {
            assert!(
                (point - x).abs() <= 2e-16 + RELATIVE * (1.0 - x),
                "{point} for {row}"
            );
        }
    }
    worst.under(RELATIVE);
}

#[test]
fn binomial_probabilities_reach_twelve_digits_up_to_a_million() {
    let mut worst = Worst::new("binomial");
    for row in rows("binomial") {
        let (hits, n, rate) = (count(row, "hits"), count(row, "n"), number(row, "rate"));
        worst.see(
            binomial_pmf(hits, n, rate).unwrap(),
            number(row, "pmf"),
            row,
        );
        let at = binomial_tails(hits, n, rate).unwrap();
        let (lower, upper) = (number(row, "lower"), number(row, "upper"));
        if lower < upper {
            worst.see(at.lower, lower, row);
        } else {
            worst.see(at.upper, upper, row);
        }
    }
    worst.under(RELATIVE);
}

#[test]
fn exact_bounds_reach_twelve_digits_up_to_a_million() {
    let mut worst = Worst::new("Clopper-Pearson bounds");
    for row in rows("clopper_pearson") {
        let (hits, n, alpha) = (count(row, "hits"), count(row, "n"), number(row, "alpha"));
        worst.see(
            upper_bound(hits, n, alpha).unwrap(),
            number(row, "upper"),
            row,
        );
        worst.see(
            lower_bound(hits, n, alpha).unwrap(),
            number(row, "lower"),
            row,
        );
    }
    worst.under(RELATIVE);
}

#[test]
fn gamma_tails_reach_twelve_digits() {
    let mut worst = Worst::new("gamma tails");
    for row in rows("gamma") {
        let (a, x) = (number(row, "a"), number(row, "x"));
        let at = gamma_tails(a, x).unwrap();
        let (lower, upper) = (number(row, "lower"), number(row, "upper"));
        if lower < upper {
            worst.see(at.lower, lower, row);
        } else {
            worst.see(at.upper, upper, row);
            worst.see(chi_square_upper(2.0 * x, 2.0 * a).unwrap(), upper, row);
        }
    }
    worst.under(RELATIVE);
}

#[test]
fn the_normal_distribution_reaches_twelve_digits_down_to_1e_minus_283() {
    let mut worst = Worst::new("normal");
    for row in rows("normal") {
        let at = normal_tails(number(row, "z")).unwrap();
        worst.see(at.upper, number(row, "upper"), row);
        let mirrored = normal_tails(-number(row, "z")).unwrap();
        worst.see(mirrored.lower, number(row, "upper"), row);
    }
    for row in rows("normal_quantile") {
        let probability = number(row, "probability");
        let z = number(row, "z");
        worst.see(normal_quantile(Tail::Upper, probability).unwrap(), z, row);
        worst.see(normal_quantile(Tail::Lower, probability).unwrap(), -z, row);
    }
    worst.under(1e-13);
}

#[test]
fn student_and_f_reach_twelve_digits_and_their_quantiles_undo_them() {
    let mut worst = Worst::new("t and F");
    for row in rows("student") {
        let (df, t, two_sided) = (
            number(row, "df"),
            number(row, "t"),
            number(row, "two_sided"),
        );
        worst.see(student_two_sided(t, df).unwrap(), two_sided, row);
        if two_sided < 0.9 {
            worst.see(student_quantile_upper(two_sided / 2.0, df).unwrap(), t, row);
        }
    }
    for row in rows("f") {
        let (df1, df2, f) = (number(row, "df1"), number(row, "df2"), number(row, "f"));
        worst.see(f_upper(f, df1, df2).unwrap(), number(row, "upper"), row);
        if number(row, "upper") < 0.9 {
            worst.see(
                f_quantile_upper(number(row, "upper"), df1, df2).unwrap(),
                f,
                row,
            );
        }
    }
    for row in rows("student_quantile") {
        let (probability, df) = (number(row, "probability"), number(row, "df"));
        let t = number(row, "t");
        worst.see(student_quantile_upper(probability, df).unwrap(), t, row);
    }
    for row in rows("f_quantile") {
        let (df1, df2) = (number(row, "df1"), number(row, "df2"));
        let quantile = f_quantile_upper(number(row, "probability"), df1, df2).unwrap();
        worst.see(quantile, number(row, "f"), row);
    }
    worst.under(RELATIVE);
}

#[test]
fn log_gamma_and_log_beta_reach_their_bounds() {
    for row in rows("ln_gamma") {
        let (x, value) = (number(row, "x"), number(row, "value"));
        let error = (ln_gamma(x).unwrap() - value).abs();
        assert!(error <= 1e-15 * value.abs().max(1.0), "{error:e} for {row}");
    }
    for row in rows("ln_beta") {
        let (a, b, value) = (number(row, "a"), number(row, "b"), number(row, "value"));
        let error = (ln_beta(a, b).unwrap() - value).abs();
        assert!(error <= 1e-14 * value.abs().max(1.0), "{error:e} for {row}");
    }
}

#[test]
fn statrs_agrees_where_it_can_be_trusted() {
    use statrs::distribution::{Beta, Binomial, ContinuousCDF, Discrete, DiscreteCDF, StudentsT};
    let close = |a: f64, b: f64, bound: f64| assert!((a / b - 1.0).abs() <= bound, "{a} {b}");
    for (hits, n) in [(1_u32, 10_u32), (140, 400), (350, 1000), (499, 1000)] {
        let (x, size) = (u64::from(hits), u64::from(n));
        let beta = Beta::new(f64::from(hits) + 1.0, f64::from(n - hits)).unwrap();
        close(
            upper_bound(x, size, 0.05).unwrap(),
            beta.inverse_cdf(0.95),
            1e-11,
        );
        let binomial = Binomial::new(0.4, size).unwrap();
        close(binomial_pmf(x, size, 0.4).unwrap(), binomial.pmf(x), 1e-10);
        close(
            binomial_tails(x, size, 0.4).unwrap().lower,
            binomial.cdf(x),
            1e-10,
        );
    }
    let student = StudentsT::new(0.0, 1.0, 9.0).unwrap();
    close(
        student_quantile_upper(0.025, 9.0).unwrap(),
        student.inverse_cdf(0.975),
        1e-9,
    );
}

#[test]
fn arguments_out_of_range_are_errors_and_not_numbers() {
    assert!(beta_tails(0.0, 1.0, 0.5).is_err());
    assert!(beta_tails(1.0, 1.0, f64::NAN).is_err());
    assert!(beta_quantile(1.0, 1.0, Tail::Lower, 1.0).is_err());
    assert!(binomial_pmf(3, 2, 0.5).is_err());
    assert!(binomial_tails(0, 0, 0.5).is_err());
    assert!(normal_quantile(Tail::Upper, 0.0).is_err());
    assert!(normal_tails(f64::INFINITY).is_err());
    assert!(student_two_sided(1.0, 0.0).is_err());
    assert!(f_upper(-1.0, 1.0, 1.0).is_err());
    assert!(chi_square_upper(f64::NAN, 1.0).is_err());
    assert!(ln_gamma(0.0).is_err());
    assert!(gamma_tails(1.0, -1.0).is_err());
}
