//! Two recorded sets, or one with several orders of each case, to pairs.

use std::collections::BTreeMap;

use super::align::{align, seen_from};
use super::difference::{Difference, differences, questions};
use super::join::Join;
use super::quoting::quoted;
use super::refusal::Refusal;
use crate::case::{Case, Question};
use crate::compare::{About, AnswerSet, CaseAnswers, RecordedAsk};
use crate::order::{OptionId, Order};
use crate::perturb::{Axis, Variant};
use crate::plan::{Plan, RECORDED, RecordedPlan};
use crate::record::{Asked, Failed, FailedKind, Outcome};
use crate::summary::{AlsoDiffers, RecordedPairs};

/// The name of the variant where nothing on record names it.
const VARIANT: &str = "variant";

/// Pairs of recorded answers, each by the identities of its baseline.
#[derive(Clone, Debug)]
pub struct Pairing {
    pub(super) plan: Plan,
    pub(super) asked: Vec<Option<Asked>>,
    pub(super) found: RecordedPairs,
}

/// Pairs the answers of two recorded sets, by the cases that `join` found on both sides.
///
/// Of each case the answers in its own order on either side make the pair. What the two presentations do not have alike names the
/// axis of the pair, the order first; what else differs is counted in [`RecordedPairs::also`].
///
/// # Errors
/// [`Refusal`] if the two sides differ in their models too, or if nothing can be compared.
pub fn pair(baseline: AnswerSet, variant: AnswerSet, join: Join) -> Result<Pairing, Refusal> {
    let models = other_models(&baseline.about, &variant.about);
    let both = join.mates.iter().flatten().count();
    let mut pairs = Pairs::new(baseline.about, Some(variant.about), both, 2);
    let found = &mut pairs.found;
    (found.only_baseline, found.only_variant) = (join.only_baseline, join.only_variant);
    found.repeated = join.repeated;
    let mut others: Vec<Option<CaseAnswers>> = variant.cases.into_iter().map(Some).collect();
    let mut mates = 0;
    for (first, mate) in baseline.cases.into_iter().zip(join.mates) {
        let second = mate.and_then(|mate| others[mate as usize].take());
        if let Some(second) = second {
            mates += 1;
            pairs.add(first, second);
        }
    }
    drop(others);
    if mates == 0 {
        return Err(Refusal::NoCommonCase {
            only_baseline: join.only_baseline,
            only_variant: join.only_variant,
            repeated: join.repeated,
        });
    }
    if let Some([baseline, variant]) = models {
        pairs.refuse_models(baseline, variant, mates)?;
    }
    if pairs.found.joined == 0 {
        return Err(Refusal::NothingAlike {
            other_options: pairs.found.other_options,
            other_types: pairs.found.other_types,
        });
    }
    Ok(pairs.finish())
}

/// Pairs the answers of one recorded set that holds several orders of each case.
///
/// Other orders and the control are taken; asks on other axes are counted in [`RecordedPairs::not_compared`].
///
/// # Errors
/// [`Refusal::OneOrder`] if it holds one answer to each case.
pub fn several(set: AnswerSet) -> Result<Pairing, Refusal> {
    let name = set.about.name.clone();
    let most = set
        .cases
        .iter()
        .map(|answers| answers.asks.len())
        .sum::<usize>();
    let asks = most.div_ceil(set.cases.len().max(1));
    let mut pairs = Pairs::new(set.about, None, set.cases.len(), asks);
    let takes = |ask: &RecordedAsk| matches!(ask.variant.axis, Axis::Order | Axis::Same);
    let mut any = false;
    for answers in set.cases {
        let CaseAnswers { case, asks } = answers;
        let mut others = asks;
        let is_own = |ask: &RecordedAsk| ask.variant.axis == Axis::Baseline;
        let own = others.iter().position(is_own);
        let own = own.map(|own| others.remove(own));
        let found = &mut pairs.found;
        found.joined += 1;
        found.unlisted += u64::from(case.brought.unlisted);
        let own = outcome(own);
        found.failed[0] += u64::from(is_failed(&own));
        pairs.plan.case(case, own);
        let mut failed = false;
        for ask in others {
            if takes(&ask) {
                any = true;
                failed |= is_failed(&ask.outcome);
                pairs.plan.ask(&ask.variant, ask.order, ask.outcome);
            } else {
                pairs.found.not_compared += 1;
            }
        }
        pairs.found.failed[1] += u64::from(failed);
    }
    if any {
        Ok(pairs.finish())
    } else {
        Err(Refusal::OneOrder { name })
    }
}

