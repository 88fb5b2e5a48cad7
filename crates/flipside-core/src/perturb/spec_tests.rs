//! Entries of `--axis`: read, written and told apart.

use proptest::prelude::*;

use super::*;
use crate::gate::{GateSpec, Gates, Subject};
use crate::perturb::example::desks;

fn parse(text: &str) -> Vec<String> {
    let specs = AxisSpec::parse_list(text).unwrap();
    specs.iter().map(ToString::to_string).collect()
}

fn errors(text: &str) -> Vec<String> {
    let errors = AxisSpec::parse_list(text).unwrap_err();
    errors.iter().map(ToString::to_string).collect()
}

#[test]
fn an_axis_alone_means_its_first_form_or_every_form() {
    assert_eq!(
        parse("keys,descriptions,phrasing,state-keys,whitespace,letter-case,drop,decoy,batch"),
        [
            "keys:abstract",
            "descriptions:drop",
            "phrasing",
            "state-keys:reverse",
            "whitespace",
            "letter-case",
            "drop",
            "decoy:none",
            "batch"
        ]
    );
}

#[test]
fn a_decoy_takes_the_rest_of_the_list_with_its_commas() {
    assert_eq!(
        parse("keys,decoy:weather=rain, wind, drop"),
        ["keys:abstract", "decoy:weather=rain, wind, drop"]
    );
    assert_eq!(parse("decoy:a:b=c=d"), ["decoy:a:b=c=d"]);
    assert_eq!(
        parse("decoy:none,decoy:own,decoy"),
        ["decoy:none", "decoy:own", "decoy:none"]
    );
    let given = |key: &str, text: &str| {
        let (key, text) = (key.to_owned(), text.to_owned());
        AxisSpec::Decoy(DecoySpec::Given { key, text })
    };
    assert_eq!(
        AxisSpec::parse_list("decoy:none=own").unwrap(),
        [given("none", "own")]
    );
}

#[test]
fn bad_entries_are_refused_together_in_these_words() {
    let keys = "expected `keys`, or one of `abstract`, `letters`, `numbers`, `shuffled` or `list:FILE` after `keys:`";
    let descriptions =
        "expected `descriptions`, or one of `drop`, `key` or `swapped` after `descriptions:`";
    let decoy = "expected `decoy`, or one of `none`, `own` or `KEY=TEXT` after `decoy:`, a key without `<`, `>` or a blank at its ends";
    let drop = "expected `drop` alone; each option is left out in turn";
    let phrasing = "expected `phrasing` alone; the cases bring their rewordings";
    for (entry, expected) in [
        ("keys:", keys),
        ("keys:list", keys),
        ("keys:list:", keys),
        ("keys:Letters", keys),
        ("descriptions:", descriptions),
        ("descriptions:all", descriptions),
        ("drop:2", drop),
        ("drop:", drop),
        ("decoy:", decoy),
        ("decoy:some", decoy),
        ("decoy:=text", decoy),
        ("decoy:key=", decoy),
        ("decoy: key=text", decoy),
        ("decoy:a<b=text", decoy),
        ("phrasing:1", phrasing),
    ] {
        assert_eq!(errors(entry), [format!("`{entry}`: {expected}")]);
    }
    assert_eq!(
        errors("decoy:a,b=text"),
        [
            format!("`decoy:a`: {decoy}"),
            "`b=text` is no axis".to_owned()
        ],
        "a key has no comma"
    );
    assert_eq!(
        errors("order,keys:x,cross:2,same,baseline,, shift,order:reverse"),
        [
            "`order`: expected `--order` for this axis".to_owned(),
            format!("`keys:x`: {keys}"),
            "`cross:2`: expected `--cross` for this axis".to_owned(),
            "`same`: expected `--order same:N` for this axis".to_owned(),
            "`baseline` is no axis".to_owned(),
            "an axis is empty in `order,keys:x,cross:2,same,baseline,, shift,order:reverse`"
                .to_owned(),
            "` shift` is no axis".to_owned(),
            "`order:reverse`: expected `--order` for this axis".to_owned(),
        ]
    );
    assert_eq!(errors(""), ["an axis is empty in ``"]);
    assert_eq!(errors("k\u{202e}eys"), ["`k\\u{202e}eys` is no axis"]);
    for (entry, forms) in [
        ("state-keys:", StateKeysSpec::FORMS),
        ("state-keys:shuffle:01", StateKeysSpec::FORMS),
        ("whitespace:none", Whitespace::FORMS),
        ("letter-case:title", LetterCase::FORMS),
        ("batch:2", Batch::FORMS),
    ] {
        assert_eq!(errors(entry), [format!("`{entry}`: expected {forms}")]);
    }
}

#[test]
fn two_entries_clash_where_one_name_would_mean_two_things() {
    let spec = |text: &str| AxisSpec::parse_list(text).unwrap().remove(0);
    for (one, other, clashes) in [
        ("keys:list:a", "keys:list:b", true),
        ("decoy:x=one", "decoy:x=two", true),
        ("decoy:x=one", "decoy:y=one", false),
        ("keys:letters", "keys:numbers", false),
        ("keys:list:a", "keys:letters", false),
        ("decoy:none=x", "decoy:none", false),
        ("state-keys:shuffle:2", "state-keys:shuffle:3", false),
    ] {
        assert_eq!(spec(one).clashes(&spec(other)), clashes, "{one} {other}");
        assert_eq!(spec(other).clashes(&spec(one)), clashes, "{one} {other}");
        assert!(!spec(one).clashes(&spec(one)), "{one} is itself");
    }
}

