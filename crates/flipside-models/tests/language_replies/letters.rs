//! Letters: forms, coverage, ties, and what is not listed.

use flipside_core::answer::{Answer, ReadoutKind, Usage};
use flipside_core::case::KeyBinding;
use flipside_core::order::{OptionId, Order};
use flipside_core::present::Presentation;
use flipside_models::wire::Protocol;
use flipside_models::wire::language::{Api, LOW_COVERAGE, LanguageModel, Read, TIED};

use super::{
    WORKED, chat, close, letters, listing, position, protocol, readout, refused, reply, three, two,
};
use crate::common::noul;

#[test]
fn the_worked_reply_gives_its_distribution() {
    let answer = letters(&three(), WORKED).unwrap();
    assert_eq!(answer.choice, Some(OptionId(0)));
    // Python: a, b, c = exp(-.3425), exp(-1.4697), exp(-3.1011) + exp(-4.1997); log(c), a + b + c, a / (a + b + c), ..
    let p = answer.probabilities.as_deref().unwrap();
    close(p[0], 0.710_002_104_994_970_7);
    close(p[1], 0.229_997_383_969_444_08);
    close(p[2], 0.060_000_511_035_585_1);
    let found = readout(&answer);
    assert_eq!(
        (found.kind, found.bound),
        (ReadoutKind::LetterLogprobs, None)
    );
    close(found.covered.unwrap(), 0.999_987_344_249_606_7);
    close(
        found.log_probabilities[2].unwrap(),
        -2.813_414_855_367_034_4,
    );
    assert_eq!((answer.tied, answer.rounding), (false, 0.0));
    assert_eq!(answer.served_model.as_deref(), Some("m"));
    assert_eq!(answer.build.unwrap().fingerprint.as_deref(), Some("fp1"));
    let usage = Usage {
        input_tokens: Some(41),
        output_tokens: Some(1),
        cached_tokens: Some(32),
        cost_usd_picos: None,
    };
    assert_eq!(answer.usage, usage.into());
    assert!(answer.remarks.is_empty());
}

#[test]
fn a_distribution_goes_to_identities_whatever_the_order() {
    let three = three();
    let order = Order::rotate(3, 1);
    let shown = Presentation::new(&three, &order);
    let answer = protocol(Api::Chat, Read::Letter)
        .read(&shown, &reply(WORKED))
        .unwrap();
    let first = order.identities()[0];
    assert_eq!(answer.choice, Some(first));
    close(
        answer.probabilities.unwrap()[first.index()],
        0.710_002_104_994_970_7,
    );
    close(
        readout_log(&protocol(Api::Chat, Read::Letter), &shown, first),
        -0.3425,
    );
}

fn readout_log(protocol: &LanguageModel, shown: &Presentation<'_>, id: OptionId) -> f64 {
    let answer = protocol.read(shown, &reply(WORKED)).unwrap();
    readout(&answer).log_probabilities[id.index()].unwrap()
}

#[test]
fn the_forms_of_a_letter_are_added_up() {
    let listed = [
        ("A", -1.2),
        ("B", -1.5),
        (" A", -1.6),
        ("x", -2.0),
        ("a", -3.0),
    ];
    let answer = letters(&two(), &listing(&listed)).unwrap();
    // Python: log(exp(-1.2) + exp(-1.6) + exp(-3)) = -0.58852.., that plus exp(-1.5) covered.
    let a: f64 = [-1.2_f64, -1.6, -3.0].iter().map(|log| log.exp()).sum();
    close(readout(&answer).log_probabilities[0].unwrap(), A_FORMS);
    close(readout(&answer).covered.unwrap(), FORMS_COVERED);
    close(answer.probabilities.unwrap()[0], A_SHARE);
    close(a.ln(), A_FORMS);
}

const A_FORMS: f64 = -0.592_618_281_491_109_4;

const FORMS_COVERED: f64 = 0.776_007_958_423_151_3;

const A_SHARE: f64 = 0.712_464_082_711_431_9;

