//! Which models served a run, and remarks on replies.

use flipside_standin::{Dialect, Fault, Policy, Standin, When};

use crate::support::{faulty, folder, json, model, probe_line, run, unlabelled};

#[test]
fn a_provider_that_changes_makes_pairs_across_it_missing_and_is_named_with_its_time() {
    let (_guard, path) = folder(&unlabelled(20));
    let server = Standin::builder()
        .dialect(Dialect::Openrouter)
        .policy(Policy::Content)
        .fault(Fault::ProviderChanges, When::From(25))
        .start()
        .unwrap();
    // One after another, so that requests end in the order in which they are sent.
    let words = format!(
        "cases.jsonl --model {} --order reverse --gate none:fit --no-confirm --concurrency 1 --out out",
        model(&server)
    );
    let (ran, summary) = probe_line(&path, &words);
    let versions = &summary["model"]["versions"];
    let said = |place: usize| {
        let one = &versions[place];
        (
            one["provider"].as_str(),
            one["answers"].as_u64(),
            one["first"].as_u64(),
            one["last"].as_u64(),
        )
    };
    assert_eq!(said(0), (Some("TypeSafe"), Some(24), Some(1), Some(24)));
    assert_eq!(said(1), (Some("Elsewhere"), Some(16), Some(25), Some(40)));
    assert_eq!(
        summary["model"]["served"].as_array().unwrap().len(),
        1,
        "one name"
    );
    let line = &summary["axes"]["order"]["reverse"];
    let missing = line["other_version"].as_u64().unwrap();
    assert!(missing > 0 && missing <= 16, "{missing}");
    assert_eq!(line["missing"], line["other_version"]);
    assert_eq!(line["pairs"].as_u64().unwrap() + missing, 20);
    assert_eq!(json(&path, "out/run.json")["served"], *versions);
    let warned = "warning: 2 models answered in one run: `typesafe/jev-1.14` by `TypeSafe` (requests 1 to 24) and \
                  `typesafe/jev-1.14` by `Elsewhere` (requests 25 to 40): ";
    assert!(ran.err.contains(warned), "{}", ran.err);
    assert!(
        ran.out.contains("across a change of the served model"),
        "{}",
        ran.out
    );
}

#[test]
fn remarks_on_replies_are_counted_and_warned_about() {
    let (_guard, path) = folder(&unlabelled(4));
    let server = faulty(Policy::Content, Fault::FloatTokens, When::From(3));
    let words = format!(
        "cases.jsonl --model {} --order reverse --gate none:fit --no-confirm",
        model(&server)
    );
    let (ran, summary) = probe_line(&path, &words);
    let texts = summary["remarks"]["texts"].as_array().unwrap();
    assert_eq!(texts.len(), 2);
    assert_eq!(
        texts[0]["text"],
        "`usage.input_tokens` is 118.5, expected a whole number"
    );
    assert_eq!(
        (&texts[0]["answers"], &summary["remarks"]["more"]),
        (&6.into(), &0.into())
    );
    assert!(
        ran.err.contains(
            "warning: 6 of 8 answers: `usage.input_tokens` is 118.5, expected a whole number"
        ),
        "{}",
        ran.err
    );
    // What is as it should be is not remarked.
    let server = Standin::builder().policy(Policy::Content).start().unwrap();
    let words = [
        "probe",
        "cases.jsonl",
        "--model",
        &model(&server),
        "--order",
        "reverse",
    ];
    assert!(!run(&path, &words).err.contains("answers: "));
}
