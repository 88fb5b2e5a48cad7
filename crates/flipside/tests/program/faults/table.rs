//! What every fault comes to.

use Expected::{Declines, Fails, FailsOnce, Lost, LostForGood, OtherVersion, Stops, Survives};

/// What becomes of the asks of one dialect.
#[derive(Clone, Copy, Debug)]
pub(super) enum Expected {
    /// Every ask has its answer, although every reply has the fault.
    Survives,
    /// The ask that meets it fails, by this kind and for this reason; the others are answered.
    Fails(&'static str, &'static str),
    /// As [`Expected::Fails`], and another attempt is answered.
    FailsOnce(&'static str, &'static str),
    /// As [`Expected::FailsOnce`], and a server that does nothing else is given up with this remedy.
    Lost(&'static str, &'static str, &'static str),
    /// As [`Expected::Lost`], but another attempt is not made in time.
    LostForGood(&'static str, &'static str, &'static str),
    /// Nothing further is asked, for this reason and with this remedy.
    Stops(&'static str, &'static str),
    /// The ask is answered, and the answer decides nothing.
    Declines,
    /// The ask is answered by another model, so that its pair is missing.
    OtherVersion,
}

pub(super) const UP: &str = "help: see that it answers and repeat";

pub(super) const ADDRESS: &str =
    "help: see that it answers and that its address is the right one, and repeat";

pub(super) const SLOWER: &str = "help: wait, or lower `--rate` and `--concurrency`, and repeat";

pub(super) const LONGER: &str =
    "help: see that it answers, raise `--timeout` or lower `--concurrency`, and repeat";

pub(super) const START: &str = "help: start it and repeat";

pub(super) const BROKE: &str = "broke off before a complete reply: ";

pub(super) const JSON: &str = "is no JSON that can be read: ";

pub(super) const LATE: &str = "gave no complete answer within 900 ms";

/// Every fault with what becomes of it.
pub(super) const TABLE: &[(&str, Expected)] = &[
    // Slow ones first, since they take longest.
    ("never-answer", Lost("timeout", LATE, LONGER)),
    ("trickle", Lost("timeout", LATE, LONGER)),
    ("late:2000", Lost("timeout", LATE, LONGER)),
    ("late:50", Survives),
    // Statuses.
    (
        "status:400",
        Fails("status", "answered 400: planned fault: 400"),
    ),
    (
        "status:401",
        Stops(
            "answered 401: planned fault: 401",
            "no key was sent (`--key-from VARIABLE` names one); mend it and repeat",
        ),
    ),
    (
        "status:402",
        Stops(
            "answered 402: planned fault: 402",
            "help: add credit to the account that it belongs to and repeat",
        ),
    ),
    (
        "status:403",
        Stops(
            "answered 403: planned fault: 403",
            "no key was sent (`--key-from VARIABLE` names one); mend it and repeat",
        ),
    ),
    (
        "status:404",
        Stops(
            "answered 404: planned fault: 404",
            "help: mend its address or the model's name and repeat",
        ),
    ),
    (
        "status:408",
        Lost("status", "answered 408: planned fault: 408", UP),
    ),
    (
        "status:409",
        LostForGood("status", "answered 409: planned fault: 409", UP),
    ),
    (
        "status:413",
        Fails("status", "answered 413: planned fault: 413"),
    ),
    (
        "status:415",
        Fails("status", "answered 415: planned fault: 415"),
    ),
    (
        "status:422",
        Fails("status", "answered 422: planned fault: 422"),
    ),
    (
        "status:429",
        Lost("status", "answered 429: planned fault: 429", SLOWER),
    ),
    (
        "retry-after:429:0",
        Lost("status", "answered 429: planned fault: 429", SLOWER),
    ),
    (
        "retry-after:429:1",
        Lost("status", "answered 429: planned fault: 429", SLOWER),
    ),
    (
        "retry-after:429:0.5",
        Lost("status", "answered 429: planned fault: 429", SLOWER),
    ),
    (
        "retry-after:503:date",
        Lost("status", "answered 503: planned fault: 503", UP),
    ),
    (
        "retry-after:429:absurd",
        LostForGood("status", "answered 429: planned fault: 429", SLOWER),
    ),
    (
        "retry-after:429:ms=50",
        Lost("status", "answered 429: planned fault: 429", SLOWER),
    ),
    (
        "should-retry:503:false",
        LostForGood("status", "answered 503: planned fault: 503", UP),
    ),
    (
        "should-retry:409:true",
        Lost("status", "answered 409: planned fault: 409", UP),
    ),
    (
        "status:500",
        Lost("status", "answered 500: planned fault: 500", UP),
    ),
    (
        "status:502",
        Lost("status", "answered 502: an HTML page", UP),
    ),
    (
        "status:503",
        Lost("status", "answered 503: planned fault: 503", UP),
    ),
    (
        "status:504",
        Lost("status", "answered 504: planned fault: 504", UP),
    ),
    (
        "status:529",
        Lost("status", "answered 529: planned fault: 529", UP),
    ),
    (
        "text-error:503",
        Lost(
            "status",
            "answered 503: upstream connect error or disconnect before headers",
            UP,
        ),
    ),
    (
        "error-200",
        FailsOnce(
            "status",
            "the reply is an error 429: too many requests upstream",
        ),
    ),
    (
        "redirect",
        Fails(
            "status",
            "answered 307: a redirect to the host `elsewhere.invalid`, which is not followed; name that address if it is the one to ask",
        ),
    ),
    // On the way.
    ("refuse", Stops("refused the connection", START)),
    ("accept-and-close", Lost("connection", BROKE, UP)),
    ("close-mid-header", Lost("connection", BROKE, UP)),
    ("close-mid-body", Lost("connection", BROKE, UP)),
    ("length-too-long", Lost("connection", BROKE, UP)),
    ("length-too-short", Fails("malformed", JSON)),
    ("chunked", Survives),
    ("gzip", Survives),
    ("bom", Survives),
    ("prefix", Fails("malformed", JSON)),
    (
        "trailing",
        Fails(
            "malformed",
            "expected the end of the text after the value, found `{`",
        ),
    ),
    (
        "huge",
        Fails("status", "answered 200: the reply is longer than 8 MiB"),
    ),
    (
        "empty",
        Fails("malformed", "the reply is empty, expected JSON"),
    ),
    (
        "html",
        Lost(
            "status",
            "answered 200: an HTML page in place of JSON",
            ADDRESS,
        ),
    ),
    // Probabilities.
    (
        "duplicate-key",
        Fails("malformed", "is given twice, at columns"),
    ),
    ("missing-option", Fails("malformed", "no probability for `")),
    (
        "extra-option",
        Fails(
            "malformed",
            "a probability for `x_extra`, which was not offered",
        ),
    ),
    ("reversed-keys", Survives),
    ("no-probabilities", Survives),
    ("pick-only", Survives),
    ("rounded:2", Survives),
    ("rounded:4", Survives),
    ("sum:0.97", Survives),
    ("sum:1.03", Survives),
    (
        "sum:0.8",
        Fails(
            "malformed",
            "the probabilities add up to 0.800000, expected 1",
        ),
    ),
    (
        "sum:0.9",
        Fails(
            "malformed",
            "the probabilities add up to 0.900000, expected 1",
        ),
    ),
    // 0.97 · 1.2
    (
        "sum:1.2",
        Fails("malformed", "a probability is 1.164, expected 0 to 1"),
    ),
    ("nan", Fails("malformed", "`NaN` is not a JSON number")),
    (
        "nan-extra",
        Fails("malformed", "`NaN` is not a JSON number"),
    ),
    (
        "infinite",
        Fails(
            "malformed",
            "the probability of `a` is 1e400, which is too large",
        ),
    ),
    ("minus-zero", Survives),
    (
        "text-numbers",
        Fails(
            "malformed",
            "the probability of `a` is the string `0.01`, expected a number",
        ),
    ),
    (
        "confidence:1.5",
        Fails("malformed", "confidence is 1.5, expected 0 to 1"),
    ),
    // Answers.
    (
        "unknown-type",
        Fails(
            "malformed",
            "the answer has type `oracle`, the question `choice`",
        ),
    ),
    (
        "unsupported",
        Fails("unsupported", "the model cannot answer this question: "),
    ),
    ("refusal", Declines),
    ("model-changes", OtherVersion),
    ("no-usage", Survives),
    ("float-tokens", Survives),
    ("negative-usage", Survives),
    (
        "nfd-keys",
        Fails("malformed", "perhaps the server normalises Unicode"),
    ),
    (
        "lower-keys",
        Fails("malformed", "; it differs from `É` in case only"),
    ),
    (
        "legend-from-one",
        Fails(
            "malformed",
            "`legend` has the level `3`, expected \"0\" to \"2\"",
        ),
    ),
    (
        "second-best",
        Fails(
            "malformed",
            "the reply chose `c` with probability 0.02, the largest is 0.97",
        ),
    ),
    (
        "not-offered",
        Fails(
            "malformed",
            "the reply chose `x_not_offered`, which was not offered (`",
        ),
    ),
    (
        "nobody-asked",
        Fails(
            "malformed",
            "an answer for question `x_nobody`, which was not asked",
        ),
    ),
    (
        "missing-answer",
        Fails("malformed", "no answer for question `pick`"),
    ),
];
