//! `flipside models NAME`: what a server says of itself, what it answers, and whether option order reaches it.

use flipside_standin::{Dialect, Fault, Policy, Standin, When};

use crate::support::{flat, folder, model, run, run_as_given};

fn asked(dialect: Dialect, policy: &str, more: &[&str]) -> (String, usize) {
    let (_guard, path) = folder("");
    let policy: Policy = policy.parse().unwrap();
    let server = Standin::builder()
        .dialect(dialect)
        .policy(policy)
        .start()
        .unwrap();
    let model = model(&server);
    let mut words = vec!["models", model.as_str()];
    words.extend(more);
    let ran = run(&path, &words);
    assert_eq!(ran.code, 0, "{}", ran.err);
    (ran.out, server.count())
}

#[test]
fn a_server_is_asked_what_it_is_and_whether_order_reaches_its_model() {
    let (text, asks) = asked(Dialect::Typesafe, "first", &[]);
    for line in [
        "says /v1/models: jev-1.14.0 (release date 2026-10-01)",
        "says nothing at /health, /api/version, /props (answered 404)",
        "served by jev-1.14.0",
        "answers `delivery` to a small question",
        "order option order reaches the model: another order brought another answer (",
    ] {
        assert!(flat(&text).contains(line), "{line} in {text}");
    }
    assert!(asks > 1 && asks <= 15, "{asks}");
    let (text, _) = asked(Dialect::Typesafe, "truncating:30", &[]);
    let cut = "texts option texts are cut, or only how they begin counts: of 400 characters nothing after the first 395 changes an answer";
    assert!(flat(&text).contains(cut), "{text}");
}

#[test]
fn each_layer_is_named_with_the_way_to_find_out() {
    for (policy, said) in [
        (
            "content",
            "order equivariant, or an order-dropping layer, such as a cache: a question that says nothing was answered alike in every order",
        ),
        (
            "content",
            "send one order by two ways and compare: to the server itself as `systemone:URL` past every proxy",
        ),
        (
            "sorted-order:first",
            "order a layer sorts the options (or the model goes by its keys)",
        ),
        (
            "sorted-order:first",
            "ask the server itself as `systemone:URL` past every proxy and client library",
        ),
        (
            "cached:first",
            "order a cache that leaves out order repeats its first answer",
        ),
        (
            "cached:first",
            "put a digest of the exact body into its key",
        ),
        (
            "js-order:first",
            "order a layer rewrites integer-like keys (as JavaScript does)",
        ),
        (
            "js-order:first",
            "start such keys with a letter, such as `k1`",
        ),
    ] {
        let (text, _) = asked(Dialect::Typesafe, policy, &[]);
        assert!(flat(&text).contains(said), "{policy}: {said} in {text}");
    }
}

#[test]
fn no_canary_leaves_the_small_question_alone() {
    let (text, asks) = asked(Dialect::Typesafe, "first", &["--no-canary"]);
    assert_eq!(asks, 1);
    assert!(!text.contains("order "), "{text}");
    let (_guard, path) = folder("");
    let own = run(&path, &["models", "first"]);
    assert!(!own.out.contains("order"), "{}", own.out);
}

#[test]
fn model_name_is_what_requests_carry() {
    let (_guard, path) = folder("");
    let server = Standin::builder().start().unwrap();
    let model = model(&server);
    let words = [
        "models",
        &model,
        "--model-name",
        "typesafe:jev@1",
        "--no-canary",
    ];
    let ran = run_as_given(&path, &words);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        flat(&ran.out).contains("asks for typesafe:jev@1"),
        "{}",
        ran.out
    );
    let bodies = server.seen().into_iter().map(|seen| seen.body);
    let bodies: Vec<String> = bodies
        .map(|body| String::from_utf8(body).unwrap())
        .collect();
    let named = |body: &&String| body.contains("\"model\":\"typesafe:jev@1\"");
    assert_eq!(bodies.iter().filter(named).count(), 1);
    let alone = run_as_given(&path, &["models", "--model-name", "x"]);
    assert_eq!(
        (alone.code, alone.err.as_str()),
        (
            2,
            "error: `--model-name x`: no MODEL is named that would be asked so\n\
             help: name the model, as in `flipside models systemone:URL --model-name NAME`\n"
        )
    );
    let empty = run_as_given(&path, &["models", &model, "--model-name", ""]);
    assert_eq!(empty.code, 2);
    assert!(empty.err.contains("expected a name"), "{}", empty.err);
}

#[test]
fn a_model_that_does_not_answer_says_what_to_do() {
    let (_guard, path) = folder("");
    for (fault, help) in [
        (
            "status:401",
            "help: no key was sent (`--key-from VARIABLE` names one); mend it and repeat the command",
        ),
        (
            "status:404",
            "help: mend its address or the model's name and repeat the command",
        ),
        (
            "html",
            "help: see that it answers and that its address is the right one, and repeat the command",
        ),
        (
            "status:503",
            "help: see that it answers and repeat the command",
        ),
    ] {
        let builder = Standin::builder().fault(fault.parse().unwrap(), When::Always);
        let server = builder.start().unwrap();
        let ran = run_as_given(&path, &["models", &model(&server)]);
        assert_eq!(ran.code, 3, "{fault}");
        assert!(ran.err.contains(help), "{fault}: {}", ran.err);
    }
}

#[test]
fn where_no_order_moves_an_answer_another_way_is_asked_and_tells_why() {
    const BLIND: &str = "answers are alike in every order too: the model itself is blind to order, unless both ways lose it";
    for (dialect, way) in [(Dialect::Laya, "option_order"), (Dialect::Kev, "/permute")] {
        let (_guard, path) = folder("");
        let server = Standin::builder()
            .dialect(dialect)
            .policy(Policy::Content)
            .start()
            .unwrap();
        let model = match dialect {
            Dialect::Laya => format!("laya-served:{}", server.url()),
            _ => model(&server),
        };
        let ran = run(&path, &["models", &model]);
        let said = format!("contrast by `{way}` {BLIND}");
        assert!(flat(&ran.out).contains(&said), "{}", ran.out);
        assert!(!ran.out.contains("to tell, "), "{}", ran.out);
    }
    let (_guard, path) = folder("");
    let server = Standin::builder()
        .dialect(Dialect::Laya)
        .policy(Policy::First)
        .fault(Fault::KnownFields, When::Always)
        .start()
        .unwrap();
    let model = format!("laya-served:{}?order=option_order", server.url());
    let ran = run(&path, &["models", &model]);
    let said = "contrast `option_order` is lost on the way to the model: by the order of keys another order brings another answer";
    assert!(flat(&ran.out).contains(said), "{}", ran.out);
}
