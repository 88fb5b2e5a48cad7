//! Loading: temperatures that are confined, and every file, key and tensor that is not as it has to be.

use camino::Utf8Path;
use candle_core::{DType, Device, Tensor};
use flipside_core::case::QuestionKind;
use flipside_local::Precision;
use flipside_local::laya::Laya;

use crate::golden::{Golden, damage, rewrite, whole};

#[test]
fn temperatures_are_confined_as_in_the_package() {
    let golden = Golden::open("laya-a");
    for entry in golden.list("temperatures") {
        let name = entry["name"].as_str().unwrap();
        let (_kept, folder) = golden.checkpoint();
        let text = entry["config_json"].as_str().unwrap();
        let inner = text
            .trim()
            .trim_start_matches('{')
            .trim_end_matches('}')
            .trim();
        let comma = if inner.is_empty() { "" } else { "," };
        let config = format!(
            r#"{{"encoder":"tiny","head_layers":2,"max_len":320,"head_max_len":160,"act_costs":{{"escalate":0.5}}{comma}{}}}"#,
            &text.trim()[1..text.trim().len() - 1]
        );
        std::fs::write(folder.join("rl_agent_config.json"), config).unwrap();
        let laya = Laya::open(&folder, Precision::F32);
        if !entry["error"].is_null() {
            assert!(laya.is_err(), "{name}");
            continue;
        }
        let laya = laya.unwrap_or_else(|error| panic!("{name}: {error}"));
        let temperatures = &laya.config().temperatures;
        let buckets = entry["temperature_by_options"].as_object().unwrap();
        let kinds = [
            QuestionKind::Choice,
            QuestionKind::Score,
            QuestionKind::Noul,
        ];
        for (place, kind) in kinds.into_iter().enumerate() {
            for (bucket, options) in [("2", 2), ("3-5", 4), ("6-10", 8), ("11+", 40)] {
                let expected = buckets
                    .get(&format!("{}:{bucket}", kind.name()))
                    .unwrap_or(&entry["temperature"][place]);
                let found = temperatures.of(kind, options);
                assert!(
                    (found - expected.as_f64().unwrap()).abs() < 1e-6,
                    "{name}: {kind:?} {options}: {found}, expected {expected}"
                );
            }
        }
        let replaced = entry["replaced"].as_array().unwrap().len();
        assert_eq!(
            temperatures.replaced().len(),
            replaced,
            "{name}: {:?}",
            temperatures.replaced()
        );
    }
}

#[test]
fn damaged_weights_are_named() {
    let golden = Golden::open("laya-a");
    assert!(golden.list("load_errors").len() > 5);
    for entry in golden.list("load_errors") {
        let (_kept, folder) = golden.checkpoint();
        damage(&folder, entry);
        let Err(error) = Laya::open(&folder, Precision::F32) else {
            panic!("{} loads", entry["name"]);
        };
        let text = error.to_string();
        let tensor = entry["tensor"].as_str().unwrap();
        assert!(text.contains(&format!("`{tensor}`")), "{text}");
        assert!(text.contains("model.safetensors"), "{text}");
        if !entry["shape"].is_null() {
            let shape = format!("{:?}", whole::<usize>(&entry["shape"]));
            assert!(text.contains(&shape), "{text}");
        }
    }
}

/// What loading golden `name` says after `change` was made to its folder, without the folder's path.
fn refused(name: &str, change: impl FnOnce(&Utf8Path)) -> String {
    let (_kept, folder) = Golden::open(name).checkpoint();
    change(&folder);
    match Laya::open(&folder, Precision::F32) {
        Ok(_) => panic!("it loads"),
        Err(error) => error.to_string().replace(&format!("{folder}/"), ""),
    }
}

/// Writes `to` for the only `from` in a file.
fn replace(file: &Utf8Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    assert_eq!(text.matches(from).count(), 1, "{from} in {file}");
    std::fs::write(file, text.replace(from, to)).unwrap();
}

#[test]
fn a_tensor_of_another_type_or_without_finite_numbers_is_named() {
    let with = |tensor: Tensor| {
        refused("laya-a", |folder| {
            rewrite(&folder.to_owned(), |tensors| {
                tensors.insert("scorer.1.bias".into(), tensor);
            });
        })
    };
    let integers = Tensor::zeros(64, DType::I64, &Device::Cpu).unwrap();
    assert_eq!(
        with(integers),
        "model.safetensors: tensor `scorer.1.bias` is made of I64, expected F32, F16 or BF16"
    );
    for (value, said) in [(f32::NAN, "NaN"), (f32::NEG_INFINITY, "-inf")] {
        let mut values = vec![0.0; 64];
        values[5] = value;
        let tensor = Tensor::from_vec(values, 64, &Device::Cpu).unwrap();
        for kind in [DType::F32, DType::F16, DType::BF16] {
            assert_eq!(
                with(tensor.to_dtype(kind).unwrap()),
                format!(
                    "model.safetensors: tensor `scorer.1.bias` holds {said} at 5, expected finite numbers"
                )
            );
        }
    }
}

