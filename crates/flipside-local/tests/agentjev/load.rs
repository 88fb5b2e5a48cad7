//! Checkpoints that load, and those that do not.

use candle_core::{DType, Device, Tensor};
use flipside_core::case::QuestionKind;
use flipside_local::agentjev::{AgentJev, Settings};

use super::golden::{Golden, damage, rewrite};
use super::support::settings;

/// What is said of temperatures that are none, by the name of the golden.
const TEMPERATURES: [(&str, &str); 5] = [
    (
        "below",
        "`temperature` is the number 0.049, expected a number from 0.05 to 20 for `choice`",
    ),
    (
        "above",
        "`temperature` is the number 20.01, expected a number from 0.05 to 20 for `choice`",
    ),
    (
        "zero",
        "`temperature` is the number 0, expected a number from 0.05 to 20 for `choice`",
    ),
    (
        "negative",
        "`temperature` is the number -1.0, expected a number from 0.05 to 20 for `choice`",
    ),
    (
        "infinite-number",
        "`temperature` is null, expected a number from 0.05 to 20 for `choice`",
    ),
];

#[test]
fn temperatures_are_read_or_refused() {
    let golden = Golden::open("agentjev-a");
    for entry in golden.list("temperatures") {
        let name = entry["name"].as_str().unwrap();
        let (_kept, folder) = golden.checkpoint();
        std::fs::write(
            folder.join("temperatures.json"),
            entry["config_json"].as_str().unwrap(),
        )
        .unwrap();
        let model = AgentJev::open(&folder, settings(&golden));
        if !entry["error"].is_null() {
            let Err(error) = model else {
                panic!("{name} loads");
            };
            let (_, problem) = TEMPERATURES
                .iter()
                .find(|(known, _)| *known == name)
                .unwrap();
            assert_eq!(
                error.to_string(),
                format!("{folder}/temperatures.json: {problem}")
            );
            continue;
        }
        let model = model.unwrap_or_else(|error| panic!("{name}: {error}"));
        for (kind, of) in [
            ("boolean", QuestionKind::Noul),
            ("choice", QuestionKind::Choice),
            ("score", QuestionKind::Score),
        ] {
            let expected = entry["applied"][kind].as_f64().unwrap();
            assert!(
                (model.temperatures().of(of) - expected).abs() < 1e-12,
                "{name}/{kind}"
            );
        }
    }
}

/// What loading says after it replaced `found` by `put` in `file`.
fn edited(file: &str, found: &str, put: &str) -> String {
    let golden = Golden::open("agentjev-a");
    let (_kept, folder) = golden.checkpoint();
    let path = folder.join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(found), "{found} in {text}");
    std::fs::write(&path, text.replace(found, put)).unwrap();
    let Err(error) = AgentJev::open(&folder, settings(&golden)) else {
        panic!("{put} loads");
    };
    let error = error.to_string();
    let own = format!("{folder}/{file}: ");
    error
        .strip_prefix(&own)
        .unwrap_or_else(|| panic!("{error} names another file"))
        .to_owned()
}

