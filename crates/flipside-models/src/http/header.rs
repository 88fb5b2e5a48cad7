//! What response headers say.

use std::time::Duration;

use flipside_core::cost::usd_picos;
use jiff::Timestamp;
use reqwest::header::HeaderMap;

/// The text of a header, if it is one.
pub(crate) fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

/// How long the server asks to wait: `retry-after-ms`, then `Retry-After` as seconds, with a fraction or not, or a date.
pub(crate) fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    if let Some(ms) = text(headers, "retry-after-ms").and_then(|text| text.parse::<f64>().ok())
        && let Ok(wait) = Duration::try_from_secs_f64(ms / 1e3)
    {
        return Some(wait);
    }
    let after = text(headers, "retry-after")?;
    if let Ok(seconds) = after.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let at = jiff::fmt::rfc2822::DateTimeParser::new()
        .parse_timestamp(after)
        .ok()?;
    Some(Duration::try_from(at.duration_since(now)).unwrap_or(Duration::ZERO))
}

/// What the proxy of `LiteLLM` says that the ask cost, in millionths of millionths of a US dollar.
pub(crate) fn cost_usd_picos(headers: &HeaderMap) -> Option<u64> {
    let dollars: f64 = text(headers, "x-litellm-response-cost")?.parse().ok()?;
    usd_picos(dollars)
}

/// `x-should-retry`, where it is `true` or `false`.
pub(crate) fn should_retry(headers: &HeaderMap) -> Option<bool> {
    text(headers, "x-should-retry")?.parse().ok()
}

/// The server's id for the request.
pub(crate) fn request_id(headers: &HeaderMap) -> Option<&str> {
    let id = text(headers, "x-typesafe-request-id").or_else(|| text(headers, "x-request-id"))?;
    (!id.is_empty()).then_some(id)
}

/// The longest duration in `Server-Timing`, in whole milliseconds.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be in range"
)]
pub(crate) fn server_ms(headers: &HeaderMap) -> Option<u64> {
    let durations = text(headers, "server-timing")?
        .split(',')
        .flat_map(|metric| metric.split(';').skip(1));
    durations
        .filter_map(|parameter| {
            parameter
                .trim()
                .strip_prefix("dur=")?
                .trim_matches('"')
                .parse::<f64>()
                .ok()
        })
        .filter(|ms| (0.0..1e12).contains(ms))
        .reduce(f64::max)
        .map(|ms| ms.round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
            .collect()
    }

    fn wait(pairs: &[(&'static str, &str)]) -> Option<Duration> {
        // 1994-11-06 08:49:07 UTC.
        retry_after(
            &headers(pairs),
            Timestamp::from_second(784_111_747).unwrap(),
        )
    }

    #[test]
    fn every_form_of_a_wait_is_read() {
        assert_eq!(
            wait(&[("retry-after-ms", "50"), ("retry-after", "9")]),
            Some(Duration::from_millis(50))
        );
        assert_eq!(
            wait(&[("retry-after", "0.5")]),
            Some(Duration::from_millis(500))
        );
        assert_eq!(wait(&[("retry-after", "2")]), Some(Duration::from_secs(2)));
        assert_eq!(
            wait(&[("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")]),
            Some(Duration::from_secs(30))
        );
        assert_eq!(
            wait(&[("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT")]),
            Some(Duration::ZERO)
        );
        assert_eq!(
            wait(&[("retry-after", "99999999999")]),
            Some(Duration::from_secs(99_999_999_999))
        );
        for bad in ["-1", "NaN", "inf", "soon", "1e300", ""] {
            assert_eq!(wait(&[("retry-after", bad)]), None, "{bad}");
        }
        assert_eq!(
            wait(&[("retry-after-ms", "x"), ("retry-after", "1")]),
            Some(Duration::from_secs(1))
        );
    }

    #[test]
    fn a_cost_in_dollars_is_exact_below_a_millionth_and_anything_else_is_unknown() {
        let cost = |text| cost_usd_picos(&headers(&[("x-litellm-response-cost", text)]));
        assert_eq!(cost("0.0000125"), Some(12_500_000));
        assert_eq!(cost("2.94e-07"), Some(294_000));
        assert_eq!(cost("0"), Some(0));
        for bad in ["None", "", "-1", "NaN", "inf", "1e300"] {
            assert_eq!(cost(bad), None, "{bad}");
        }
        assert_eq!(cost_usd_picos(&headers(&[])), None);
    }

    #[test]
    fn server_timing_and_hints_are_read() {
        let found = server_ms(&headers(&[(
            "server-timing",
            "queue;dur=1.5, inference;desc=\"x\";dur=12.6",
        )]));
        assert_eq!(found, Some(13));
        assert_eq!(
            should_retry(&headers(&[("x-should-retry", "false")])),
            Some(false)
        );
        assert_eq!(should_retry(&headers(&[("x-should-retry", "maybe")])), None);
        let both = headers(&[("x-request-id", "b"), ("x-typesafe-request-id", "a")]);
        assert_eq!(request_id(&both), Some("a"));
    }
}