#[test]
fn bytes_come_before_the_token_and_only_ascii_is_folded() {
    let body = WORKED.replace(
        r#""token":"A","bytes":[65]"#,
        r#""token":"�","bytes":[226,150,129,65]"#,
    );
    assert_eq!(
        letters(&three(), &body).unwrap().choice,
        Some(OptionId(0)),
        "the space marker of three bytes"
    );
    let kelvin = listing(&[("\u{212a}", -0.2), ("A", -2.5), ("B", -3.5)]);
    let mut eleven = two();
    eleven.keys = KeyBinding::Place;
    for (option, key) in eleven.options.iter_mut().zip(["K", "B"]) {
        option.key.0 = key.to_owned();
    }
    let answer = letters(&eleven, &kelvin);
    refused(
        answer,
        "the letters have a probability of 0.0302 together, expected at least 0.05: the model does not answer with a letter; change the template, or ask with `read=plain` (coverage)",
    );
}

#[test]
fn a_letter_that_is_not_listed_is_not_observed_and_never_zero() {
    let answer = letters(&three(), &listing(&[("B", -0.2), ("A", -2.0), ("x", -4.0)])).unwrap();
    assert_eq!(answer.choice, Some(OptionId(1)));
    assert_eq!(
        answer.probabilities, None,
        "no distribution without the third"
    );
    let found = readout(&answer);
    assert_eq!(found.log_probabilities, [Some(-2.0), Some(-0.2), None]);
    // 1 - exp(-.2) - exp(-2) - exp(-4) is 0.0276, of which the smallest listed token leaves at most exp(-4) to one.
    assert_eq!(found.bound, Some(-4.0));
    // What is left of 1 bounds it where that is less: 1 - exp(-.0005) - exp(-7.7) = 0.000047.
    let answer = letters(&two(), &listing(&[("A", -0.0005), ("x", -7.7)])).unwrap();
    close(readout(&answer).bound.unwrap(), BOUND);
    assert_eq!(answer.choice, Some(OptionId(0)));
}

const BOUND: f64 = -9.964_345_645_296_651;

#[test]
fn the_top_letter_decides_only_above_what_others_may_have() {
    refused(
        letters(&two(), &listing(&[("x", -0.9), ("y", -1.9), ("A", -2.5)])),
        "1 of 2 letters are listed and the top one has no more than one that is not may have; ask with a larger `top` or `deeper` (bound)",
    );
}

/// The choice, and whether it is tied and nobody stated it.
fn settled(answer: &Answer) -> (Option<OptionId>, bool, bool) {
    assert_eq!(
        answer.tie_broken,
        answer.remarks.iter().any(|remark| remark == TIED)
    );
    (answer.choice, answer.tied, answer.tie_broken)
}

#[test]
fn the_generated_letter_decides_a_tie_else_the_first_position() {
    // All letters listed, and with C not listed.
    for third in ["C", "x"] {
        let tie = |generated: &str, then: &str| {
            let body = listing(&[(generated, -1.0), (then, -1.0), (third, -3.0)]);
            settled(&letters(&three(), &body).unwrap())
        };
        assert_eq!(tie("B", "A"), (Some(OptionId(1)), true, false), "{third}");
        assert_eq!(tie("A", "B"), (Some(OptionId(0)), true, false), "{third}");
    }
    // What was generated is none of the most likely: the first position of B and C, in every order.
    let body = listing(&[("A", -3.0), ("B", -1.0), ("C", -1.0), ("x", -4.0)]);
    for by in 0..3 {
        let three = three();
        let order = Order::rotate(3, by);
        let shown = Presentation::new(&three, &order);
        let answer = protocol(Api::Chat, Read::Letter).read(&shown, &reply(&body));
        assert_eq!(
            settled(&answer.unwrap()),
            (Some(order.identities()[1]), true, true),
            "{by}"
        );
    }
    // The generated letter is a statement within a tie alone.
    let body = listing(&[("B", -1.5), ("A", -0.5), ("C", -3.0)]);
    assert_eq!(
        settled(&letters(&three(), &body).unwrap()),
        (Some(OptionId(0)), false, false)
    );
    // Yes and no: the second letter is `false`.
    let body = listing(&[("B", -0.7), ("A", -0.7)]);
    assert_eq!(
        settled(&letters(&noul([None, None]), &body).unwrap()),
        (Some(OptionId(1)), true, false)
    );
}

#[test]
fn too_unlikely_to_say_is_not_observed() {
    let answer = letters(
        &two(),
        &listing(&[("A", -0.15), ("x", -3.0), ("B", -9999.0)]),
    )
    .unwrap();
    let found = readout(&answer);
    assert_eq!(found.log_probabilities, [Some(-0.15), None]);
    assert_eq!(found.bound, Some(-3.0));
    assert_eq!(
        (answer.choice, answer.probabilities),
        (Some(OptionId(0)), None)
    );
}

