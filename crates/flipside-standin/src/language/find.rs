//! The option list in a prompt: the model's eyes.
//!
//! Lines are looked at in whatever template they stand. In this order, and of each kind the last run of at least two lines counts:
//!
//! 1. **letters**: a line that begins with one letter or a number of at most two digits, then `)`, `.` or `:` and a space (or nothing more);
//!    `(A) text` too. No letter may come twice in a run.
//! 2. **bullets**: a line that begins with `- ` or `* `.
//! 3. **keys**: a line that begins with a word, then `)`, `.` or `:`, a space and more, where the line before the run ends with `:` or `?`.
//!    The last line of the prompt is none of them.
//!
//! An indented line within a run belongs to the option before it. What follows the mark is `key: text`, or a key alone.
//!
//! What was appended to a prompt for scoring is what follows the first `:` of its last line.

/// One option as listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Listed {
    /// What stands before it; the key where the list has no letters.
    pub(super) letter: String,
    pub(super) key: String,
    pub(super) text: Option<String>,
    /// All that stands behind the letter.
    pub(super) body: String,
}

/// A prompt as the model understands it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// All but the option list.
    pub(super) state: String,
    pub(super) options: Vec<Listed>,
}

/// What a line begins with, and the rest.
type Mark = fn(&str) -> Option<(&str, &str)>;

/// The list in `prompt`, and what stands around it.
pub(super) fn find(prompt: &str) -> Found {
    let lines: Vec<&str> = prompt.split('\n').collect();
    let end = lines.iter().rposition(|line| !line.trim().is_empty());
    let end = end.unwrap_or(0);
    let introduced = |from: usize| {
        let before = lines[..from].iter().rfind(|line| !line.trim().is_empty());
        before.is_some_and(|line| line.trim_end().ends_with([':', '?']))
    };
    let kinds: [(Mark, bool); 3] = [(letter, false), (bullet, false), (key, true)];
    for (mark, careful) in kinds {
        let seen = if careful { &lines[..end] } else { &lines };
        let last = runs(seen, mark)
            .into_iter()
            .rfind(|(from, _, options)| options.len() > 1 && (!careful || introduced(*from)));
        if let Some((from, to, options)) = last {
            let around: Vec<&str> = [&lines[..from], &lines[to..]].concat();
            return Found {
                state: around.join("\n"),
                options,
            };
        }
    }
    Found {
        state: prompt.to_owned(),
        options: Vec::new(),
    }
}

/// The prompt up to and with the first `:` of its last line, and what follows.
pub(super) fn appended(prompt: &str) -> (&str, &str) {
    let line = prompt.rfind('\n').map_or(0, |at| at + 1);
    let at = prompt[line..].find(':').map_or(line, |at| line + at + 1);
    prompt.split_at(at)
}

/// Runs of marked lines: the first line, the line after the last, and the options.
fn runs(lines: &[&str], mark: Mark) -> Vec<(usize, usize, Vec<Listed>)> {
    let mut runs: Vec<(usize, usize, Vec<Listed>)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let open = runs.last_mut().filter(|(_, to, _)| *to == at);
        match (mark(line), open) {
            (Some((letter, body)), open) => {
                let listed = listed(letter, body);
                match open {
                    Some((_, to, options))
                        if options.iter().all(|each| each.letter != listed.letter) =>
                    {
                        options.push(listed);
                        *to = at + 1;
                    }
                    _ => runs.push((at, at + 1, vec![listed])),
                }
            }
            (None, Some((_, to, options))) if is_indented(line) => {
                if let Some(last) = options.pop() {
                    let body = format!("{}\n{}", last.body, line.trim());
                    let letter = if last.letter == last.key {
                        ""
                    } else {
                        &last.letter
                    };
                    options.push(self::listed(letter, &body));
                }
                *to = at + 1;
            }
            _ => {}
        }
    }
    runs
}

fn is_indented(line: &str) -> bool {
    line.starts_with([' ', '\t']) && !line.trim().is_empty()
}

fn listed(letter: &str, body: &str) -> Listed {
    let body = body.trim();
    let (key, text) = match body.split_once(": ") {
        Some((key, text)) => (key, Some(text.trim().to_owned())),
        None => (body, None),
    };
    let key = if key.is_empty() { letter } else { key };
    Listed {
        letter: if letter.is_empty() { key } else { letter }.to_owned(),
        key: key.to_owned(),
        text,
        body: body.to_owned(),
    }
}

