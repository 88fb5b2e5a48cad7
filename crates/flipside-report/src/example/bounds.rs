//! Bounds of shares, by search: slow, plain and independent of core's.

fn at_most(hits: u64, n: u64, p: f64) -> f64 {
    let mut term = (1.0 - p).powf(n as f64);
    let mut sum = term;
    for k in 0..hits {
        term *= (n - k) as f64 / (k + 1) as f64 * p / (1.0 - p);
        sum += term;
    }
    sum
}

fn search(over: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if over(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

/// One-sided 95 % exact upper bound.
pub(crate) fn upper(hits: u64, n: u64) -> f64 {
    if hits == n {
        1.0
    } else {
        search(|p| at_most(hits, n, p) < 0.05)
    }
}

/// One-sided 95 % exact lower bound.
pub(crate) fn lower(hits: u64, n: u64) -> f64 {
    if hits == 0 {
        0.0
    } else {
        search(|p| 1.0 - at_most(hits - 1, n, p) > 0.05)
    }
}

/// Two-sided 95 % Wilson interval.
pub(crate) fn wilson(hits: u64, n: u64) -> [f64; 2] {
    let (z, n, p) = (1.959_964_f64, n as f64, hits as f64 / n as f64);
    let centre = p + z * z / (2.0 * n);
    let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    [centre - half, centre + half].map(|end| (end / (1.0 + z * z / n)).clamp(0.0, 1.0))
}

/// Exact McNemar test.
pub(crate) fn mcnemar(b: u64, c: u64) -> f64 {
    if b + c == 0 {
        1.0
    } else {
        (2.0 * at_most(b.min(c), b + c, 0.5)).min(1.0)
    }
}

#[test]
fn the_bounds_are_those_of_the_statistics_page() {
    let near = |found: f64, known: f64| assert!((found - known).abs() < 1e-6, "{found} {known}");
    near(lower(8, 8), 0.687_656);
    near(upper(0, 8), 0.312_344);
    near(upper(5, 40), 0.245_031);
    near(lower(5, 40), 0.050_570);
    near(wilson(5, 40)[1], 0.261_121);
    near(mcnemar(10, 2), 0.038_574);
}