#[test]
fn several_unknown_tensors_are_counted() {
    let found = refused("laya-a", |folder| {
        rewrite(&folder.to_owned(), |tensors| {
            for name in ["d", "c", "b", "a"] {
                let made = Tensor::zeros((2, 3), DType::F32, &Device::Cpu).unwrap();
                tensors.insert(name.into(), made);
            }
        });
    });
    assert_eq!(
        found,
        "model.safetensors: tensors `a` of shape [2, 3], `b` of shape [2, 3], `c` of shape [2, 3] and 1 more, which this architecture does not have"
    );
}

#[test]
fn a_file_that_is_missing_or_no_such_file_is_named() {
    for file in [
        "rl_agent_config.json",
        "model.safetensors",
        "encoder/config.json",
        "tokenizer/tokenizer.json",
        "tokenizer/tokenizer_config.json",
    ] {
        let found = refused("laya-b", |folder| {
            std::fs::remove_file(folder.join(file)).unwrap();
        });
        assert_eq!(found, format!("`{file}` cannot be read"));
        let found = refused("laya-b", |folder| {
            std::fs::write(folder.join(file), "[").unwrap();
        });
        let said = match file {
            "model.safetensors" => "no safetensors file: ",
            "tokenizer/tokenizer.json" => "no tokenizer: ",
            _ => "no JSON: ",
        };
        assert!(found.starts_with(&format!("{file}: {said}")), "{found}");
    }
    let found = refused("laya-b", |folder| {
        std::fs::write(folder.join("encoder/config.json"), "[]").unwrap();
    });
    assert_eq!(
        found,
        "encoder/config.json: found an array, expected an object"
    );
}

/// (golden, file, from, to, what is said)
type Change = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

const AGENT: &str = "rl_agent_config.json";
const ENCODER: &str = "encoder/config.json";
const SPECIALS: &str = "tokenizer/tokenizer_config.json";

