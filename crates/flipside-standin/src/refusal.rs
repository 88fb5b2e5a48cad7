//! Error bodies, in each dialect's shape.

use crate::dialect::{Dialect, Wrong};
use crate::openai;
use crate::reply::{Reply, reason};
use crate::request::Problem;

impl Reply {
    /// A refusal, in the dialect's words.
    pub(crate) fn problem(&mut self, dialect: Dialect, problem: &Problem) {
        let status = dialect.status(problem.wrong);
        self.error(dialect, status, Dialect::code(problem.wrong), problem);
        if problem.wrong == Wrong::Busy {
            self.field("retry-after", 1);
        }
    }

    /// An error body with any status.
    pub(crate) fn error(&mut self, dialect: Dialect, status: u16, code: &str, problem: &Problem) {
        self.status = status;
        self.body.clear();
        let message = problem.message.as_str();
        match dialect {
            Dialect::Typesafe | Dialect::Runware | Dialect::JevCompatible if status == 422 => {
                self.put("{\"detail\":[{\"loc\":[");
                for (at, part) in problem.place.iter().enumerate() {
                    self.put(if at > 0 { "," } else { "" });
                    self.text(part);
                }
                self.put("],\"msg\":");
                self.text(message);
                self.put(",\"type\":\"value_error\"}]}");
            }
            Dialect::Typesafe | Dialect::Runware => {
                let code = if status == 400 {
                    "api_usage_error"
                } else {
                    code
                };
                self.put("{\"detail\":{\"error_type\":");
                self.text(code);
                self.put(",\"message\":");
                self.text(message);
                self.put("}}");
            }
            Dialect::Openrouter => {
                self.put("{\"error\":{\"code\":");
                self.put(&status.to_string());
                self.put(",\"message\":");
                self.text(message);
                self.put(",\"metadata\":{\"provider_name\":\"TypeSafe\"}}}");
            }
            Dialect::Vercel => {
                self.put("{\"message\":");
                self.text(message);
                self.put(",\"error_type\":");
                self.text(code);
                self.put("}");
            }
            Dialect::LayaPkg => {
                self.put("{\"error\":{\"message\":");
                self.text(message);
                self.put(",\"field\":");
                self.text(&problem.place.join("."));
                self.put("}}");
            }
            Dialect::ProblemJson => {
                self.content_type = "application/problem+json";
                self.put("{\"type\":\"about:blank\",\"title\":");
                self.text(reason(status));
                self.put(",\"status\":");
                self.put(&status.to_string());
                self.put(",\"detail\":");
                self.text(message);
                self.put(",\"code\":");
                self.text(code);
                self.put("}");
            }
            Dialect::Language(server) => self.language_error(server, code, problem),
            Dialect::OpenaiDecisions => openai::error(&mut self.body, code, problem),
            Dialect::OllamaS1 | Dialect::Agentjev => {
                self.put("{\"error\":");
                self.text(message);
                self.put("}");
            }
            Dialect::Cloudflare => {
                self.put("{\"success\":false,\"errors\":[{\"code\":");
                // Cloudflare's own codes, which are no statuses.
                self.put(&format!("{}", 5_000 + u32::from(status)));
                self.put(",\"message\":");
                self.text(message);
                self.put("}],\"messages\":[],\"result\":null}");
            }
            Dialect::Laya
            | Dialect::Predict
            | Dialect::Clm
            | Dialect::Cua
            | Dialect::Kev
            | Dialect::JevCompatible => {
                self.put("{\"detail\":");
                self.text(message);
                self.put("}");
            }
        }
    }
}
