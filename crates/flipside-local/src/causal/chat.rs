//! A file's own chat template.

use flipside_core::foreign::Foreign;
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, ErrorKind, context};

use crate::error::{AskError, LoadError};

/// The template by its name in the environment.
const NAME: &str = "chat";

/// What turns a conversation into a text.
pub(crate) struct Chat {
    environment: Environment<'static>,
}

impl Chat {
    /// `template`, of the file called `file`.
    ///
    /// Blocks are trimmed as transformers does. No clock is given to it: a template that writes the date would make each day's run ask
    /// something else.
    ///
    /// # Errors
    /// [`LoadError`] if it cannot be read.
    pub(crate) fn parse(file: &str, template: &str) -> Result<Self, LoadError> {
        let mut environment = Environment::new();
        let syntax = SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build()
            .expect("the usual delimiters differ");
        environment.set_syntax(syntax);
        environment
            .set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
        environment.add_function("raise_exception", |message: String| {
            Err::<String, _>(minijinja::Error::new(ErrorKind::InvalidOperation, message))
        });
        environment
            .add_template_owned(NAME, template.to_owned())
            .map_err(|error| {
                let error = error.to_string();
                LoadError::invalid(
                    file,
                    format!(
                        "`tokenizer.chat_template` cannot be read: {}",
                        Foreign(&error).cut(160)
                    ),
                )
            })?;
        Ok(Self { environment })
    }

    /// The text in which `system`, where there is one, and `user` are asked, up to where an answer begins. A model that can think is
    /// told not to, since the answer is read at once.
    ///
    /// # Errors
    /// [`AskError`] if the template refuses them.
    pub(crate) fn render(
        &self,
        (system, user): (Option<&str>, &str),
        begin: Option<&str>,
        end: Option<&str>,
    ) -> Result<String, AskError> {
        let message = |role: &str, content: &str| context! { role => role, content => content };
        let messages: Vec<_> = system
            .map(|system| message("system", system))
            .into_iter()
            .chain([message("user", user)])
            .collect();
        let template = self.environment.get_template(NAME).expect("it was added");
        template
            .render(context! {
                messages => messages,
                add_generation_prompt => true,
                enable_thinking => false,
                bos_token => begin.unwrap_or_default(),
                eos_token => end.unwrap_or_default(),
            })
            .map_err(|error| {
                let said = error
                    .detail()
                    .map_or_else(|| error.to_string(), str::to_owned);
                AskError::refused(format!(
                    "the chat template refuses the question: {}",
                    Foreign(&said).cut(160)
                ))
            })
    }
}
