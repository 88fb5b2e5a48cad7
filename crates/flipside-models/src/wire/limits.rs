//! What a backend is known to refuse, so that it is refused before anything is sent.

use flipside_core::case::QuestionKind;
use flipside_core::foreign::Foreign;
use flipside_core::json::Json;
use flipside_core::model::Unsupported;
use flipside_core::present::Presentation;

/// What one backend takes. `None` is no limit that we know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Who takes no more, as a message names it.
    pub(crate) backend: &'static str,
    /// Options of a choice, fewest and most.
    pub(crate) options: Option<(usize, usize)>,
    /// What to do about a longer list.
    pub(crate) longer_list: &'static str,
    /// Levels of a score, fewest and most.
    pub(crate) levels: Option<(usize, usize)>,
    /// Questions of a request.
    pub(crate) questions: Option<usize>,
    /// Options, levels and sides of a request together.
    pub(crate) all_options: Option<usize>,
    /// Bytes of a request.
    pub(crate) body_bytes: Option<usize>,
    /// Characters of the state as JSON.
    pub(crate) state_chars: Option<usize>,
    /// Whether choices are all that it answers.
    pub(crate) choices_only: bool,
    /// Whether the state must say something.
    pub(crate) state_required: bool,
    /// Characters of a question's name, which are then letters, digits, `_`, `.` and `-`.
    pub(crate) name_chars: Option<usize>,
}

const MIB: usize = 1 << 20;

impl Limits {
    const NONE: Self = Self {
        backend: "",
        options: None,
        longer_list: "shorten the list",
        levels: None,
        questions: None,
        all_options: None,
        body_bytes: None,
        state_chars: None,
        choices_only: false,
        state_required: false,
        name_chars: None,
    };

    /// Jev, wherever it is served (the wire page, 1.5). One option is legal on the wire.
    pub(crate) const JEV: Self = Self {
        backend: "Jev",
        options: Some((1, 255)),
        levels: Some((2, 10)),
        body_bytes: Some(32 * MIB),
        ..Self::NONE
    };

    /// Laya's server (3.2).
    pub(crate) const LAYA: Self = Self {
        backend: "Laya's server",
        options: Some((1, 100)),
        longer_list: "shorten the list, or say `?tournament=on` of a server with LAYA_TOURNAMENT_GROUP, which takes 255",
        levels: Some((1, 32)),
        questions: Some(64),
        all_options: Some(512),
        body_bytes: Some(2 * MIB),
        state_chars: Some(50_000),
        ..Self::NONE
    };

    /// Laya's server where long lists are decided in groups (3.2).
    pub(crate) const LAYA_TOURNAMENT: Self = Self {
        options: Some((1, 255)),
        longer_list: "shorten the list",
        ..Self::LAYA
    };

    /// CLM (4.1): its code has no upper bound.
    pub(crate) const CLM: Self = Self {
        backend: "CLM",
        options: Some((1, usize::MAX)),
        levels: Some((2, usize::MAX)),
        ..Self::NONE
    };

    /// Cua-S1's worker (4.2): letters A to Z.
    pub(crate) const CUA: Self = Self {
        backend: "Cua-S1",
        options: Some((1, 26)),
        longer_list: "shorten the list: it answers with a letter from A to Z",
        choices_only: true,
        state_required: true,
        ..Self::NONE
    };

    /// Ollama's System One route (4.4): letters A to Z.
    pub(crate) const OLLAMA: Self = Self {
        backend: "Ollama",
        options: Some((1, 26)),
        longer_list: "shorten the list: it answers with a letter from A to Z",
        ..Self::NONE
    };

    /// Cloudflare's Clef (2.1).
    pub(crate) const CLEF: Self = Self {
        backend: "Clef",
        options: Some((2, usize::MAX)),
        questions: Some(64),
        name_chars: Some(100),
        ..Self::NONE
    };

