//! What a server says of itself.

use super::server::Language;
use crate::reply::Reply;

/// The name of the model where none is set.
pub(super) const NAME: &str = "standin-lm";
const CREATED: &str = "1790812800";
const CREATED_TEXT: &str = "2026-10-01T00:00:00Z";
const DIGEST: &str = "9b1d7c2f4e6a8b0c1d3e5f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4";

/// Answers a route that no model is needed for.
pub(super) fn describe(server: Language, path: &str, model: &str, reply: &mut Reply) {
    let mut name = Reply::new();
    name.text(model);
    let name = String::from_utf8(name.body).unwrap_or_default();
    let details = "\"details\":{\"parent_model\":\"\",\"format\":\"gguf\",\"family\":\"standin\",\"families\":[\"standin\"],\
                   \"parameter_size\":\"1B\",\"quantization_level\":\"Q8_0\"}";
    let text = match path.split('?').next().unwrap_or_default() {
        "/health" if server == Language::Llamacpp => "{\"status\":\"ok\"}".to_owned(),
        // vLLM's has no body.
        "/health" => String::new(),
        "/version" => "{\"version\":\"0.12.0\"}".to_owned(),
        "/api/version" => "{\"version\":\"0.13.0\"}".to_owned(),
        "/api/tags" => format!(
            "{{\"models\":[{{\"name\":{name},\"model\":{name},\"modified_at\":\"{CREATED_TEXT}\",\"size\":1000000000,\
             \"digest\":\"{DIGEST}\",{details}}}]}}"
        ),
        "/api/show" => format!(
            "{{\"template\":\"{{{{ .Prompt }}}}\",{details},\"model_info\":{{\"general.architecture\":\"standin\",\
             \"standin.context_length\":8192}},\"capabilities\":[\"completion\"],\"modified_at\":\"{CREATED_TEXT}\"}}"
        ),
        "/props" => format!(
            "{{\"default_generation_settings\":{{\"n_ctx\":8192,\"params\":{{\"temperature\":0.8}}}},\"total_slots\":1,\
             \"model_alias\":{name},\"model_path\":\"standin.gguf\",\"chat_template\":\"{{{{ messages }}}}\",\
             \"build_info\":\"b7200-standin\"}}"
        ),
        _ => {
            let (owner, more) = match server {
                Language::Completions => (
                    "vllm",
                    ",\"root\":\"standin\",\"parent\":null,\"max_model_len\":8192",
                ),
                Language::Llamacpp => (
                    "llamacpp",
                    ",\"meta\":{\"n_ctx_train\":8192,\"n_params\":1000000000}",
                ),
                Language::Ollama => ("library", ""),
                Language::Chat | Language::NoLogprobs | Language::Top5 => ("openai", ""),
            };
            format!(
                "{{\"object\":\"list\",\"data\":[{{\"id\":{name},\"object\":\"model\",\"created\":{CREATED},\"owned_by\":\"{owner}\"{more}}}]}}"
            )
        }
    };
    reply.put(&text);
}
