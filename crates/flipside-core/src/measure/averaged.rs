//! The answer that all orders of a case give together.

use std::collections::BTreeMap;

use crate::answer::{Answer, lowest_top, tied};
use crate::case::Case;
use crate::measure::accuracy::accuracy;
use crate::measure::named::{Name, names, shared};
use crate::measure::orders::range;
use crate::measure::pair::Said;
use crate::measure::table::{OrderAsk, Table};
use crate::order::OptionId;
use crate::stats::number::real;
use crate::stats::vote::vote;
use crate::summary::{AveragedAnswer, AveragedBy, AveragedKey};

/// A case with its answers, own order first and combined, by identity.
struct Averaged<'a> {
    case: &'a Case,
    orders: u64,
    own: Said,
    mean: Said,
    vote: Said,
}

/// What becomes of each case's answer when all of its orders are averaged, and when they vote; `None` where no case has probabilities
/// in every order.
///
/// Source: the statistics page, 15.2 (pair, averaged; vote; average, arithmetic). `cluster` names the field by whose values cases
/// depend on each other, if any.
pub(crate) fn averaged(table: &Table<'_>, cluster: Option<&str>) -> Option<AveragedAnswer> {
    let (mut cases, mut left_out, mut without) = (Vec::new(), 0, 0);
    for (case, asks) in table.plan.cases.iter().zip(table.orders()) {
        let asks = distinct(asks);
        if asks.len() < 2 || case.options.len() < 2 {
            continue;
        }
        let lost = |ask: &OrderAsk<'_>| matches!(ask.said, Said::Missing | Said::Unasked);
        if asks.iter().any(lost) {
            left_out += 1;
        } else if let Some(found) = combined(case, &asks) {
            cases.push(found);
        } else {
            without += 1;
        }
    }
    if cases.is_empty() {
        return None;
    }
    let (keys, keys_left_out) = keys(&cases);
    Some(AveragedAnswer {
        cases: cases.len() as u64,
        orders: range(cases.iter().map(|each| each.orders)),
        left_out,
        without_probabilities: without,
        mean: by(&cases, cluster, |each| each.mean),
        vote: by(&cases, cluster, |each| each.vote),
        keys,
        keys_left_out,
    })
}

/// Each order once: where a case shows one under two names, the first.
fn distinct(asks: Vec<OrderAsk<'_>>) -> Vec<OrderAsk<'_>> {
    let mut kept: Vec<OrderAsk<'_>> = Vec::with_capacity(asks.len());
    for ask in asks {
        if kept.iter().all(|known| known.order != ask.order) {
            kept.push(ask);
        }
    }
    kept
}

/// The answers of one case combined; `None` where one has no probabilities over all options.
fn combined<'a>(case: &'a Case, asks: &[OrderAsk<'_>]) -> Option<Averaged<'a>> {
    let of = |answer: &Answer| {
        let p = answer.probabilities.clone()?;
        (p.len() == case.options.len()).then_some(p)
    };
    let rows: Vec<Vec<f64>> = asks
        .iter()
        .map(|ask| of(ask.answer?))
        .collect::<Option<_>>()?;
    let orders = rows.len() as u64;
    let mean: Vec<f64> = (0..case.options.len())
        .map(|option| rows.iter().map(|row| row[option]).sum::<f64>() / real(orders))
        .collect();
    let mean = Said::Chose {
        id: lowest_top(&mean),
        tied: tied(&mean),
    };
    Some(Averaged {
        case,
        orders,
        own: asks.first()?.said,
        mean: mean.within(case),
        vote: voted(case, asks, rows),
    })
}

/// What most of `asks` said, by the smallest identity that is the same answer; nothing where none decided.
fn voted(case: &Case, asks: &[OrderAsk<'_>], rows: Vec<Vec<f64>>) -> Said {
    let (mut answers, mut kept) = (Vec::new(), Vec::new());
    for (ask, mut row) in asks.iter().zip(rows) {
        if let Said::Chose { id, .. } = ask.said {
            // An answer is as likely as the likeliest option that is declared to be it.
            for place in 0..row.len() {
                let option = OptionId(u16::try_from(place).unwrap_or(u16::MAX));
                let class = case.class_of(option).index();
                row[class] = row[class].max(row[place]);
            }
            answers.push(id.index());
            let row = row.iter().map(|p| p.clamp(0.0, 1.0));
            kept.push(row.collect::<Vec<f64>>());
        }
    }
    let Ok(found) = vote(&answers, Some(&kept)) else {
        return Said::Nothing;
    };
    Said::Chose {
        id: OptionId(u16::try_from(found.winner).unwrap_or(u16::MAX)),
        tied: found.leaders.len() > 1,
    }
}

fn by(cases: &[Averaged<'_>], cluster: Option<&str>, of: fn(&Averaged<'_>) -> Said) -> AveragedBy {
    let count = |wanted: &dyn Fn(&Averaged<'_>) -> bool| {
        cases.iter().filter(|each| wanted(each)).count() as u64
    };
    AveragedBy {
        ties: count(&|each| matches!(of(each), Said::Chose { tied: true, .. })),
        changed: count(&|each| option(of(each)) != option(each.own)),
        accuracy: accuracy(
            cases.iter().map(|each| (each.case, each.own, of(each))),
            cluster,
        ),
    }
}

fn option(said: Said) -> Option<OptionId> {
    match said {
        Said::Chose { id, .. } => Some(id),
        Said::Nothing | Said::Missing | Said::Unasked => None,
    }
}

/// How often each key that two cases or more offer is the answer.
fn keys(cases: &[Averaged<'_>]) -> (Vec<AveragedKey>, u64) {
    let mut by_name: BTreeMap<Name<'_>, Vec<[bool; 3]>> = BTreeMap::new();
    for each in cases {
        let said = [each.own, each.mean, each.vote].map(option);
        for (name, id) in names(each.case) {
            let is = said.map(|chosen| chosen == Some(id));
            by_name.entry(name).or_default().push(is);
        }
    }
    let (kept, beyond) = shared(by_name);
    let key = |((question, key), cases): (Name<'_>, Vec<[bool; 3]>)| {
        let count = |of: usize| cases.iter().filter(|is| is[of]).count() as u64;
        AveragedKey {
            question,
            key: key.into_owned(),
            cases: cases.len() as u64,
            own: count(0),
            mean: count(1),
            vote: count(2),
        }
    };
    (kept.into_iter().map(key).collect(), beyond)
}
