//! How long reading a recording takes: `cargo run --release --example import -- FILE [CASES]`. Without a file, 100,000 results of
//! sys1-eval that it makes itself are read.

use std::fmt::Write as _;
use std::time::Instant;

use camino::Utf8PathBuf;
use flipside_formats::import::{self, Supplements};
use flipside_formats::read::{Input, ReadOptions, read_cases};

/// Results that a file is made of.
const ROWS: u32 = 100_000;

#[expect(clippy::print_stdout, reason = "an example tells what it measured")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = match arguments.next() {
        Some(file) => Utf8PathBuf::from(file),
        None => made()?,
    };
    let cases = match arguments.next() {
        None => Vec::new(),
        Some(cases) => {
            let input = Input::Path(cases.into());
            let set = read_cases(&[input], &ReadOptions::default());
            set.map_err(|errors| format!("{} errors in the cases", errors.len()))?
                .cases
        }
    };
    let supplements = Supplements {
        cases,
        ..Supplements::default()
    };
    let bytes = fs_err::metadata(&file)?.len();
    let start = Instant::now();
    let recording = import::read(&file, &supplements);
    let took = start.elapsed();
    let recording =
        recording.map_err(|errors| format!("{} errors, the first: {}", errors.len(), errors[0]))?;
    let decisions = recording.decisions.len();
    println!(
        "{decisions} decisions of {bytes} bytes in {:.3} s",
        took.as_secs_f64()
    );
    Ok(())
}

/// A result file in the folder for temporary files.
fn made() -> std::io::Result<Utf8PathBuf> {
    let mut text = String::new();
    for row in 0..ROWS {
        let chosen = row % 10;
        let mut probabilities = String::new();
        for option in 0..10 {
            let comma = if option > 0 { ", " } else { "" };
            let p = if option == chosen { 0.55 } else { 0.05 };
            write!(probabilities, "{comma}\"option_number_{option}\": {p}")
                .expect("a text takes all");
        }
        writeln!(
            text,
            "{{\"id\": \"L{row:06}\", \"track\": \"B_tool_selection\", \"dataset\": \"BFCL_v3_live_simple\", \"lang\": \"en\", \
             \"option_count\": 10, \"ok\": true, \"ms\": 40.3, \"model\": \"english\", \"mean_confidence\": null, \"answers\": \
             {{\"tool\": {{\"type\": \"choice\", \"choice\": \"option_number_{chosen}\", \"confidence\": 0.1868, \
             \"probabilities\": {{{probabilities}}}}}}}, \"error\": null}}"
        )
        .expect("a text takes all");
    }
    let path = std::env::temp_dir().join("flipside-import-example.jsonl");
    fs_err::write(&path, text)?;
    Utf8PathBuf::from_path_buf(path)
        .map_err(|path| std::io::Error::other(format!("{} is not UTF-8", path.display())))
}