const CONFIGURED: &[Change] = &[
    ("laya-a", AGENT, r#""encoder":"#, r#""x":"#, "no `encoder`"),
    (
        "laya-a",
        AGENT,
        r#""tiny random ModernBERT""#,
        "7",
        "`encoder` is the number 7, expected a string",
    ),
    (
        "laya-a",
        AGENT,
        r#""head_layers": 2"#,
        r#""x": 2"#,
        "no `head_layers`",
    ),
    (
        "laya-a",
        AGENT,
        r#""head_layers": 2"#,
        r#""head_layers": -1"#,
        "`head_layers` is the number -1, expected a whole number from 1",
    ),
    (
        "laya-a",
        AGENT,
        r#""max_len": 320"#,
        r#""max_len": 0"#,
        "`max_len` is the number 0, expected a whole number from 1",
    ),
    (
        "laya-a",
        AGENT,
        r#""max_len": 320"#,
        r#""max_len": 513"#,
        "`max_len` is 513, the encoder has 512 positions",
    ),
    (
        "laya-a",
        AGENT,
        r#""head_max_len": 160"#,
        r#""head_max_len": "160""#,
        "`head_max_len` is the string \"160\", expected a whole number from 1",
    ),
    (
        "laya-a",
        AGENT,
        r#""act_costs": {"#,
        r#""act_costs": 1, "x": {"#,
        "`act_costs` is the number 1, expected an object",
    ),
    (
        "laya-a",
        AGENT,
        r#""temperature": ["#,
        r#""temperature": [1, "#,
        "`temperature` is an array, expected an array of 3 numbers",
    ),
    (
        "laya-a",
        AGENT,
        r#""temperature_by_options": {"#,
        r#""temperature_by_options": true, "x": {"#,
        "`temperature_by_options` is the boolean true, expected an object",
    ),
    (
        "laya-a",
        AGENT,
        r#""training": {"#,
        r#""option_layout": "circular", "x": {"#,
        "`option_layout` is the string \"circular\", expected \"sequential\" or \"parallel\"",
    ),
    (
        "laya-a",
        ENCODER,
        r#""norm_bias": false"#,
        r#""norm_bias": true"#,
        "`norm_bias` is the boolean true, expected false: these encoders have no biases",
    ),
    (
        "laya-a",
        ENCODER,
        r#""attention_bias": false"#,
        r#""attention_bias": true"#,
        "`attention_bias` is the boolean true, expected false: these encoders have no biases",
    ),
    (
        "laya-a",
        ENCODER,
        r#""mlp_bias": false"#,
        r#""mlp_bias": true"#,
        "`mlp_bias` is the boolean true, expected false: these encoders have no biases",
    ),
    (
        "laya-a",
        ENCODER,
        r#""hidden_activation": "gelu""#,
        r#""hidden_activation": "silu""#,
        "`hidden_activation` is the string \"silu\", expected \"gelu\"",
    ),
    (
        "laya-a",
        ENCODER,
        r#""hidden_activation""#,
        r#""hidden_act": "relu", "x""#,
        "`hidden_act` is the string \"relu\", expected \"gelu\"",
    ),
    (
        "laya-a",
        ENCODER,
        r#""hidden_size": 64"#,
        r#""x": 64"#,
        "no `hidden_size`",
    ),
    (
        "laya-a",
        ENCODER,
        r#""vocab_size": 300"#,
        r#""x": 300"#,
        "no `vocab_size`",
    ),
    (
        "laya-a",
        ENCODER,
        r#""intermediate_size": 96"#,
        r#""x": 96"#,
        "no `intermediate_size`",
    ),
    (
        "laya-a",
        ENCODER,
        r#""num_hidden_layers": 4"#,
        r#""x": 4"#,
        "no `num_hidden_layers`",
    ),
    (
        "laya-a",
        ENCODER,
        r#""num_attention_heads": 4"#,
        r#""x": 4"#,
        "no `num_attention_heads`",
    ),
    (
        "laya-a",
        ENCODER,
        r#""num_attention_heads": 4"#,
        r#""num_attention_heads": 64"#,
        "`num_attention_heads` is the number 64, expected heads of an even size: `hidden_size` is 64",
    ),
    (
        "laya-a",
        ENCODER,
        r#""global_rope_theta": 160000.0"#,
        r#""global_rope_theta": 0"#,
        "`global_rope_theta` is the number 0, expected a positive number",
    ),
    (
        "laya-a",
        ENCODER,
        r#""norm_eps": 1e-05"#,
        r#""norm_eps": null, "layer_norm_eps": -1"#,
        "`layer_norm_eps` is the number -1, expected a positive number",
    ),
    (
        "laya-b",
        ENCODER,
        r#""layer_types": ["#,
        r#""layer_types": ["full_attention", "#,
        "`layer_types` is an array, expected 2 times \"full_attention\" or \"sliding_attention\"",
    ),
    (
        "laya-b",
        ENCODER,
        "\"sliding_attention\",\n",
        "\"linear_attention\",\n",
        "`layer_types` is an array, expected 2 times \"full_attention\" or \"sliding_attention\"",
    ),
    (
        "laya-b",
        ENCODER,
        r#""rope_parameters": {"#,
        r#""rope_parameters": {"rope_type": "yarn","#,
        "`rope_type` is the string \"yarn\", expected \"default\"",
    ),
    (
        "laya-b",
        ENCODER,
        r#""full_attention": {"#,
        r#""full_attention": {"rope_type": "linear"}, "x": {"#,
        "`rope_type` is the string \"linear\", expected \"default\"",
    ),
    (
        "laya-b",
        ENCODER,
        r#""sliding_attention": {"#,
        r#""sliding_attention": {"rope_theta": -1}, "x": {"#,
        "`rope_theta` is the number -1, expected a positive number",
    ),
    (
        "laya-b",
        SPECIALS,
        r#""cls_token""#,
        r#""x""#,
        "no `cls_token`",
    ),
    (
        "laya-b",
        SPECIALS,
        r#""<bos>""#,
        "2",
        "`cls_token` is the number 2, expected a string, or an object with `content`",
    ),
    (
        "laya-b",
        SPECIALS,
        r#""content""#,
        r#""x""#,
        "`sep_token` is an object, expected a string, or an object with `content`",
    ),
];

#[test]
fn settings_of_another_architecture_are_refused() {
    for (name, file, from, to, said) in CONFIGURED {
        let found = refused(name, |folder| replace(&folder.join(file), from, to));
        assert_eq!(found, format!("{file}: {said}"));
    }
}

#[test]
fn a_tokenizer_that_does_not_fit_its_settings_is_refused() {
    let mask = refused("laya-b", |folder| {
        replace(&folder.join(SPECIALS), r#""<mask>""#, r#""[MASK]""#);
    });
    assert_eq!(
        mask,
        "tokenizer/tokenizer.json: no token `[MASK]`, which tokenizer/tokenizer_config.json names"
    );
    let vocabulary = refused("laya-a", |folder| {
        replace(
            &folder.join(ENCODER),
            r#""vocab_size": 300"#,
            r#""vocab_size": 260"#,
        );
    });
    assert_eq!(
        vocabulary,
        "tokenizer/tokenizer.json: the largest token id is 260, `vocab_size` of the encoder is 260"
    );
}