/// The models of two sets, where they are not the same as far as both say which.
///
/// What served counts and not how it was asked for: one checkpoint has many names. Where both sides name what served and share a
/// name, pairs across two of them are told from the others one by one.
pub fn other_models(baseline: &About, variant: &About) -> Option<[String; 2]> {
    let served = [baseline, variant].map(|about| &about.served);
    if served.iter().all(|served| !served.is_empty()) {
        let shared = served[0].iter().any(|name| served[1].contains(name));
        return (!shared).then(|| served.map(|served| served.join("`, `")));
    }
    let named = [baseline, variant].map(|about| &about.model);
    let named = named.map(String::clone);
    (named.iter().all(|name| !name.is_empty()) && named[0] != named[1]).then_some(named)
}

struct Pairs {
    plan: RecordedPlan,
    found: RecordedPairs,
    /// Cases that were asked alike on both sides.
    alike: Vec<u32>,
    /// By axis and what differs too.
    also: BTreeMap<(Axis, Difference), Also>,
}

/// Pairs in which something differs too.
#[derive(Default)]
struct Also {
    pairs: u64,
    /// For company: by the numbers of questions on both sides, how many of the pairs.
    questions: BTreeMap<[u64; 2], u64>,
}

impl Pairs {
    /// With room for so many cases with so many asks each.
    fn new(baseline: About, variant: Option<About>, cases: usize, asks: usize) -> Self {
        Self {
            plan: RecordedPlan::with_room(cases, asks),
            found: RecordedPairs::new(baseline, variant),
            alike: Vec::new(),
            also: BTreeMap::new(),
        }
    }

    fn add(&mut self, baseline: CaseAnswers, variant: CaseAnswers) {
        let CaseAnswers {
            case: mut first,
            asks: first_asks,
        } = baseline;
        let CaseAnswers {
            case: mut second,
            asks: second_asks,
        } = variant;
        let (own, more) = own_and_others(first_asks);
        let (mut other, still_more) = own_and_others(second_asks);
        // A failed ask says nothing of its options.
        if is_failed(&own) && first.options.is_empty() {
            offer(&mut first, &second);
        }
        if is_failed(&other) && second.options.is_empty() {
            offer(&mut second, &first);
        }
        if first.question.kind != second.question.kind {
            self.found.other_types += 1;
            return;
        }
        if only_choices(&first, &second, [&own, &other]) {
            complete(&mut first, &mut second);
        }
        let Some(map) = align(&first, &second) else {
            self.found.other_options += 1;
            return;
        };
        self.found.joined += 1;
        self.found.not_compared += more + still_more;
        self.found.failed[0] += u64::from(is_failed(&own));
        self.found.failed[1] += u64::from(is_failed(&other));
        if let Outcome::Answered(answer) = &mut other {
            seen_from(answer, &map, first.question.kind);
        }
        self.labels(&mut first, &second, &map);
        let differences = differences(&first, &second, &map);
        let unlisted = first.brought.unlisted || second.brought.unlisted;
        // An order that one side lacks tells no position on either.
        first.brought.unlisted = unlisted;
        self.found.unlisted += u64::from(unlisted);
        let order = if differences.contains(&Difference::Order) {
            Order::listing(&map)
        } else {
            Order::own(map.len())
        };
        let variant = named(&differences, unlisted, &order);
        if let Some(variant) = &variant {
            self.also(
                variant.axis,
                &differences,
                [&first.question, &second.question],
            );
            if variant.axis == Axis::Order {
                quoted(&first, &second, &mut self.found.quoted);
            }
        }
        let position_dependent = second.position_dependent.take();
        first.position_dependent = first.position_dependent.take().or(position_dependent);
        self.plan.case(first, own);
        if let Some(variant) = variant {
            self.plan.ask(&variant, order, other);
        } else {
            self.found.same_request += 1;
            let case = u32::try_from(self.plan.cases() - 1).expect("fewer than 2^32 cases");
            self.alike.push(case);
            // The same request answered twice is what a control asks.
            self.plan.ask(&Variant::on(Axis::Same, "1"), order, other);
        }
    }

    /// Takes the baseline's labels, or the variant's where it has none.
    fn labels(&mut self, first: &mut Case, second: &Case, map: &[OptionId]) {
        let labels = second.accept.iter().map(|id| map[id.index()]);
        let mut labels: Vec<OptionId> = labels.collect();
        labels.sort_unstable();
        if first.accept.is_empty() {
            first.accept = labels.into();
        } else if !labels.is_empty() && labels != *first.accept {
            self.found.other_labels += 1;
        }
    }