#[test]
fn little_coverage_is_a_remark_and_less_a_failed_ask() {
    // exp(-1) + exp(-3) = 0.418
    let answer = letters(&two(), &listing(&[("x", -0.6), ("A", -1.0), ("B", -3.0)])).unwrap();
    assert_eq!(answer.remarks, [LOW_COVERAGE]);
    assert!((readout(&answer).covered.unwrap() - 0.417_666_509_5).abs() < 1e-9);
    // exp(-4) + exp(-5) = 0.0251
    refused(
        letters(&two(), &listing(&[("x", -0.1), ("A", -4.0), ("B", -5.0)])),
        "the letters have a probability of 0.0251 together, expected at least 0.05: the model does not answer with a letter; change the template, or ask with `read=plain` (coverage)",
    );
    refused(
        letters(&two(), &listing(&[("The", -0.1), ("I", -3.0)])),
        "none of the letters is among the listed tokens, so that the model does not answer with one; change the template, or ask with `read=plain` (no-letter)",
    );
}

#[test]
fn numbers_that_are_no_log_probabilities_are_refused_with_the_value() {
    for (tokens, text) in [
        (
            vec![("A", 0.7), ("B", 0.3)],
            "token `A` has the log-probability 0.7, which is above 0 (logprob-positive)",
        ),
        (
            vec![("A", -2.0), ("x", -3.0), ("B", -1.0)],
            "the listed tokens are not in order: -1 after -3 (logprob-order)",
        ),
        (
            vec![("A", 0.0), ("B", 0.0)],
            "every listed log-probability is 0, so that the server does not give them (logprob-zero)",
        ),
        (
            vec![("A", 0.0)],
            "every listed log-probability is 0, so that the server does not give them (logprob-zero)",
        ),
        (
            vec![("A", -0.1), ("B", -0.2)],
            "the listed tokens have a probability of 1.7236 together, so that they are no log-probabilities (logprob-sum)",
        ),
    ] {
        refused(letters(&two(), &listing(&tokens)), text);
    }
    let text = WORKED.replace("-1.4697", "\"-1.4697\"");
    refused(
        letters(&three(), &text),
        "a log-probability is the string `-1.4697`, expected a finite number (logprobs)",
    );
    let large = WORKED.replace("-1.4697", "-1e999");
    refused(
        letters(&three(), &large),
        "a log-probability is -1e999, expected a finite number (logprobs)",
    );
}

#[test]
fn the_generated_token_may_stand_anywhere_in_the_list() {
    // A grammar generated B, which the raw numbers rank second; the server puts it first.
    let body = listing(&[("B", -1.5), ("A", -0.3), ("x", -4.0)]);
    assert_eq!(letters(&two(), &body).unwrap().choice, Some(OptionId(0)));
}

#[test]
fn the_first_position_with_an_answer_is_read_and_an_object_by_its_offset() {
    let blank = position(&[("\n", -0.1), ("x", -3.0)]);
    let mark = position(&[("**", -0.1), ("x", -3.0)]);
    let answer = position(&[("B", -0.1), ("A", -3.0)]);
    let body = chat("\n**B", &[blank.clone(), mark, answer.clone()]);
    assert_eq!(letters(&two(), &body).unwrap().choice, Some(OptionId(1)));
    let mut parts: Vec<String> = ["{", "\"", "answer", "\":", " \""]
        .map(|token| position(&[(token, -0.1), ("A", -2.6)]))
        .into();
    parts.push(answer);
    parts.push(position(&[("\"}", -0.1)]));
    let object = chat("{\"answer\": \"B\"}", &parts);
    assert_eq!(letters(&two(), &object).unwrap().choice, Some(OptionId(1)));
    refused(
        letters(&two(), &chat("{\"an", &parts[..3])),
        "the reply begins a JSON object without an `answer` in it; set `tokens` to more, or ask for the letter alone (json-answer)",
    );
    refused(
        letters(&two(), &chat("\n", &[blank])),
        "the reply has blanks where its answer was to be; set `tokens` to more than it has, such as `tokens=4` (blank-token)",
    );
}
