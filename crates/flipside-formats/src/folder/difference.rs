//! How the plan of a run folder and the plan of a command differ.

use flipside_core::course::Adaptive;
use flipside_core::foreign::Foreign;

use super::Run;

/// The first thing in which two plans differ, as (what differs, what to do).
pub(super) fn difference(earlier: &Run, now: &Run) -> Option<(String, String)> {
    let other = "name a new `--out`".to_owned();
    if earlier.schema != now.schema {
        let text = format!(
            "its `run.json` is `{}`, this flipside writes `{}`",
            earlier.schema, now.schema
        );
        return Some((text, other));
    }
    if earlier.model != now.model {
        let text = format!(
            "its model is `{}`, this command's is `{}`",
            earlier.model, now.model
        );
        return Some((
            text,
            format!(
                "pass `--model {}` to go on with it, or {other}",
                earlier.model
            ),
        ));
    }
    if earlier.endpoint != now.endpoint || earlier.requested_model != now.requested_model {
        let name = |run: &Run| {
            let endpoint = run.endpoint.as_deref().unwrap_or("in process");
            format!(
                "{} at {endpoint}",
                run.requested_model.as_deref().unwrap_or("no model name")
            )
        };
        return Some((
            format!("it asks {}, this command asks {}", name(earlier), name(now)),
            other,
        ));
    }
    if let (Some(before), Some(after)) = (&earlier.hardware, &now.hardware)
        && before != after
    {
        let text = format!(
            "it ran on `{}`, this command runs on `{}`",
            Foreign(before),
            Foreign(after)
        );
        return Some((text, other));
    }
    if earlier.seed != now.seed {
        let text = format!(
            "its seed is {}, this command's is {}",
            earlier.seed, now.seed
        );
        return Some((
            text,
            format!(
                "pass `--seed {}` to go on with it, or {other}",
                earlier.seed
            ),
        ));
    }
    if earlier.orders != now.orders {
        let list = |run: &Run| match run.orders.join(",") {
            none if none.is_empty() => "none".to_owned(),
            some => format!("`{some}`"),
        };
        return Some((
            format!(
                "its orders are {}, this command's are {}",
                list(earlier),
                list(now)
            ),
            other,
        ));
    }
    if earlier.axes != now.axes {
        let list = |run: &Run| match run.axes.join(",") {
            none if none.is_empty() => "none".to_owned(),
            some => format!("`{}`", Foreign(&some)),
        };
        let (earlier, now) = (list(earlier), list(now));
        return Some((
            format!("its axes are {earlier}, this command's are {now}"),
            other,
        ));
    }
    if earlier.cross != now.cross {
        let name = |run: &Run| match &run.cross {
            None => "no axes".to_owned(),
            Some(all) if all == "full" => "axes in full".to_owned(),
            Some(drawn) => format!("{} drawn combinations of axes", Foreign(drawn)),
        };
        let text = format!("it crosses {}, this command {}", name(earlier), name(now));
        return Some((text, other));
    }
    if earlier.baseline != now.baseline {
        let [earlier, now] = [earlier, now].map(|run| run.baseline.name());
        let text = format!("its baseline is `{earlier}`, this command's is `{now}`");
        return Some((
            text,
            format!("pass `--baseline {earlier}` to go on with it, or {other}"),
        ));
    }
    if earlier.max_orders != now.max_orders {
        let text = format!(
            "its `--max-orders` is {}, this command's is {}",
            earlier.max_orders, now.max_orders
        );
        return Some((text, other));
    }
    if let Some(text) = adaptive_difference(earlier, now) {
        return Some((text, other));
    }
    let digests = |run: &Run| {
        run.sources
            .iter()
            .map(|source| source.sha256.clone())
            .collect::<Vec<_>>()
    };
    if earlier.plan != now.plan {
        let what = if digests(earlier) == digests(now) {
            "its requests"
        } else {
            "its cases"
        };
        let adaptive = earlier.judging.adaptive.as_ref();
        let rule = adaptive.map(|adaptive| adaptive.rule);
        let clustered = adaptive.is_some_and(|adaptive| adaptive.cluster.is_some());
        let help = match rule {
            None => other,
            Some(Adaptive::Planned) => format!(
                "{other}; a `planned` run ends with its cases, `--adaptive open` can grow by more"
            ),
            Some(Adaptive::Open) if clustered => {
                format!("{other}; clusters may not gain cases once they were looked at")
            }
            Some(Adaptive::Open) => {
                format!("{other}; an `open` run grows by cases after those that it had")
            }
        };
        return Some((format!("{what} are others than this command's"), help));
    }
    None
}

/// How two rules of stopping differ: boundaries belong to one rule, limit and alpha.
fn adaptive_difference(earlier: &Run, now: &Run) -> Option<String> {
    let name = |run: &Run| match &run.judging.adaptive {
        None => "not adaptively".to_owned(),
        Some(rule) => format!(
            "by the rule `{}` at a limit of {} and an alpha of {}{}",
            rule.rule.name(),
            rule.limit,
            run.judging.alpha,
            rule.cluster
                .as_ref()
                .map(|field| format!(" over clusters by `{}`", Foreign(field)))
                .unwrap_or_default()
        ),
    };
    let (earlier, now) = (name(earlier), name(now));
    (earlier != now).then(|| format!("it asks {earlier}, this command {now}"))
}
