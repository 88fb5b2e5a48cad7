//! Case files on which each planted model has a known answer to every variant.
//!
//! Texts of state and instructions have one capital letter, 68 letters and digits and 14 white-space characters. The state's
//! members stand in the order of their names, the last of eight being `team`. Weights stand in key and text alike.

use std::path::{Path, PathBuf};

use crate::support::{folder, lines};

/// What the texts of state and instructions count to, as the stand-in counts.
pub(super) const CAPITALS: usize = 1; // Ulm
/// 33 in the rules, 26 in the note, 3 in the city, 2 each in both codes and in `[1,2]`.
pub(super) const LETTERS: usize = 68;
/// 8 in the rules, 6 in the note.
pub(super) const SPACES: usize = 14;

pub(super) const RULES: &str = "pick the road that the package is to take";
pub(super) const REWORDED_RULES: &str = "take the road that the package is to take";
pub(super) const NOTE: &str = "crew now waits\nnear the old gate";
/// One letter more, and nothing else that the stand-in counts.
pub(super) const REWORDED_NOTE: &str = "staff now waits\nnear the old gate";

/// Key and first word of each option; both end in the weight in the files.
type Road = (&'static str, &'static str, u32);

/// The heaviest is 0 of two options, 1 of three, 2 of four and of five. The key that sorts first is 1, 1, 3 and 2; the text whose
/// first word does is 1, 2, 1 and 3. `mules` are 1, 2, 3 and 0. None of the last three ever stands first, nor is any both the
/// heaviest and one with mules.
pub(super) fn roads(options: usize) -> &'static [Road] {
    match options {
        2 => &[("west", "Trucks", 5), ("east", "Mules", 3)],
        3 => &[
            ("west", "Trains", 5),
            ("east", "Vans", 8),
            ("south", "Mules", 3),
        ],
        4 => &[
            ("west", "Trains", 4),
            ("north", "Boats", 2),
            ("south", "Trucks", 7),
            ("east", "Mules", 6),
        ],
        5 => &[
            ("west", "Mules", 6),
            ("south", "Trains", 3),
            ("east", "Vans", 9),
            ("up", "Boats", 2),
            ("north", "Carts", 4),
        ],
        _ => panic!("no roads for {options} options"),
    }
}

/// The key of an option.
pub(super) fn key((road, first_word, weight): Road) -> String {
    format!("{road}-{}-{weight}", first_word.to_lowercase())
}

/// Its text.
fn text((_, first_word, weight): Road) -> String {
    format!("{first_word} carry {weight}")
}

/// The state of the case with this number.
fn state(number: usize, note: &str) -> String {
    let note = note.replace('\n', "\\n");
    format!(
        "{{\"axle\":2,\"bay\":{number},\"crew\":3,\"day\":1,\"depot\":{{\"city\":\"Ulm\",\"code\":\"k7\",\"crate\":\"b4\"}},\
         \"note\":\"{note}\",\"raw\":\"[1,2]\",\"team\":4}}"
    )
}

fn members(options: usize, text: impl Fn(usize, Road) -> Option<String>) -> String {
    let roads = roads(options).iter().enumerate();
    let members = roads.filter_map(|(id, &road)| {
        let text = text(id, road)?;
        Some(format!("\"{}\":{text}", key(road)))
    });
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

/// Three cases each of two to five options, with two rewordings: `words` says state and rules otherwise, `texts` puts another
/// word before each text, so that the first text sorts first. The first case of five has a last option without a text. Each brings
/// a decoy, which like `none of these` names no weight and sorts last.
pub(super) fn alone() -> String {
    let case = |number: usize| {
        let (options, of_kind) = (2 + number / 3, number % 3);
        let bare = |id: usize| options == 5 && of_kind == 0 && id == 4;
        let own = members(options, |id, road| {
            let text = format!("\"{}\"", text(road));
            Some(if bare(id) { "null".to_owned() } else { text })
        });
        let texts = members(options, |id, road| {
            let before = ["Able", "Big", "Cold", "Dry", "Easy"][id];
            (!bare(id)).then(|| format!("\"{before} {}\"", text(road)))
        });
        format!(
            "{{\"id\":\"n{options}-{of_kind}\",\"state\":{},\"options\":{own},\"rules\":\"{RULES}\",\"decoys\":{{\"zoo\":\"Zebras race\"}},\"phrasings\":[\
             {{\"name\":\"words\",\"state\":{},\"rules\":\"{REWORDED_RULES}\"}},{{\"name\":\"texts\",\"options\":{texts}}}]}}",
            state(number, NOTE),
            state(number, REWORDED_NOTE),
        )
    };
    lines(&(0..12).map(case).collect::<Vec<_>>())
}

/// Four requests with two questions each: `q` of three options, `r` of four.
pub(super) fn beside() -> String {
    let body = |number: usize| {
        let question = |options: usize| {
            let criteria = members(options, |_, road| Some(format!("\"{}\"", text(road))));
            format!("{{\"type\":\"choice\",\"instructions\":\"{RULES}\",\"criteria\":{criteria}}}")
        };
        format!(
            "{{\"id\":\"b{number}\",\"state\":{},\"questions\":{{\"q\":{},\"r\":{}}}}}",
            state(100 + number, NOTE),
            question(3),
            question(4)
        )
    };
    lines(&(0..4).map(body).collect::<Vec<_>>())
}

/// One list of keys for each number of options, in which the first sorts first.
const KEYS: &str = "[\"aa\",\"bb\"]\n[\"aa\",\"bb\",\"cc\"]\n[\"aa\",\"bb\",\"cc\",\"dd\"]\n[\"aa\",\"bb\",\"cc\",\"dd\",\"ee\"]\n";

/// A folder with [`alone`] in `cases.jsonl`, [`beside`] in `bodies.jsonl`, and lists of keys.
pub(super) fn planted() -> (tempfile::TempDir, PathBuf) {
    let (guard, path) = folder(&alone());
    write(&path, "bodies.jsonl", &beside());
    write(&path, "keys.jsonl", KEYS);
    (guard, path)
}

pub(super) fn write(folder: &Path, file: &str, text: &str) {
    std::fs::write(folder.join(file), text).unwrap();
}

/// Every axis that leaves alone what `weighed` reads, with a gate on each.
pub(super) const EVERY_AXIS: &str = "cases.jsonl bodies.jsonl --order check \
    --axis keys,keys:letters,keys:numbers,keys:shuffled,keys:list:keys.jsonl \
    --axis descriptions:drop,descriptions:key,phrasing,state-keys,state-keys:shuffle:2,whitespace,letter-case \
    --axis drop,decoy,decoy:own,batch --gate none:fit --gate descriptions<=5%,drop<=5%,decoy<=5%";
