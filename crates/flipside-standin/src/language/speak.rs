//! What the model says, token by token.

use super::ask::Shape;
use super::tokens::{Entry, Step, names};
use crate::fault::LanguageFault;

const THOUGHTS: [&str; 5] = [" looks", " tempting", ",", " but", " "];
const REFUSAL: [&str; 9] = ["I", "'m", " sorry", ",", " I", " can", "'t", " help", "."];

/// What the model thinks of a prompt.
#[derive(Clone, Debug, Default)]
pub(super) struct Thought {
    /// Each option's letter and probability, in the order of the list; nothing where the prompt has no list.
    pub(super) letters: Vec<(String, f64)>,
    /// The place of the chosen one.
    pub(super) best: usize,
    /// The model will not answer.
    pub(super) refused: bool,
}

impl Thought {
    fn letter(&self, at: usize) -> &str {
        self.letters.get(at).map_or("", |(letter, _)| letter)
    }

    /// The most probable letter that is not the best.
    fn second(&self) -> &str {
        let others = (0..self.letters.len()).filter(|at| *at != self.best);
        let second = others.reduce(|a, b| {
            if self.letters[b].1 > self.letters[a].1 {
                b
            } else {
                a
            }
        });
        second.map_or("", |at| self.letter(at))
    }

    /// The thoughts that lead to the letter.
    pub(super) fn aloud(&self) -> String {
        let thoughts = THOUGHTS.concat();
        format!(
            "{}{thoughts}{} fits.",
            self.second(),
            self.letter(self.best)
        )
    }
}

/// The tokens said, before any fault of their report.
#[derive(Clone, Debug)]
pub(super) struct Spoken {
    pub(super) steps: Vec<Step>,
    /// Whether it was cut, or ended where the limit is.
    pub(super) full: bool,
}

impl Spoken {
    /// The text said.
    pub(super) fn text(&self) -> String {
        self.steps
            .iter()
            .map(|step| step.chosen.text.as_str())
            .collect()
    }
}

/// Says what is thought in the shape asked for, or as the first of `faults` about the text has it.
pub(super) fn speak(
    thought: &Thought,
    coverage: f64,
    shape: &Shape,
    faults: &[LanguageFault],
    limit: Option<usize>,
) -> Spoken {
    let letter = |spaced| Step::letter(&thought.letters, coverage, spaced);
    let fixed = |texts: &[&str]| {
        texts
            .iter()
            .map(|text| Step::certain(text))
            .collect::<Vec<_>>()
    };
    let best = thought.letter(thought.best);
    let object = |name: &str| {
        let mut steps = fixed(&["{\"", name, "\":\""]);
        steps.push(letter(false).saying(best));
        steps.extend(fixed(&["\"}"]));
        steps
    };
    let about_text = faults.iter().find_map(|fault| match fault {
        LanguageFault::Sentence => {
            let mut steps = fixed(&["The", " answer", " is"]);
            steps.push(letter(true));
            steps.extend(fixed(&["."]));
            Some(steps)
        }
        LanguageFault::NoText | LanguageFault::ContentFilter | LanguageFault::NoChoices => {
            Some(Vec::new())
        }
        LanguageFault::RefusalText => Some(fixed(&REFUSAL)),
        LanguageFault::SeveralLetters => {
            let mut steps = vec![letter(false).saying(best)];
            let second = format!(" {}", thought.second());
            steps.extend(fixed(&[" or", &second]));
            Some(steps)
        }
        LanguageFault::JsonText => Some(object("answer")),
        LanguageFault::Markdown => {
            let mut steps = fixed(&["**"]);
            steps.push(letter(false).saying(best));
            steps.extend(fixed(&["**"]));
            Some(steps)
        }
        LanguageFault::ThinksAloud => {
            let aloud = thought.aloud();
            let mut steps = fixed(&["<think>", "\n"]);
            steps.extend(super::tokens::cut(&aloud).into_iter().map(Step::certain));
            steps.extend(fixed(&["\n", "</think>", "\n\n"]));
            steps.push(letter(false).saying(best));
            Some(steps)
        }
        _ => None,
    });
    let mut steps = match (about_text, shape) {
        (Some(steps), _) => steps,
        _ if thought.refused => fixed(&REFUSAL),
        (None, Shape::Object(name)) => object(name),
        // The grammar binds what is said and not what is reported.
        (None, Shape::Letter) => vec![letter(false).saying(best)],
        (None, Shape::Free) => freely(thought, letter),
    };
    let full = limit.is_some_and(|limit| steps.len() >= limit);
    steps.truncate(limit.unwrap_or(usize::MAX));
    Spoken { steps, full }
}

/// The most probable token, and the rest of the sentence where that is no letter.
fn freely(thought: &Thought, letter: impl Fn(bool) -> Step) -> Vec<Step> {
    let first = letter(false);
    if names(&first.chosen.text, &thought.letters) {
        return vec![first];
    }
    let mut steps = vec![first];
    steps.extend([" answer", " is"].map(Step::certain));
    if !thought.letters.is_empty() {
        let best = format!(" {}", thought.letter(thought.best));
        steps.push(letter(true).saying(&best));
    }
    steps.push(Step::certain("."));
    steps
}

/// Makes the report of `step` what the faults have it be.
pub(super) fn spoil(step: &mut Step, thought: &Thought, faults: &[LanguageFault]) {
    const HIGH: f64 = 0.5;
    const UNLIKELY: f64 = -9999.0;
    const LIKELY: f64 = 0.01;
    let each = |step: &mut Step, change: &dyn Fn(&mut Entry)| {
        change(&mut step.chosen);
        step.all.iter_mut().for_each(change);
    };
    for fault in faults {
        match fault {
            LanguageFault::PositiveLogprob => {
                let first = step.all[0].text.clone();
                each(step, &|entry| {
                    if entry.text == first {
                        entry.logprob = HIGH;
                    }
                });
            }
            LanguageFault::ZeroLogprobs => each(step, &|entry| entry.logprob = 0.0),
            LanguageFault::UnlikelyEntries => each(step, &|entry| {
                if entry.logprob < LIKELY.ln() {
                    entry.logprob = UNLIKELY;
                }
            }),
            LanguageFault::PartialUtf8 => {
                let other = step
                    .all
                    .iter_mut()
                    .find(|entry| !names(&entry.text, &thought.letters));
                if let Some(other) = other {
                    "\u{fffd}".clone_into(&mut other.text);
                    other.bytes = vec![0xe2, 0x96];
                }
            }
            _ => {}
        }
    }
}
