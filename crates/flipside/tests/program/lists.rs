//! Files of orders and of keys that may never end, or are too large.

use std::process::Command;

use crate::support::{folder, run_line, unlabelled};

/// Bytes that a text may have.
const MOST: u64 = 268_435_456;

#[test]
fn a_list_that_is_no_regular_file_or_too_large_is_refused() {
    let (_guard, path) = folder(&unlabelled(1));
    let made = Command::new("mkfifo").arg(path.join("pipe")).status();
    assert!(made.unwrap().success());
    std::fs::create_dir(path.join("there")).unwrap();
    std::fs::write(path.join("latin"), b"[\"\xe9\"]\n").unwrap();
    // A hole takes no room.
    let large = std::fs::File::create(path.join("large")).unwrap();
    large.set_len(MOST + 1).unwrap();
    for (flag, what) in [("--order list:", "orders"), ("--axis keys:list:", "keys")] {
        for (file, why) in [
            ("/dev/zero", "it is no regular file".to_owned()),
            ("pipe", "it is no regular file".to_owned()),
            ("there", "it is no regular file".to_owned()),
            ("latin", "it is not UTF-8".to_owned()),
            ("large", format!("it has more than {MOST} bytes")),
        ] {
            let ran = run_line(&path, &format!("probe cases.jsonl {flag}{file}"));
            assert_eq!(
                (ran.code, ran.err),
                (
                    2,
                    format!("error: {file}: the file of {what} cannot be read: {why}\n")
                )
            );
        }
    }
}