#[test]
fn only_what_draws_needs_a_seed() {
    let draws = |text: &str| AxisSpec::parse_list(text).unwrap()[0].draws();
    for text in ["keys:shuffled", "state-keys:shuffle:2"] {
        assert!(draws(text), "{text}");
    }
    for text in [
        "keys",
        "keys:list:f",
        "state-keys",
        "descriptions:swapped",
        "drop",
        "decoy",
        "batch",
    ] {
        assert!(!draws(text), "{text}");
    }
}

/// What can be written after `--axis`, but for lists with files, which are apart.
fn spec() -> impl Strategy<Value = AxisSpec> {
    let keys = prop_oneof![
        Just(KeysSpec::Abstract),
        Just(KeysSpec::Letters),
        Just(KeysSpec::Numbers),
        Just(KeysSpec::Shuffled),
        "[a-z:/.]{1,9}".prop_map(KeysSpec::List),
    ];
    let descriptions = prop_oneof![
        Just(Descriptions::Drop),
        Just(Descriptions::Key),
        Just(Descriptions::Swapped)
    ];
    let given = ("[^=,<>\\s]([^=,<>]{0,5}[^=,<>\\s])?", "(?s).{1,9}");
    let decoy = prop_oneof![
        Just(DecoySpec::NoneOfThese),
        Just(DecoySpec::Own),
        given.prop_map(|(key, text)| DecoySpec::Given { key, text }),
    ];
    let state_keys = prop_oneof![
        Just(StateKeysSpec::Reverse),
        (1..=50_u32).prop_map(StateKeysSpec::Shuffle)
    ];
    let listed = |text: &'static str| {
        let specs: Vec<AxisSpec> = text
            .split(' ')
            .map(|entry| AxisSpec::parse_list(entry).unwrap().remove(0))
            .collect();
        proptest::sample::select(specs)
    };
    prop_oneof![
        keys.prop_map(AxisSpec::Keys),
        descriptions.prop_map(AxisSpec::Descriptions),
        decoy.prop_map(AxisSpec::Decoy),
        state_keys.prop_map(AxisSpec::StateKeys),
        listed(
            "phrasing drop whitespace whitespace:doubled whitespace:pretty letter-case letter-case:upper batch batch:alone"
        ),
    ]
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(specs in proptest::collection::vec(spec(), 1..4)) {
        for spec in &specs {
            let written = spec.to_string();
            let read = AxisSpec::parse_list(&written);
            prop_assert_eq!(read, Ok(vec![spec.clone()]), "{}", written);
        }
        // In a list too, where the text of a decoy stands at its end.
        let given = |spec: &AxisSpec| matches!(spec, AxisSpec::Decoy(DecoySpec::Given { .. }));
        let (last, mut list): (Vec<AxisSpec>, Vec<AxisSpec>) = specs.into_iter().partition(given);
        list.extend(last.into_iter().next());
        let written: Vec<String> = list.iter().map(ToString::to_string).collect();
        let written = written.join(",");
        prop_assert_eq!(AxisSpec::parse_list(&written), Ok(list), "{}", written);
    }

    #[test]
    fn every_variant_can_have_a_gate_of_its_own(spec in spec()) {
        let mut case = desks();
        case.brought.decoys = vec![crate::perturb::example::option("x", Some("y"))].into();
        let lists = [("f".to_owned(), vec![vec!["x".to_owned(), "y".to_owned(), "z".to_owned()]])];
        for each in spec.alternatives(&case, &lists) {
            prop_assert!(spec.means(&each.variant), "{} {}", spec, each.variant);
            let subject = Subject::Axis(each.variant.axis, Some(each.variant.name.clone()));
            let written = format!("fit>=90%,{}<=3%", subject.name());
            let gates = GateSpec::parse_list(&written);
            let expected = vec![GateSpec::Limit(Subject::Fit, 0.9), GateSpec::Limit(subject, 0.03)];
            prop_assert_eq!(gates.as_ref(), Ok(&expected), "{}", written);
            let gates = Gates::resolve(&expected, false, &[spec.axis()], false);
            prop_assert_eq!(gates.limit_of(&each.variant), Some(0.03));
        }
    }
}

#[test]
fn an_entry_means_its_own_variants_and_no_others() {
    let means = |text: &str, axis: Axis, name: &str| {
        let spec = AxisSpec::parse_list(text).unwrap().remove(0);
        spec.means(&Variant::on(axis, name))
    };
    for (text, axis, name, expected) in [
        ("keys", Axis::Keys, "abstract", true),
        ("keys", Axis::Keys, "letters", false),
        ("keys:list:f", Axis::Keys, "list:2", true),
        ("keys:list:f", Axis::Order, "list:2", false),
        ("descriptions:key", Axis::Descriptions, "key", true),
        ("descriptions:key", Axis::Descriptions, "drop", false),
        ("drop", Axis::Drop, "last:3", true),
        ("decoy", Axis::Decoy, "none", true),
        ("decoy", Axis::Decoy, "own:1", false),
        ("decoy:own", Axis::Decoy, "own:2", true),
        ("decoy:a=b", Axis::Decoy, "given:a", true),
        ("decoy:a=b", Axis::Decoy, "given:ab", false),
        ("whitespace", Axis::Whitespace, "pretty", true),
        ("whitespace:doubled", Axis::Whitespace, "pretty", false),
        ("state-keys", Axis::StateKeys, "shuffle:1", false),
        ("state-keys:shuffle:2", Axis::StateKeys, "shuffle:1", true),
    ] {
        assert_eq!(means(text, axis, name), expected, "{text} {axis:?} {name}");
    }
}
