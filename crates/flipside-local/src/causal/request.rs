//! What a causal language model is asked, and its tokens.

use flipside_core::foreign::Foreign;
use flipside_core::json::{Json, Object};

use super::chat::Chat;
use super::vocabulary::Vocabulary;
use crate::error::AskError;

/// A question in words, and what is read after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Whether the words are a conversation in the file's own chat template, or one text.
    pub chat: bool,
    /// The words.
    pub words: Words,
    /// What is read.
    pub read: Read,
    /// Words that the same is read after, to be compared with.
    pub less: Option<Words>,
}

/// The two parts of a conversation; of one text they are one after the other, a blank line between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// What stands before.
    pub system: Option<String>,
    /// The question.
    pub user: String,
}

/// What is read after the words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Read {
    /// The next token, as one of these letters.
    Letters(Vec<u8>),
    /// Each of these texts.
    Texts(Vec<String>),
}

/// The tokens of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tokens {
    /// What stands before.
    pub(crate) before: Vec<u32>,
    /// What is scored after it, for texts.
    pub(crate) texts: Vec<Vec<u32>>,
}

impl Request {
    /// The request in `json`.
    ///
    /// # Errors
    /// [`AskError`] naming the member that is missing or another thing than it should be.
    pub fn parse(json: &Json) -> Result<Self, AskError> {
        let Json::Object(object) = json else {
            return Err(AskError::refused(format!(
                "the request is {}, expected an object",
                json.kind()
            )));
        };
        let letters = object.get("letters").and_then(Json::as_str);
        let texts = object.get("texts").and_then(Json::as_array);
        let read = match (letters, texts) {
            (Some(letters), None) => Read::Letters(letters.bytes().collect()),
            (None, Some(texts)) => Read::Texts(
                texts
                    .iter()
                    .map(|text| {
                        text.as_str().map(str::to_owned).ok_or_else(|| {
                            AskError::refused(format!(
                                "`texts` holds {}, expected strings",
                                text.kind()
                            ))
                        })
                    })
                    .collect::<Result<_, _>>()?,
            ),
            _ => {
                return Err(AskError::refused(
                    "expected either `letters`, a string, or `texts`, an array",
                ));
            }
        };
        let less = match object.get("less") {
            None => None,
            Some(Json::Object(less)) => Some(words(less)?),
            Some(other) => {
                return Err(AskError::refused(format!(
                    "`less` is {}, expected an object",
                    other.kind()
                )));
            }
        };
        Ok(Self {
            chat: object.get("chat") == Some(&Json::Bool(true)),
            words: words(object)?,
            read,
            less,
        })
    }

    /// The tokens of the question, and of what it is compared with.
    ///
    /// # Errors
    /// [`AskError`] if a text has no tokens of its own, or a letter is no token.
    pub(crate) fn tokens(
        &self,
        vocabulary: &Vocabulary,
        chat: Option<&Chat>,
    ) -> Result<(Tokens, Option<Tokens>), AskError> {
        if let Read::Letters(letters) = &self.read
            && let Some(letter) = letters
                .iter()
                .find(|letter| vocabulary.letter(**letter).is_empty())
        {
            return Err(AskError::refused(format!(
                "no token of the model is the letter `{}`",
                char::from(*letter)
            )));
        }
        let of = |words: &Words| self.laid(words, vocabulary, chat);
        Ok((of(&self.words)?, self.less.as_ref().map(of).transpose()?))
    }

    fn laid(
        &self,
        words: &Words,
        vocabulary: &Vocabulary,
        chat: Option<&Chat>,
    ) -> Result<Tokens, AskError> {
        let system = words.system.as_deref();
        let (before, blank) = if self.chat {
            let chat = chat.ok_or_else(|| {
                AskError::refused("the file has no chat template; ask with `template=plain`")
            })?;
            let (begin, end) = (vocabulary.begin_text(), vocabulary.end_text());
            // An answer stands at the beginning of a turn.
            (chat.render((system, &words.user), begin, end)?, "")
        } else {
            let joined = match system {
                Some(system) => format!("{system}\n\n{}", words.user),
                None => words.user.clone(),
            };
            (joined, " ")
        };
        let ids = vocabulary.encode(&before)?;
        if ids.is_empty() {
            return Err(AskError::refused("the question has no tokens"));
        }
        let mut texts = Vec::new();
        if let Read::Texts(answers) = &self.read {
            for answer in answers {
                let whole = vocabulary.encode(&format!("{before}{blank}{answer}"))?;
                match whole.strip_prefix(&ids[..]) {
                    Some([]) => {
                        return Err(AskError::refused(format!(
                            "the text `{}` has no tokens",
                            Foreign(answer).cut(40)
                        )));
                    }
                    Some(own) => texts.push(own.to_vec()),
                    None => {
                        let at = ids.iter().zip(&whole).take_while(|(a, b)| a == b).count();
                        let across = whole.get(at).map_or("", |id| vocabulary.text(*id));
                        return Err(AskError::refused(format!(
                            "no token begins where the text `{}` begins: token `{}` stands across; end the template's `[user]` part in another character, such as `:`",
                            Foreign(answer).cut(40),
                            Foreign(across).cut(20)
                        )));
                    }
                }
            }
        }
        Ok(Tokens { before: ids, texts })
    }
}

impl Tokens {
    /// Every path whose logits are needed: the last token of a text is only predicted.
    pub(crate) fn paths(&self) -> Vec<Vec<u32>> {
        if self.texts.is_empty() {
            return vec![self.before.clone()];
        }
        let path = |text: &Vec<u32>| [&self.before[..], &text[..text.len() - 1]].concat();
        self.texts.iter().map(path).collect()
    }

    /// Tokens that a client without a tree would send: the whole of every text on its own.
    pub(crate) fn naive(&self) -> usize {
        match self.texts.len() {
            0 => self.before.len(),
            texts => texts * self.before.len() + self.texts.iter().map(Vec::len).sum::<usize>(),
        }
    }

    /// The longest path.
    pub(crate) fn longest(&self) -> usize {
        self.before.len() + self.texts.iter().map(Vec::len).max().unwrap_or(0)
    }
}

fn words(object: &Object) -> Result<Words, AskError> {
    let text = |name: &str| match object.get(name) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err(AskError::refused(format!(
            "`{name}` is {}, expected a string",
            other.kind()
        ))),
    };
    let Some(user) = text("user")? else {
        return Err(AskError::refused("no `user`"));
    };
    Ok(Words {
        system: text("system")?,
        user,
    })
}