    /// Checks what is shown, before it is written.
    ///
    /// # Errors
    /// [`Unsupported`] that names the limit and what to do.
    pub(crate) fn check(&self, shown: &Presentation<'_>) -> Result<(), Unsupported> {
        let question = &shown.case().question;
        let siblings: Vec<(&str, &Json)> = (question.before.iter().chain(&question.after))
            .map(|(name, sibling)| (name.as_str(), sibling))
            .collect();
        self.questions(1 + siblings.len())?;
        let mut all = shown.len();
        self.question(&question.name, question.kind.name(), shown.len())?;
        for (name, sibling) in siblings {
            let (kind, offered) = offered(sibling);
            self.question(name, kind, offered)?;
            all += offered;
        }
        if let Some(most) = self.all_options.filter(|most| all > *most) {
            return self.refuse(&format!(
                "takes at most {most} options in one request and is asked with {all}; ask fewer questions at once"
            ));
        }
        self.state(shown.state())?;
        let no_text = |text: &Json| !matches!(text, Json::String(_) | Json::Null);
        let strange = shown
            .options()
            .find(|option| option.text.is_some_and(no_text));
        match strange {
            Some(option) if self.choices_only => self.refuse(&format!(
                "takes texts of options and that of `{}` is {}; write it as a string",
                Foreign(&option.key.0).cut(40),
                option.text.map_or("null", Json::kind)
            )),
            _ => Ok(()),
        }
    }

    /// Checks the bytes of a request.
    ///
    /// # Errors
    /// [`Unsupported`] that names the limit and what to do.
    pub(crate) fn bytes(&self, request: &[u8]) -> Result<(), Unsupported> {
        match self.body_bytes.filter(|most| request.len() > *most) {
            Some(most) => self.refuse(&format!(
                "takes at most {} MiB in one request and this one has {} bytes; shorten the state or the options",
                most / MIB,
                request.len()
            )),
            None => Ok(()),
        }
    }

    fn questions(&self, asked: usize) -> Result<(), Unsupported> {
        match self.questions.filter(|most| asked > *most) {
            Some(most) => self.refuse(&format!(
                "takes at most {most} questions in one request and is asked {asked}; ask fewer at once"
            )),
            None => Ok(()),
        }
    }

    fn question(&self, name: &str, kind: &str, offered: usize) -> Result<(), Unsupported> {
        if self.choices_only && kind != "choice" {
            return self.refuse(&format!(
                "answers choice questions only and question `{}` is a {}; leave it out",
                Foreign(name).cut(40),
                Foreign(kind).cut(40)
            ));
        }
        if let Some(most) = self.name_chars {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
            if name.is_empty() || name.len() > most || !name.bytes().all(plain) {
                return self.refuse(&format!(
                    "takes question names of 1 to {most} letters, digits, `_`, `.` and `-`, found `{}`; rename it",
                    Foreign(name).cut(40)
                ));
            }
        }
        let (limit, what, longer) = match kind {
            "choice" => (self.options, "options", self.longer_list),
            "score" => (self.levels, "levels", "take fewer levels"),
            _ => return Ok(()),
        };
        match limit {
            Some((_, most)) if offered > most => self.refuse(&format!(
                "takes at most {most} {what} and is asked with {offered}; {longer}"
            )),
            Some((least, _)) if offered < least => self.refuse(&format!(
                "takes at least {least} {what} and is asked with {offered}; leave the question out"
            )),
            _ => Ok(()),
        }
    }

    fn state(&self, state: &Json) -> Result<(), Unsupported> {
        let empty = match state {
            Json::String(text) => text.trim().is_empty(),
            Json::Array(items) => items.is_empty(),
            Json::Object(members) => members.members().is_empty(),
            _ => false,
        };
        if self.state_required && empty {
            return self.refuse("takes no empty state; say what the decision is about");
        }
        if let Some(most) = self.state_chars {
            let found = state.to_text().chars().count();
            if found > most {
                return self.refuse(&format!(
                    "takes at most {most} characters of state and is asked with {found}; shorten the state"
                ));
            }
        }
        Ok(())
    }

    fn refuse(&self, what: &str) -> Result<(), Unsupported> {
        Err(Unsupported {
            reason: format!("{} {what}", self.backend),
        })
    }
}

/// The type of a sibling question, and how many options, levels or sides it offers.
fn offered(question: &Json) -> (&str, usize) {
    let Some(question) = question.as_object() else {
        return ("", 0);
    };
    let kind = question
        .get("type")
        .and_then(Json::as_str)
        .unwrap_or_default();
    let offered = match question.get("criteria") {
        _ if kind == QuestionKind::Noul.name() => 2,
        Some(Json::Object(members)) => members.members().len(),
        Some(Json::Array(items)) => items.len(),
        _ => 0,
    };
    (kind, offered)
}
