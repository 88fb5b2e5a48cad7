//! What an earlier process left in the journal, put back into the plan.

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8Path;
use flipside_core::digest::Digest;
use flipside_core::model::{Model, Reply};
use flipside_core::plan::Plan;
use flipside_core::present::Presentation;
use flipside_core::record::{Asked, Failed, Outcome};
use flipside_formats::journal::{self, Line};

use crate::append::{Append, AppendError};

/// A journal opened for going on.
#[derive(Debug)]
pub struct Resumed {
    /// By slot of the plan: what the journal has.
    pub asked: Vec<Option<Asked>>,
    /// The journal's writing end.
    pub journal: Append,
}

/// Why a journal cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] journal::Error),
    /// It cannot be written.
    #[error(transparent)]
    Append(#[from] AppendError),
    /// A line belongs to no ask of the plan, or two lines to one ask.
    #[error("{path}:{line}: {found}")]
    Line {
        /// The journal.
        path: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        found: String,
    },
}

/// Reads the journal at `path`, puts its answers into `plan`'s asks and opens it for writing.
///
/// An ask that failed for lack of an answer (a dead connection, a timeout, a busy or broken server) is open again. Recorded
/// baselines that the journal does not have yet are written into it.
///
/// An answer that a killed process wrote for one ask but not yet for those that share its request is read again for
/// them; nothing is asked twice.
///
/// # Errors
/// [`ResumeError`]; the journal is unchanged then.
pub fn resume(path: &Utf8Path, plan: &Plan, model: &dyn Model) -> Result<Resumed, ResumeError> {
    let mut asked: Vec<Option<Asked>> = vec![None; plan.slots()];
    let mut requests = BTreeSet::new();
    let mut replies: BTreeMap<u32, Option<String>> = BTreeMap::new();
    let leaders: BTreeSet<u32> = plan.asks.iter().filter_map(|ask| ask.shares).collect();
    let (mut number, mut wrong) = (0, None);
    let (whole, _) = journal::visit(path, |line| {
        number += 1;
        if wrong.is_some() {
            return;
        }
        match belongs(plan, &asked, &line) {
            Ok(digest) => {
                if line.request.is_some() {
                    requests.insert(digest);
                }
                if leaders.contains(&line.ask) {
                    replies.insert(line.ask, line.taken().map(str::to_owned));
                }
                asked[slot(plan, &line)] = Some(line.asked());
            }
            Err(found) => wrong = Some((number, found)),
        }
    })?;
    if let Some((line, found)) = wrong {
        return Err(ResumeError::Line {
            path: path.to_string(),
            line,
            found,
        });
    }
    for known in &mut asked {
        if known
            .as_ref()
            .is_some_and(|asked| unanswered(&asked.outcome))
        {
            *known = None;
        }
    }
    let mut journal = Append::open(path, whole, requests)?;
    // Before anything is asked, so that what was on record stands in the journal whatever happens.
    for (slot, known) in plan.known().into_iter().enumerate() {
        let Some(known) = known.filter(|_| asked[slot].is_none()) else {
            continue;
        };
        let mut line = line(plan, slot, &known.outcome);
        line.recorded = true;
        journal.add(&line)?;
        asked[slot] = Some(known);
    }
    for (place, planned) in plan.asks.iter().enumerate() {
        let Some(leader) = planned.shares.filter(|_| asked[place].is_none()) else {
            continue;
        };
        let Some(led) = asked[leader as usize].clone() else {
            continue;
        };
        let reply = replies.get(&leader).and_then(Option::as_deref);
        let outcome = shared(plan, place, model, &led.outcome, reply);
        let line = shared_line(plan, place, leader, &outcome);
        journal.add(&line)?;
        asked[place] = Some(Asked {
            outcome,
            ms: led.ms,
            attempts: 0,
        });
    }
    journal.flush()?;
    Ok(Resumed { asked, journal })
}