    fn also(&mut self, axis: Axis, differences: &[Difference], of: [&Question; 2]) {
        for what in differences.iter().filter(|what| what.axis() != axis) {
            let also = self.also.entry((axis, *what)).or_default();
            also.pairs += 1;
            if *what == Difference::Company {
                *also.questions.entry(of.map(questions)).or_default() += 1;
            }
        }
    }

    /// Two models and two presentations are two changes, and no pair tells which of them it shows.
    fn refuse_models(&self, baseline: String, variant: String, of: u64) -> Result<(), Refusal> {
        let unlisted = self.found.unlisted;
        let other = of - self.found.same_request - unlisted;
        if unlisted > 0 {
            return Err(Refusal::Unseen {
                baseline,
                variant,
                unlisted,
                of,
            });
        }
        if other > 0 {
            return Err(Refusal::TwoThings {
                baseline,
                variant,
                other,
                of,
            });
        }
        Ok(())
    }

    fn finish(mut self) -> Pairing {
        if !self.alike.is_empty() {
            self.plan.same_requests(&self.alike);
        }
        let also = self.also.into_iter();
        let also = also.map(|((axis, what), Also { pairs, questions })| AlsoDiffers {
            axis,
            what,
            pairs,
            questions: questions
                .into_iter()
                .max_by_key(|(numbers, n)| (*n, std::cmp::Reverse(*numbers)))
                .map(|(numbers, _)| numbers)
                .filter(|[first, second]| first != second),
        });
        self.found.also = also.collect();
        let (plan, asked) = self.plan.finish();
        Pairing {
            plan,
            asked,
            found: self.found,
        }
    }
}

/// What became of the ask in the own order, and how many other asks there are.
fn own_and_others(asks: Vec<RecordedAsk>) -> (Outcome, u64) {
    let all = asks.len() as u64;
    let own = asks
        .into_iter()
        .find(|ask| ask.variant.axis == Axis::Baseline);
    let others = all - u64::from(own.is_some());
    (outcome(own), others)
}

fn outcome(own: Option<RecordedAsk>) -> Outcome {
    own.map_or_else(
        || {
            Outcome::Failed(Failed {
                kind: FailedKind::Unavailable,
                message: "no answer in the own order is on record".to_owned(),
                unanswered: true,
            })
        },
        |own| own.outcome,
    )
}

fn is_failed(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Failed(_))
}

/// Gives a case of which nothing is on record the options of the other side.
fn offer(case: &mut Case, other: &Case) {
    case.options.clone_from(&other.options);
    case.keys = other.keys;
    case.question.kind = other.question.kind;
    case.brought.unlisted = other.brought.unlisted;
}

/// Whether nothing but the chosen keys is on record, so that neither side says which other options there were.
fn only_choices(first: &Case, second: &Case, said: [&Outcome; 2]) -> bool {
    let without = |outcome: &Outcome| match outcome {
        Outcome::Answered(answer) => answer.probabilities.is_none(),
        Outcome::Failed(_) => true,
    };
    let bare = |case: &Case| {
        case.brought.unlisted && case.options.iter().all(|option| option.text.is_none())
    };
    bare(first) && bare(second) && said.into_iter().all(without)
}

/// Gives both cases the options that the other has, each by its key.
fn complete(first: &mut Case, second: &mut Case) {
    let lacking = |of: &Case, from: &Case| {
        let known = |key| of.options.iter().any(|option| option.key == key);
        let lacking = from
            .options
            .iter()
            .filter(|option| !known(option.key.clone()));
        lacking.cloned().collect::<Vec<_>>()
    };
    let (to_first, to_second) = (lacking(first, second), lacking(second, first));
    first.options.extend(to_first);
    second.options.extend(to_second);
}

/// The axis of a pair and its name on it; `None` where both sides asked the same.
fn named(differences: &[Difference], unlisted: bool, order: &Order) -> Option<Variant> {
    if unlisted {
        return Some(Variant::on(Axis::Unrecorded, VARIANT));
    }
    let axis = differences.first()?.axis();
    let name = match axis {
        Axis::Order => order_name(order),
        _ => RECORDED.to_owned(),
    };
    Some(Variant::on(axis, name))
}

/// `reverse`, `rotate:K`, or `recorded` for every other order.
pub fn order_name(order: &Order) -> String {
    let options = order.len();
    let first = order.identities().first().map_or(0, |id| id.index());
    if *order == Order::reverse(options) {
        "reverse".to_owned()
    } else if *order == Order::rotate(options, first) {
        format!("rotate:{first}")
    } else {
        RECORDED.to_owned()
    }
}
