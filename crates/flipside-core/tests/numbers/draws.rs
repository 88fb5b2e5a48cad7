//! Draws against a dozen lines of Python.

use flipside_core::stats::draw::{DRAW_VERSION, Part, Stream};
use serde_json::Value;

#[test]
fn draws_are_those_of_the_python_script() {
    let reference: Value =
        serde_json::from_str(include_str!("../data/draw-reference.json")).unwrap();
    assert_eq!(reference["version"], DRAW_VERSION);
    let whole = |value: &Value| value.as_str().unwrap().parse::<u64>().unwrap();
    let streams = reference["streams"].as_array().unwrap();
    assert_eq!(streams.len(), 7);
    for row in streams {
        let parts: Vec<Part<'_>> = row["parts"]
            .as_array()
            .unwrap()
            .iter()
            .map(|part| match part.get("u64") {
                Some(number) => Part::U64(whole(number)),
                None => Part::Text(part["text"].as_str().unwrap()),
            })
            .collect();
        let fresh = || Stream::new(&parts);
        let mut stream = fresh();
        for word in row["words"].as_array().unwrap() {
            assert_eq!(stream.word(), whole(word));
        }
        let mut stream = fresh();
        for drawn in row["below"].as_array().unwrap() {
            assert_eq!(stream.below(whole(&drawn[0])), whole(&drawn[1]));
        }
        for expected in row["shuffles"].as_array().unwrap() {
            let expected: Vec<u64> = expected
                .as_array()
                .unwrap()
                .iter()
                .map(|item| item.as_u64().unwrap())
                .collect();
            let mut items: Vec<u64> = (0..expected.len() as u64).collect();
            fresh().shuffle(&mut items);
            assert_eq!(items, expected);
        }
        let mut stream = fresh();
        for unit in row["units"].as_array().unwrap() {
            assert_eq!(
                stream.unit().to_bits(),
                unit.as_str().unwrap().parse::<f64>().unwrap().to_bits()
            );
        }
    }
}