/// `A) rest`, `(A) rest`, `12. rest`.
fn letter(line: &str) -> Option<(&str, &str)> {
    let line = line.strip_prefix('(').unwrap_or(line);
    let (word, rest) = marked(line)?;
    let digits = word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit());
    let mut chars = word.chars();
    let one = chars.next().is_some_and(char::is_alphabetic) && chars.next().is_none();
    (digits || one).then_some((word, rest))
}

/// `- rest`.
fn bullet(line: &str) -> Option<(&str, &str)> {
    let rest = line
        .strip_prefix("- ")
        .or_else(|| line.strip_prefix("* "))?;
    Some(("", rest))
}

/// `word: rest`, `word) rest`; the whole line is the option.
fn key(line: &str) -> Option<(&str, &str)> {
    let (word, rest) = marked(line).filter(|(_, rest)| !rest.trim().is_empty())?;
    let colon = line.as_bytes().get(word.len()) == Some(&b':');
    Some(if colon { ("", line) } else { (word, rest) })
}

fn marked(line: &str) -> Option<(&str, &str)> {
    let end = line.find([')', '.', ':'])?;
    let (word, rest) = (&line[..end], &line[end + 1..]);
    let is_word = !word.is_empty() && word.chars().all(|c| !c.is_whitespace());
    let spaced = rest.is_empty() || rest.starts_with([' ', '\t']);
    (is_word && spaced).then_some((word, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(prompt: &str) -> Vec<(String, String, Option<String>)> {
        let found = find(prompt).options.into_iter();
        found
            .map(|each| (each.letter, each.key, each.text))
            .collect()
    }

    fn option(letter: &str, key: &str, text: Option<&str>) -> (String, String, Option<String>) {
        (letter.into(), key.into(), text.map(Into::into))
    }

    #[test]
    fn letters_are_found_in_every_usual_template() {
        let expected = [
            option("A", "billing", Some("payments: late")),
            option("B", "human", None),
        ];
        for prompt in [
            "Ticket: charged twice\nWhich team?\nA) billing: payments: late\nB) human\nLetter:",
            "A. billing: payments: late\nB. human\n\nAnswer with one letter.",
            "Which?\n\n(A) billing: payments: late\n(B) human",
            "A: billing: payments: late\nB: human\nAnswer:",
            "A) cat\nB) dog\n\nNow:\nA) billing: payments: late\nB) human\nLetter:",
            "I: a note\nWhich?\nA) billing: payments: late\nB) human\nLetter:",
        ] {
            assert_eq!(options(prompt), expected, "{prompt}");
        }
        assert_eq!(
            options("1) x\n2) y\n10) z\n"),
            [
                option("1", "x", None),
                option("2", "y", None),
                option("10", "z", None)
            ]
        );
    }

    #[test]
    fn indented_lines_belong_to_their_option_and_the_rest_is_the_state() {
        let found = find("State\nA) a: one\n   two\nB) b\nLetter:");
        assert_eq!(found.state, "State\nLetter:");
        assert_eq!(found.options[0].text.as_deref(), Some("one\ntwo"));
        assert_eq!(found.options[0].letter, "A");
        assert_eq!(found.options.len(), 2);
    }

    #[test]
    fn lists_without_letters_go_by_their_keys() {
        let expected = [
            option("pay", "pay", Some("money")),
            option("wait", "wait", None),
        ];
        assert_eq!(
            options("Subject: x\nBody: y\n- pay: money\n- wait\nAnswer:"),
            expected
        );
        let keyed = [
            option("pay", "pay", Some("money")),
            option("wait", "wait", Some("time")),
        ];
        assert_eq!(
            options("Subject: x\nOptions:\npay: money\nwait: time\nAnswer: pay"),
            keyed
        );
        assert_eq!(options("Subject: x\nBody: y\n\nAnswer: pay"), []);
        assert_eq!(options("nothing\nhere"), []);
    }

    #[test]
    fn what_was_appended_follows_the_first_colon_of_the_last_line() {
        assert_eq!(
            appended("a: b\nAnswer: pay: money"),
            ("a: b\nAnswer:", " pay: money")
        );
        assert_eq!(appended("a: b\nmoney"), ("a: b\n", "money"));
        assert_eq!(appended("x"), ("", "x"));
    }
}