#[test]
fn a_type_that_has_no_temperature_or_is_none_is_refused() {
    let problem = |text: &str| {
        let golden = Golden::open("agentjev-a");
        let (_kept, folder) = golden.checkpoint();
        std::fs::write(folder.join("temperatures.json"), text).unwrap();
        let error = AgentJev::open(&folder, settings(&golden)).err().unwrap();
        let error = error.to_string();
        error.split_once(".json: ").unwrap().1.to_owned()
    };
    assert_eq!(
        problem(r#"{"noul":{"temperature":1}}"#),
        "`noul` is no type of question, expected `boolean`, `choice` or `score`"
    );
    assert_eq!(
        problem(r#"{"score":{"n":3}}"#),
        "no `temperature` for `score`"
    );
    assert_eq!(
        problem(r#"{"score":{"temperature":"1"}}"#),
        "`temperature` is the string \"1\", expected a number from 0.05 to 20 for `score`"
    );
    assert_eq!(
        problem(r#"{"boolean":{"temperature":NaN}}"#),
        "`temperature` is the string \"\", expected a number from 0.05 to 20 for `boolean`"
    );
    assert_eq!(
        problem(r#"{"score":1.5}"#),
        "`score` is the number 1.5, expected an object"
    );
    assert_eq!(problem("[1]"), "found an array, expected an object");
}

#[test]
fn a_configuration_of_another_architecture_is_refused_with_key_and_both_values() {
    for (found, put, expected) in [
        (
            "\"attention_bias\": false",
            "\"attention_bias\": true",
            "`attention_bias` is the boolean true, expected false: this backbone has no biases",
        ),
        (
            "\"use_sliding_window\": false",
            "\"use_sliding_window\": true",
            "`use_sliding_window` is the boolean true, expected false: every layer sees the whole path",
        ),
        (
            "\"silu\"",
            "\"gelu\"",
            "`hidden_act` is the string \"gelu\", expected \"silu\"",
        ),
        (
            "\"vocab_size\"",
            "\"layer_types\": [\"full_attention\", \"sliding_attention\"], \"vocab_size\"",
            "`layer_types` is an array, expected \"full_attention\" in every layer",
        ),
        (
            "\"rope_theta\": 1000000.0",
            "\"rope_parameters\": {\"rope_type\": \"yarn\", \"rope_theta\": 1e6}",
            "`rope_type` is the string \"yarn\", expected \"default\"",
        ),
        (
            "\"rope_theta\": 1000000.0",
            "\"rope_parameters\": {\"rope_type\": \"default\"}",
            "no `rope_theta`",
        ),
        (
            "\"rope_theta\": 1000000.0",
            "\"rope_theta\": -1",
            "`rope_theta` is the number -1, expected a positive number",
        ),
        (
            "\"rope_theta\": 1000000.0",
            "\"rope_theta\": 1e6, \"rope_scaling\": {\"type\": \"linear\", \"factor\": 2}",
            "`type` is the string \"linear\", expected \"default\"",
        ),
        (
            "\"rope_theta\": 1000000.0",
            "\"rope_theta\": 1e6, \"rope_scaling\": {\"rope_type\": \"yarn\"}",
            "`rope_type` is the string \"yarn\", expected \"default\"",
        ),
        (
            "\"rope_theta\": 1000000.0",
            "\"rope_parameters\": 4",
            "`rope_parameters` is the number 4, expected an object",
        ),
        (
            "\"num_key_value_heads\": 2",
            "\"num_key_value_heads\": 3",
            "`num_key_value_heads` is the number 3, expected a divisor of `num_attention_heads`, which is 4",
        ),
        (
            "\"head_dim\": 16",
            "\"head_dim\": 15",
            "`head_dim` is the number 15, expected an even number",
        ),
        (
            "\"hidden_size\": 32",
            "\"hidden_size\": 0",
            "`hidden_size` is the number 0, expected a whole number from 1",
        ),
        (
            "\"intermediate_size\": 48",
            "\"intermediate_size\": 4.5",
            "`intermediate_size` is the number 4.5, expected a whole number from 1",
        ),
        (
            "\"rms_norm_eps\": 1e-06",
            "\"rms_norm_eps\": 0",
            "`rms_norm_eps` is the number 0, expected a positive number",
        ),
        (
            "\"num_hidden_layers\"",
            "\"layers\"",
            "no `num_hidden_layers`",
        ),
        (
            "\"max_position_embeddings\": 4096",
            "\"max_position_embeddings\": 2047",
            "`max_position_embeddings` is 2047, expected 2048 or more",
        ),
        ("{", "", "no JSON: trailing characters at line 2 column 18"),
    ] {
        let error = edited("config.json", found, put);
        assert_eq!(error, expected);
    }
}

#[test]
fn a_tokenizer_that_is_none_or_knows_more_than_the_embedding_is_refused() {
    let golden = Golden::open("agentjev-a");
    let (_kept, folder) = golden.checkpoint();
    let config = folder.join("config.json");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(
        &config,
        text.replace("\"vocab_size\": 300", "\"vocab_size\": 261"),
    )
    .unwrap();
    assert_eq!(
        AgentJev::open(&folder, settings(&golden))
            .err()
            .unwrap()
            .to_string(),
        format!("{folder}/tokenizer.json: the largest token id is 261, `vocab_size` is 261")
    );
    let error = edited("tokenizer.json", "\"BPE\"", "\"XYZ\"");
    assert!(error.starts_with("no tokenizer: "), "{error}");
}

/// What is said of weights after `change`.
fn changed(change: impl FnOnce(&mut std::collections::BTreeMap<String, Tensor>)) -> String {
    let golden = Golden::open("agentjev-a");
    let (_kept, folder) = golden.checkpoint();
    rewrite(&folder, change);
    let Err(error) = AgentJev::open(&folder, settings(&golden)) else {
        panic!("it loads");
    };
    let error = error.to_string();
    let own = format!("{folder}/model.safetensors: ");
    error.strip_prefix(&own).unwrap().to_owned()
}

#[test]
fn every_tensor_is_there_once_in_its_shape() {
    let golden = Golden::open("agentjev-a");
    let expected = [
        "no tensor `path_encoder.backbone.layers.1.self_attn.q_norm.weight`, expected one of shape [16]",
        "no tensor `set_encoder.encoder.layers.1.linear2.bias`, expected one of shape [16]",
        "tensor `lm_head.weight` of shape [300, 32], which this architecture does not have",
        "tensor `set_encoder.encoder.norm.weight` of shape [16], which this architecture does not have",
        "tensor `path_encoder.backbone.layers.1.self_attn.o_proj.weight` has shape [32, 32], expected [32, 64]",
        "tensor `scorer.fc2.weight` has shape [2, 16], expected [1, 16]",
    ];
    assert_eq!(golden.list("load_errors").len(), expected.len());
    for (entry, expected) in golden.list("load_errors").iter().zip(expected) {
        let (_kept, folder) = golden.checkpoint();
        damage(&folder, entry);
        let Err(error) = AgentJev::open(&folder, settings(&golden)) else {
            panic!("{} loads", entry["name"]);
        };
        assert_eq!(
            error.to_string(),
            format!("{folder}/model.safetensors: {expected}")
        );
    }
}

#[test]
fn what_gives_the_sizes_of_the_head_is_checked_first() {
    let zeros = |shape: &[usize]| Tensor::zeros(shape, DType::F32, &Device::Cpu).unwrap();
    assert_eq!(
        changed(|tensors| drop(tensors.insert("proj_in.weight".to_owned(), zeros(&[16, 31])))),
        "tensor `proj_in.weight` has shape [16, 31], expected 32 columns"
    );
    assert_eq!(
        changed(|tensors| drop(tensors.remove("scorer.fc1.weight"))),
        "no tensor `scorer.fc1.weight`, expected one with 32 columns"
    );
    // A layer after a gap belongs to no layer that is read.
    let error = changed(|tensors| {
        let first = "set_encoder.encoder.layers.0.norm1.bias";
        let beyond = "set_encoder.encoder.layers.3.norm1.bias".to_owned();
        let copy = tensors[first].clone();
        tensors.insert(beyond, copy);
    });
    assert_eq!(
        error,
        "tensor `set_encoder.encoder.layers.3.norm1.bias` of shape [16], which this architecture does not have"
    );
}

#[test]
fn numbers_that_are_no_finite_floats_are_refused() {
    let name = "path_encoder.backbone.norm.weight";
    let integers = Tensor::zeros(32, DType::I64, &Device::Cpu).unwrap();
    assert_eq!(
        changed(|tensors| drop(tensors.insert(name.to_owned(), integers))),
        format!("tensor `{name}` is made of I64, expected F32, F16 or BF16")
    );
    let mut values = vec![1f32; 32];
    values[5] = f32::INFINITY;
    let infinite = Tensor::from_vec(values, 32, &Device::Cpu).unwrap();
    assert_eq!(
        changed(|tensors| drop(tensors.insert(name.to_owned(), infinite))),
        format!("tensor `{name}` holds inf at 5, expected finite numbers")
    );
}

#[test]
fn set_heads_that_do_not_divide_are_refused() {
    let golden = Golden::open("agentjev-a");
    let (_kept, folder) = golden.checkpoint();
    for set_heads in [0, 3, 32] {
        let heads = Settings {
            set_heads,
            ..Settings::default()
        };
        assert_eq!(
            AgentJev::open(&folder, heads).err().unwrap().to_string(),
            format!(
                "{folder}/model.safetensors: {set_heads} set heads do not divide the 16 rows of `proj_in.weight`; set `set_heads`"
            )
        );
    }
}

#[test]
fn a_file_that_is_missing_or_cut_is_named() {
    let golden = Golden::open("agentjev-a");
    for file in [
        "config.json",
        "temperatures.json",
        "tokenizer.json",
        "model.safetensors",
    ] {
        let (_kept, folder) = golden.checkpoint();
        std::fs::remove_file(folder.join(file)).unwrap();
        let error = AgentJev::open(&folder, settings(&golden)).err().unwrap();
        assert_eq!(
            error.to_string(),
            format!("`{folder}/{file}` cannot be read")
        );
    }
    let (_kept, folder) = golden.checkpoint();
    let file = folder.join("model.safetensors");
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    let error = AgentJev::open(&folder, settings(&golden)).err().unwrap();
    let error = error.to_string();
    assert!(
        error.starts_with(&format!("{file}: no safetensors file: ")),
        "{error}"
    );
}
