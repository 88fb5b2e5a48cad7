//! The number of threads changes no bit.

use std::process::Command;

use camino::Utf8PathBuf;
use flipside_local::Observer;
use flipside_local::agentjev::{AgentJev, Mode, Question, Settings};
use sha2::{Digest as _, Sha256};

use super::random::{self, LARGE};
use super::support::bits;

/// In a process of its own the test tells its digest and compares nothing.
const TELL: &str = "FLIPSIDE_TEST_TELL_DIGEST";

/// A digest of vectors and logits.
fn told() -> String {
    let kept = tempfile::tempdir().unwrap();
    let folder = Utf8PathBuf::from_path_buf(kept.path().to_owned()).unwrap();
    random::write(&folder, LARGE);
    let model = AgentJev::open(&folder, Settings::default()).unwrap();
    let question = r#"{"question":"Which team should own this ticket, by the list of last month?","options":["money","errors and outages","all else"]}"#;
    let question = Question::parse(&flipside_formats::json::parse(question).unwrap(), 0).unwrap();
    let state = "Two identical payments were taken from my card on 3 May. ".repeat(8);
    let paths = model.paths(&state, &question).unwrap();
    let mut digest = Sha256::new();
    for mode in [Mode::Path, Mode::Shared] {
        let (vectors, _) = model.vectors(&paths, mode).unwrap();
        for number in bits(&vectors).concat() {
            digest.update(number.to_le_bytes());
        }
        for logit in model.score(&vectors, Observer::NONE).unwrap() {
            digest.update(logit.to_le_bytes());
        }
    }
    format!("digest {:?}", digest.finalize())
}

/// The number of threads is one of a process, so the test runs itself.
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    if std::env::var_os(TELL).is_some() {
        println!("{}", told());
        return;
    }
    let digest = |threads: &str| {
        let output = Command::new(std::env::current_exe().unwrap())
            .args([
                "threads::any_number_of_threads_gives_the_same_bits",
                "--exact",
                "--nocapture",
            ])
            .env(TELL, "")
            .env("RAYON_NUM_THREADS", threads)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        let at = text.find("digest ").expect("the digest is printed");
        text[at..].lines().next().unwrap().to_owned()
    };
    let one = digest("1");
    assert_eq!(digest("2"), one);
    assert_eq!(digest("5"), one);
}
