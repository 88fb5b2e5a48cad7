//! Compressed files, told by their first bytes.

use std::io::Write;

use camino::Utf8PathBuf;
use flipside_formats::read::{Error, Input, ReadOptions, read_cases};

const PROBE: &str = "{\"state\":\"s\",\"options\":{\"a\":\"x\"},\"rules\":\"r\"}\n";

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    writer.write_all(text).expect("memory takes it");
    writer.finish().expect("memory takes it")
}

fn zstd(text: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest)
}

/// Reads a file of these bytes: the ids of its cases, or its error with the folder's name taken out.
fn read(name: &str, bytes: &[u8]) -> Result<Vec<String>, (String, Vec<Error>)> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = Utf8PathBuf::from_path_buf(folder.path().join(name)).expect("a plain name");
    fs_err::write(&file, bytes).expect("a file");
    match read_cases(&[Input::Path(file.clone())], &ReadOptions::default()) {
        Ok(set) => Ok(set.cases.into_iter().map(|case| case.id.0).collect()),
        Err(errors) => Err((errors[0].to_string().replace(file.as_str(), name), errors)),
    }
}

#[test]
fn gzip_and_zstd_are_unpacked_by_content_and_not_by_name() {
    let text = PROBE.repeat(3);
    for (name, bytes) in [
        ("cases.jsonl.gz", gzip(text.as_bytes())),
        ("cases.jsonl", gzip(text.as_bytes())),
        ("cases.jsonl.zst", zstd(text.as_bytes())),
        ("cases.json", zstd(text.as_bytes())),
    ] {
        assert_eq!(
            read(name, &bytes).unwrap(),
            ["cases:1", "cases:2", "cases:3"],
            "{name}"
        );
    }
}

#[test]
fn several_members_of_one_archive_are_all_read() {
    let both =
        |pack: fn(&[u8]) -> Vec<u8>| [pack(PROBE.as_bytes()), pack(PROBE.as_bytes())].concat();
    assert_eq!(read("c.gz", &both(gzip)).unwrap().len(), 2);
    assert_eq!(read("c.zst", &both(zstd)).unwrap().len(), 2);
}

#[test]
fn an_archive_that_is_cut_short_is_an_error_at_any_length() {
    let text: String = (0..50)
        .map(|n| PROBE.replace("\"s\"", &format!("\"{}\"", n * 7919)))
        .collect();
    for (kind, whole) in [
        ("gzip", gzip(text.as_bytes())),
        ("zstd", zstd(text.as_bytes())),
    ] {
        for length in (5..whole.len()).step_by(7).chain([whole.len() - 1]) {
            let (text, errors) = read("cases", &whole[..length]).unwrap_err();
            assert_eq!(
                text,
                format!("cases: the {kind} archive is cut short or damaged"),
                "{length}"
            );
            assert_eq!(errors.len(), 1);
        }
    }
}

#[test]
fn an_archive_that_unpacks_to_too_much_is_stopped() {
    let zeros = gzip(&vec![b' '; (256 << 20) + 1]);
    let (text, _) = read("bomb.gz", &zeros).unwrap_err();
    assert_eq!(
        text,
        "bomb.gz: the archive unpacks to more than 268435456 bytes"
    );
}