/// Whether an ask failed for lack of an answer, so that it is asked again; a line for it may follow this one.
fn unanswered(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Failed(failed) if failed.unanswered)
}

/// The slot of a line. A confirmation is found by the ask that it confirms, since a run that grew has more asks before it.
fn slot(plan: &Plan, line: &Line<'_>) -> usize {
    match line.confirms {
        None => line.ask as usize,
        Some(ask) => plan.asks.len() + ask as usize,
    }
}

/// The digest of a line that belongs to an ask of the plan which has none yet.
fn belongs(plan: &Plan, asked: &[Option<Asked>], line: &Line<'_>) -> Result<Digest, String> {
    let number = line.confirms.unwrap_or(line.ask);
    let Some(planned) = plan.asks.get(number as usize) else {
        return Err(format!(
            "ask {number} is not in the plan, which has {}",
            plan.asks.len()
        ));
    };
    let known = asked[slot(plan, line)].as_ref();
    if known.is_some_and(|asked| !unanswered(&asked.outcome)) {
        return Err(format!("ask {} stands in the journal twice", line.ask));
    }
    let recorded = plan.recorded(slot(plan, line));
    if line.recorded != recorded.is_some() || recorded.is_some_and(|known| *known != *line.outcome)
    {
        return Err(format!("the record has another answer to ask {number}"));
    }
    let digest = Digest::parse(&line.digest).filter(|digest| *digest == planned.digest);
    match digest {
        Some(digest)
            if *line.case == plan.case_of(planned).id.0
                && line.variant() == *plan.variant_of(planned) =>
        {
            Ok(digest)
        }
        _ => Err(format!(
            "ask {} is not the one that the plan has in this place",
            line.ask
        )),
    }
}

/// What a reply to another ask's equal bytes means for the ask in `place`; without a reply it failed as that one did.
pub(crate) fn shared(
    plan: &Plan,
    place: usize,
    model: &dyn Model,
    led: &Outcome,
    reply: Option<&str>,
) -> Outcome {
    let Some(body) = reply else {
        return led.clone();
    };
    let planned = &plan.asks[place];
    let case = plan.shown_case(planned);
    let shown = Presentation::new(&case, &planned.order);
    let reply = Reply {
        body: body.to_owned(),
        ..Reply::default()
    };
    match model.read(&shown, &reply) {
        Ok(answer) => Outcome::Answered(answer),
        Err(rejection) => Outcome::Failed(Failed::from(&rejection)),
    }
}

/// The journal line of an ask that shares another's reply.
pub(crate) fn shared_line<'a>(
    plan: &'a Plan,
    place: usize,
    leader: u32,
    outcome: &'a Outcome,
) -> Line<'a> {
    let mut line = line(plan, place, outcome);
    line.shares = Some(leader);
    line
}

/// The journal line of an ask, without what only its own request and reply give.
pub(crate) fn line<'a>(plan: &'a Plan, place: usize, outcome: &'a Outcome) -> Line<'a> {
    use std::borrow::Cow;
    let (planned, again) = plan.slot(place);
    let number = |place| u32::try_from(place).expect("a plan has fewer than 2^31 asks");
    let variant = plan.variant_of(planned);
    Line {
        ask: number(place),
        confirms: again.then(|| number(place - plan.asks.len())),
        case: Cow::Borrowed(&plan.case_of(planned).id.0),
        axis: variant.axis,
        variant: Cow::Borrowed(&variant.name),
        order: Cow::Borrowed(&planned.order),
        digest: Cow::Owned(planned.digest.to_string()),
        request: None,
        shares: None,
        recorded: false,
        reply: None,
        deeper: None,
        request_id: None,
        server_ms: None,
        outcome: Cow::Borrowed(outcome),
        confidence: journal::confidence_of(outcome, &planned.order),
        ms: 0.0,
        attempts: 0,
        state: None,
    }
}
