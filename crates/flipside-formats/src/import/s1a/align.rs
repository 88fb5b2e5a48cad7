//! Which view stood before the model at each tick.
//!
//! A view is added after every act that was accepted, and a tick does not say whether its act was. So ticks and views are walked
//! together: a tick can only have stood at a view that has its options, the next one stands at the same view or the one after, and
//! the last view is reached. A tick that all such walks put at one view stood there; where they differ, nothing tells.

use super::episode::{Tick, View};

/// The view of every tick; `None` where no walk, or more than one view, fits.
pub(super) fn align(ticks: &[Tick<'_>], views: &[View<'_>]) -> Vec<Option<usize>> {
    let none = vec![None; ticks.len()];
    // Every accepted act adds a view to the first one; all other acts were refused.
    let Some(refused) = (ticks.len() + 1).checked_sub(views.len()) else {
        return none;
    };
    if views.is_empty() {
        return none;
    }
    // Before tick `k` at most `k` acts were accepted and at most `refused` were not, so that only this many views can be its own.
    let band = |tick: usize| tick.saturating_sub(refused)..=tick.min(views.len() - 1);
    let fits: Vec<Vec<bool>> = (ticks.iter().enumerate())
        .map(|(place, tick)| band(place).map(|view| tick.fits(&views[view])).collect())
        .collect();
    let fits = |tick: usize, view: usize| {
        let band = band(tick);
        band.contains(&view) && fits[tick][view - band.start()]
    };
    let steps = |tick: usize, view: usize| {
        let accepted = ticks[tick].may_be_accepted(&views[view]);
        let refused = ticks[tick].may_be_refused();
        [(accepted, view + 1), (refused, view)]
            .into_iter()
            .filter_map(|(may, next)| may.then_some(next))
    };
    let last = views.len() - 1;
    let mut from_start: Vec<Vec<usize>> = vec![vec![0]];
    for tick in 0..ticks.len() {
        let here = from_start[tick]
            .iter()
            .copied()
            .filter(|view| fits(tick, *view));
        let mut next: Vec<usize> = here.flat_map(|view| steps(tick, view)).collect();
        next.retain(|view| *view <= last);
        next.sort_unstable();
        next.dedup();
        from_start.push(next);
    }
    if !from_start[ticks.len()].contains(&last) {
        return none;
    }
    let mut found = none;
    let mut to_end = vec![last];
    for tick in (0..ticks.len()).rev() {
        let leads = |view: &usize| {
            fits(tick, *view) && steps(tick, *view).any(|next| to_end.contains(&next))
        };
        let here: Vec<usize> = from_start[tick].iter().copied().filter(leads).collect();
        if let [only] = here[..] {
            found[tick] = Some(only);
        }
        to_end = here;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;
    use crate::read::{At, Out, rows_of};

    /// The views of ticks, from `episode`'s text.
    fn aligned(episode: &str) -> Vec<Option<usize>> {
        let mut out = Out::default();
        let rows = rows_of("episode.json", episode, &mut out);
        let at = At {
            file: "episode.json".into(),
            line: 1,
        };
        let read = super::super::episode::Episode::of(&at, &rows[0].object).unwrap();
        align(&read.ticks, &read.views)
    }

    fn tick(step: usize, offered: &[&str], key: &str, more: &str) -> String {
        let p: Vec<String> = (offered.iter())
            .map(|o| format!("\"{o}\":{}", if *o == key { "1.0" } else { "0.0" }))
            .collect();
        format!(
            r#"{{"step":{step},"key":"{key}","confidence":1.0,"probabilities":{{{}}}{more}}}"#,
            p.join(",")
        )
    }

    fn view(offered: &[&str]) -> String {
        let options: Vec<String> = offered.iter().map(|o| format!(r#""{o}":"{o}""#)).collect();
        format!(r#"{{"state":{{}},"candidates":{{{}}}}}"#, options.join(","))
    }

    fn episode(ticks: &[String], views: &[String]) -> String {
        let text = format!(
            r#"{{"decisions":[{}],"views":[{}]}}"#,
            ticks.join(","),
            views.join(",")
        );
        json::parse(&text).expect("the episode is JSON");
        text
    }

    const AB: &[&str] = &["a", "b"];
    const ABC: &[&str] = &["a", "b", "c"];

    #[test]
    fn while_every_act_is_accepted_tick_and_view_go_together() {
        let ticks = [
            tick(1, AB, "a", ""),
            tick(2, AB, "b", ""),
            tick(3, ABC, "c", ""),
        ];
        let views = [view(AB), view(AB), view(ABC), view(&[])];
        assert_eq!(
            aligned(&episode(&ticks, &views)),
            [Some(0), Some(1), Some(2)]
        );
    }

    #[test]
    fn an_act_that_was_refused_is_found_where_options_tell_and_left_open_where_they_do_not() {
        // Three acts, two accepted. The middle view has other options, so the second tick tells that the first act was accepted;
        // the third tick stands at the last view that has options, which the second one's refusal would leave it at.
        let ticks = [
            tick(1, AB, "a", ""),
            tick(2, ABC, "c", ""),
            tick(3, ABC, "c", ""),
        ];
        let views = [view(AB), view(ABC), view(&[])];
        assert_eq!(
            aligned(&episode(&ticks, &views)),
            [Some(0), Some(1), Some(1)]
        );
        // The same options everywhere: the act that was refused may be any of the three, so that the second tick stood at view 0
        // or 1 and the third at 1 or 2.
        let ticks = [
            tick(1, AB, "a", ""),
            tick(2, AB, "b", ""),
            tick(3, AB, "b", ""),
        ];
        let views = [view(AB), view(AB), view(AB)];
        assert_eq!(aligned(&episode(&ticks, &views)), [Some(0), None, None]);
    }

    #[test]
    fn a_tick_that_says_whether_its_act_was_accepted_is_believed() {
        let empty = |step: usize, accepted: bool| {
            format!(
                r#"{{"step":{step},"key":"a","confidence":0.0,"probabilities":{{}},"accepted":{accepted},"source":"llm"}}"#
            )
        };
        let ticks = [empty(1, true), empty(2, false), empty(3, true)];
        let views = [view(AB), view(AB), view(&[])];
        assert_eq!(
            aligned(&episode(&ticks, &views)),
            [Some(0), Some(1), Some(1)]
        );
        let ticks = [empty(1, true), empty(2, true), empty(3, true)];
        assert_eq!(aligned(&episode(&ticks, &views)), [None, None, None]);
    }

    #[test]
    fn blocked_options_are_not_offered_unless_that_leaves_none() {
        let ticks = [
            tick(1, AB, "a", r#","blocked":["c"]"#),
            tick(2, AB, "a", r#","blocked":["a","b"]"#),
        ];
        let views = [view(ABC), view(AB), view(&[])];
        assert_eq!(aligned(&episode(&ticks, &views)), [Some(0), Some(1)]);
    }

    #[test]
    fn ticks_with_other_options_than_any_view_have_no_view() {
        let ticks = [tick(1, ABC, "a", ""), tick(2, AB, "a", "")];
        let views = [view(AB), view(AB), view(&[])];
        assert_eq!(aligned(&episode(&ticks, &views)), [None, None]);
        let more_views = [view(AB), view(AB), view(AB), view(&[])];
        assert_eq!(aligned(&episode(&ticks, &more_views)), [None, None]);
        assert_eq!(aligned(&episode(&ticks, &[])), [None, None]);
    }
}
