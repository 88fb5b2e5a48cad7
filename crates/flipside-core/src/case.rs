//! Cases: one decision each, as read and checked.

mod brought;
mod equal;
mod fields;
mod parts;
mod typed;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

pub use brought::{Brought, Phrasing};
pub use fields::FieldValue;
pub use parts::Parts;
pub use typed::{typed_key, typed_value};

use crate::digest::Digest;
use crate::json::{self, Json};
use crate::order::{OptionId, Order};
use crate::shared::{List, Shared};

/// One decision: a state, a question, its options in file order, and the accepted ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Unique in a run.
    pub id: CaseId,
    /// Whether the id is the file's own; otherwise it was made from the file's name and the line.
    pub named: bool,
    /// Where it was read.
    pub source: Source,
    /// What the decision is about.
    pub state: Json,
    /// What is asked.
    pub question: Shared<Question>,
    /// The options; an option's identity is its index here.
    pub options: List<CaseOption>,
    /// Whether a key belongs to its option or to the place where it stands.
    pub keys: KeyBinding,
    /// Accepted identities, ascending; empty for an unlabelled case.
    pub accept: List<OptionId>,
    /// The words by which an option speaks about other options ("none of the above"), if one does.
    /// Such a case changes its meaning under another order.
    pub position_dependent: Option<String>,
    /// Free text; never sent to a model.
    pub note: Option<String>,
    /// Named values that cases are grouped by, in the order of the file; never sent to a model and no part of what is asked.
    pub fields: List<(String, FieldValue)>,
    /// Classes of options that are declared to be the same answer, by identity: ascending, each of two or more, no
    /// identity in two of them. Choosing one of a class or another is the same outcome.
    pub equal: List<Vec<OptionId>>,
    /// What it brings along: for variants of itself, and what was answered before.
    pub brought: Brought,
}

/// The id of a case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CaseId(pub String);

impl fmt::Display for CaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&crate::foreign::Foreign(&self.0), f)
    }
}

/// Where a case was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The format's name, such as `probe`.
    pub format: Arc<str>,
    /// The file as the user named it, `-` for standard input, or `builtin:NAME`.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u64,
}

/// What is asked about the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// How it is answered.
    pub kind: QuestionKind,
    /// Its name in the request; not shown to a model.
    pub name: String,
    /// Its instructions, as sent.
    pub instructions: Option<Json>,
    /// Other questions of the same request that stand before it, by name, as they were read.
    pub before: Vec<(String, Json)>,
    /// Other questions of the same request that stand after it.
    pub after: Vec<(String, Json)>,
}

/// How a question is answered.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum QuestionKind {
    /// Pick one option.
    Choice,
    /// Place on ordered levels, lowest first.
    Score,
    /// The probability that a statement holds; the options are `true` and `false`.
    Noul,
}

impl QuestionKind {
    /// The name on the wire and in case files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Choice => "choice",
            Self::Score => "score",
            Self::Noul => "noul",
        }
    }

    /// The kind with this name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Choice, Self::Score, Self::Noul]
            .into_iter()
            .find(|kind| kind.name() == name)
    }
}

/// An option: a key and a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseOption {
    /// The key.
    pub key: Key,
    /// The text: a string, any JSON value, or none.
    pub text: Option<Json>,
}

impl CaseOption {
    /// Whether the text says anything beside the key: it is there, not null and not empty.
    pub fn has_description(&self) -> bool {
        let says = |text: &Json| *text != Json::Null && text.as_str() != Some("");
        self.text.as_ref().is_some_and(says)
    }
}

/// The key of an option.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub String);

/// What a key is bound to when the order changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyBinding {
    /// The key moves with its option: it is a name.
    Option,
    /// The key stays in its place: it is a letter or level number.
    Place,
    /// The key is that of the other side: the statement of a noul question is asked as its opposite. No case is read so.
    Opposite,
}

impl KeyBinding {
    /// Under whose key, by index, the option `id` is shown where it stands in `place`.
    pub fn owner(self, id: OptionId, place: usize) -> usize {
        match self {
            Self::Option => id.index(),
            Self::Place => place,
            Self::Opposite => id.index() ^ 1,
        }
    }
}

