//! Questions that cannot be asked, in our words.

use flipside_local::causal::Request;

use crate::reference::open;
use crate::support::{letters, plain, texts};

fn refused(name: &str, request: &Request) -> String {
    let (model, _) = open(name);
    let said = model.check(request).unwrap_err().to_string();
    assert_eq!(model.ask_alone(request).unwrap_err().to_string(), said);
    said
}

#[test]
fn what_has_no_tokens_of_its_own_is_refused() {
    let name = "causal-llama";
    assert_eq!(
        refused(name, &plain("", letters(2))),
        "the question has no tokens"
    );
    let request = plain("Letter:", crate::support::texts(&["in"]));
    let request = Request {
        chat: true,
        ..request
    };
    let empty = Request {
        read: texts(&[""]),
        ..request
    };
    assert_eq!(refused(name, &empty), "the text `` has no tokens");
}

/// Two line feeds are one token, of which the question has the first.
#[test]
fn a_text_that_begins_inside_a_token_is_refused() {
    let request = Request {
        chat: true,
        ..plain("Letter:", texts(&["\nin"]))
    };
    assert_eq!(
        refused("causal-qwen2", &request),
        "no token begins where the text `\\u{a}in` begins: token `ĊĊ` stands across; end the template's `[user]` part in another character, such as `:`"
    );
}

/// Llama 3's knows `system`, `user` and nothing else; a file without a template has no conversation.
#[test]
fn a_file_without_a_chat_template_is_asked_in_plain_text() {
    let (_kept, path) = crate::load::without("causal-llama", "tokenizer.chat_template");
    let model = flipside_local::causal::Causal::open(&path, flipside_local::causal::Numbers::F32);
    let model = model.unwrap();
    let request = Request {
        chat: true,
        ..plain("Letter:", letters(2))
    };
    assert!(!model.chats());
    assert_eq!(
        model.check(&request).unwrap_err().to_string(),
        "the file has no chat template; ask with `template=plain`"
    );
}

#[test]
fn what_a_chat_template_refuses_is_repeated() {
    let (_kept, path) = crate::load::with_template("{{ raise_exception('never') }}");
    let model = flipside_local::causal::Causal::open(&path, flipside_local::causal::Numbers::F32);
    let request = Request {
        chat: true,
        ..plain("Letter:", letters(2))
    };
    assert_eq!(
        model.unwrap().check(&request).unwrap_err().to_string(),
        "the chat template refuses the question: never"
    );
}

#[test]
fn a_letter_that_is_no_token_is_refused() {
    let (_kept, path) = crate::load::without_letter(b'Z');
    let model = flipside_local::causal::Causal::open(&path, flipside_local::causal::Numbers::F32);
    let request = plain(
        "Letter:",
        flipside_local::causal::Read::Letters(b"AZ".to_vec()),
    );
    assert_eq!(
        model.unwrap().check(&request).unwrap_err().to_string(),
        "no token of the model is the letter `Z`"
    );
}

#[test]
fn too_many_tokens_are_refused_with_their_number() {
    let said = refused("causal-llama", &plain(&"x".repeat(2049), letters(2)));
    assert_eq!(said, "the question has 2049 tokens, the model reads 2048");
    let request = Request {
        less: Some(flipside_local::causal::Words {
            system: None,
            user: "x".repeat(2050),
        }),
        ..plain("x", letters(2))
    };
    let said = refused("causal-llama", &request);
    assert_eq!(said, "the question has 2050 tokens, the model reads 2048");
}
