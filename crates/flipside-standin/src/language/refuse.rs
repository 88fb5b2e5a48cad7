//! Error bodies of language models' servers.

use super::server::Language;
use crate::reply::Reply;
use crate::request::Problem;

impl Reply {
    /// The body of an error whose status is set.
    pub(crate) fn language_error(&mut self, server: Language, code: &str, problem: &Problem) {
        let message = problem.message.as_str();
        match server {
            Language::Ollama => {
                self.put("{\"error\":");
                self.text(message);
                self.put("}");
            }
            Language::Llamacpp => {
                let (kind, message) = match self.status {
                    // The one reason for it in this server.
                    503 => ("unavailable_error", "Loading model"),
                    401 => ("authentication_error", message),
                    404 => ("not_found_error", message),
                    500.. => ("server_error", message),
                    _ => ("invalid_request_error", message),
                };
                self.put(&format!(
                    "{{\"error\":{{\"code\":{},\"message\":",
                    self.status
                ));
                self.text(message);
                self.put(&format!(",\"type\":\"{kind}\"}}}}"));
            }
            Language::Chat | Language::Completions | Language::NoLogprobs | Language::Top5 => {
                let kind = match self.status {
                    429 => "rate_limit_error",
                    500.. => "server_error",
                    _ => "invalid_request_error",
                };
                self.put("{\"error\":{\"message\":");
                self.text(message);
                self.put(&format!(",\"type\":\"{kind}\",\"param\":"));
                match problem.place.last().filter(|name| *name != "body") {
                    Some(name) => self.text(name),
                    None => self.put("null"),
                }
                self.put(",\"code\":");
                match self.status {
                    401 => self.put("\"invalid_api_key\""),
                    404 if problem.place.last().is_some_and(|name| name == "model") => {
                        self.put("\"model_not_found\"");
                    }
                    400 => self.put("null"),
                    _ => self.text(code),
                }
                self.put("}}");
            }
        }
    }
}