/// Why parts do not make a case.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CaseError {
    /// No option.
    #[error("the case has no option")]
    NoOption,
    /// More options than an order can hold.
    #[error("the case has {options} options, the most is {most}", most = Order::MOST)]
    TooManyOptions {
        /// How many.
        options: usize,
    },
    /// A key stands twice.
    #[error("option key `{}` is given twice", crate::foreign::Foreign(key))]
    RepeatedKey {
        /// The key.
        key: String,
    },
    /// An accepted identity that is no option.
    #[error("accepted option {identity} is not one of the {options} options")]
    Accept {
        /// The identity.
        identity: u16,
        /// How many options there are.
        options: usize,
    },
    /// Classes of equal options that are none.
    #[error("equal options: {problem}")]
    Equal {
        /// What is wrong with them.
        problem: String,
    },
    /// A rewording that is none of this case.
    #[error("rewording `{}`: {problem}", crate::foreign::Foreign(name))]
    Phrasing {
        /// Its name.
        name: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A recorded answer that is none to this case.
    #[error("the recorded answer {problem}")]
    Recorded {
        /// What is wrong with it.
        problem: String,
    },
    /// A question of another kind than its options allow.
    #[error("a noul question has the two options `true` and `false`")]
    NoulOptions,
}

impl Case {
    /// Checks what every reader must guarantee, puts `accept` and `equal` in order, and accepts what is equal to an
    /// accepted option.
    ///
    /// # Errors
    /// [`CaseError`] for the first rule that does not hold.
    pub fn checked(mut self) -> Result<Self, CaseError> {
        let options = self.options.len();
        if options == 0 {
            return Err(CaseError::NoOption);
        }
        if options > Order::MOST {
            return Err(CaseError::TooManyOptions { options });
        }
        let keys = self.options.iter().map(|option| option.key.0.as_str());
        if let Some((_, second)) = json::first_duplicate(keys) {
            let key = self.options[second].key.0.clone();
            return Err(CaseError::RepeatedKey { key });
        }
        if let Some(id) = self.accept.iter().find(|id| id.index() >= options) {
            return Err(CaseError::Accept {
                identity: id.0,
                options,
            });
        }
        if self.question.kind == QuestionKind::Noul {
            let mut keys: Vec<&str> = self.options.iter().map(|o| o.key.0.as_str()).collect();
            keys.sort_unstable();
            if keys != ["false", "true"] {
                return Err(CaseError::NoulOptions);
            }
        }
        self.check_phrasings()?;
        self.check_recorded()?;
        self.order_classes()?;
        self.accept_equal_options();
        self.accept.sort_unstable();
        self.accept.dedup();
        Ok(self)
    }

    /// Whether the case says which options are right.
    pub fn is_labelled(&self) -> bool {
        !self.accept.is_empty()
    }

    /// Whether `id` is accepted; `None` for an unlabelled case.
    pub fn accepts(&self, id: OptionId) -> Option<bool> {
        self.is_labelled().then(|| self.accept.contains(&id))
    }

    /// What this case's draws are seeded by: its own id, or its content where the id was made from file and line, so that
    /// neither another name of the file nor another order of its lines changes a draw.
    pub fn draw_key(&self) -> Cow<'_, str> {
        if self.named {
            Cow::Borrowed(&self.id.0)
        } else {
            Cow::Owned(self.content().to_string())
        }
    }

    /// The canonical form without id, source, note and fields: two cases with one such form ask the same thing, and bring the same
    /// along for other variants.
    /// `accept` and `equal` are left out, so that contradicting labels of one question can be found.
    pub fn content(&self) -> Digest {
        let mut bytes = Vec::new();
        // Each part after its length, so that no two cases run together alike.
        let mut part = |write: &dyn Fn(&mut Vec<u8>)| {
            let start = bytes.len();
            bytes.extend_from_slice(&[0; 8]);
            write(&mut bytes);
            let length = (bytes.len() - start - 8) as u64;
            bytes[start..start + 8].copy_from_slice(&length.to_le_bytes());
        };
        part(&|out| self.state.write(out));
        part(&|out| out.extend_from_slice(self.question.kind.name().as_bytes()));
        part(&|out| out.extend_from_slice(self.question.name.as_bytes()));
        part(&|out| {
            self.question
                .instructions
                .iter()
                .for_each(|value| value.write(out));
        });
        part(&|out| out.extend_from_slice(&self.question.before.len().to_le_bytes()));
        for (name, question) in self.question.before.iter().chain(&self.question.after) {
            part(&|out| out.extend_from_slice(name.as_bytes()));
            part(&|out| question.write(out));
        }
        part(&|out| out.push(u8::from(self.keys == KeyBinding::Place)));
        for option in &self.options {
            part(&|out| out.extend_from_slice(option.key.0.as_bytes()));
            part(&|out| option.text.iter().for_each(|text| text.write(out)));
        }
        // Nothing where nothing is brought: such a case's draws hang on this.
        if !self.brought.is_empty() {
            part(&|out| self.brought.write(out));
        }
        if self.brought.fixed_order {
            part(&|out| out.extend_from_slice(b"fixed order"));
        }
        if self.brought.typed_keys {
            part(&|out| out.extend_from_slice(b"typed keys"));
        }
        Digest::of(&bytes)
    }
}
