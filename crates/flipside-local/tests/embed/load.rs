//! Strict loading: every file and tensor that is not as it has to be is named.

use candle_core::{DType, Device, Tensor};
use flipside_local::embed::{Embed, Readout, Settings};

use super::golden::{Golden, damage, rewrite, whole};
use super::open;

/// What loading says after `change` was made to a folder, without the folder's path.
fn refused(change: impl FnOnce(&camino::Utf8PathBuf)) -> String {
    let (_kept, folder) = Golden::open("embed-a").checkpoint();
    change(&folder);
    match Embed::open(&folder, Settings::default()) {
        Ok(_) => panic!("it loads"),
        Err(error) => error.to_string().replace(&format!("{folder}/"), ""),
    }
}

#[test]
fn damaged_weights_are_named() {
    let golden = Golden::open("embed-a");
    assert!(golden.list("load_errors").len() > 5);
    for entry in golden.list("load_errors") {
        let text = refused(|folder| damage(folder, entry));
        let tensor = entry["tensor"].as_str().unwrap();
        assert!(text.contains(&format!("`{tensor}`")), "{text}");
        assert!(text.starts_with("model.safetensors: "), "{text}");
        if !entry["shape"].is_null() {
            let shape = format!("{:?}", whole::<usize>(&entry["shape"]));
            assert!(text.contains(&shape), "{text}");
        }
    }
}

#[test]
fn places_and_pooler_are_checked_where_they_are_and_not_needed() {
    const PLACES: &str = "embeddings.position_ids";
    let with = |places: Tensor| {
        refused(|folder| {
            rewrite(folder, |tensors| {
                tensors.insert(PLACES.into(), places);
            });
        })
    };
    let mut wrong: Vec<i64> = (0..40).collect();
    wrong[7] = 8;
    let wrong = Tensor::from_vec(wrong, (1, 40), &Device::Cpu).unwrap();
    assert_eq!(
        with(wrong),
        "model.safetensors: tensor `embeddings.position_ids` holds 8 at 7, expected 7"
    );
    let floats = Tensor::zeros((1, 40), DType::F32, &Device::Cpu).unwrap();
    assert_eq!(
        with(floats),
        "model.safetensors: tensor `embeddings.position_ids` is made of F32, expected I64"
    );
    let (_kept, folder) = Golden::open("embed-a").checkpoint();
    rewrite(&folder, |tensors| {
        tensors.remove(PLACES).unwrap();
        tensors.remove("pooler.dense.weight").unwrap();
        tensors.remove("pooler.dense.bias").unwrap();
    });
    std::fs::remove_dir_all(folder.join("1_Pooling")).unwrap();
    let loaded = open(&folder, Readout::Together);
    assert_eq!(loaded.positions(), 40);
}

#[test]
fn the_digest_is_that_of_the_file() {
    let (_kept, folder) = Golden::open("embed-a").checkpoint();
    let bytes = std::fs::read(folder.join("model.safetensors")).unwrap();
    let loaded = open(&folder, Readout::Apart);
    // `sha256sum` of the committed file.
    assert_eq!(
        loaded.digest(),
        "cbf69bea59a6a699918f450e7063b395c70d0f2b90741d19c6c3212f7d8090c0"
    );
    assert_eq!(loaded.bytes(), bytes.len());
}

#[test]
fn a_file_that_is_missing_or_no_such_file_is_named() {
    for (file, said) in [
        ("config.json", "`config.json` cannot be read"),
        ("tokenizer.json", "`tokenizer.json` cannot be read"),
        ("model.safetensors", "`model.safetensors` cannot be read"),
    ] {
        let found = refused(|folder| std::fs::remove_file(folder.join(file)).unwrap());
        assert_eq!(found, said);
    }
    let found = refused(|folder| {
        let file = folder.join("model.safetensors");
        std::fs::write(file, "x").unwrap();
    });
    assert!(
        found.starts_with("model.safetensors: no safetensors file: "),
        "{found}"
    );
    let found = refused(|folder| std::fs::write(folder.join("tokenizer.json"), "{}").unwrap());
    assert!(
        found.starts_with("tokenizer.json: no tokenizer: "),
        "{found}"
    );
}

#[test]
fn settings_of_another_architecture_are_refused() {
    let config =
        |from: &str, to: &str| refused(|folder| replace(&folder.join("config.json"), from, to));
    for (from, to, said) in [
        (
            r#""model_type": "bert""#,
            r#""model_type": "roberta""#,
            r#"`model_type` is the string "roberta", expected "bert""#,
        ),
        (
            r#""gelu""#,
            r#""relu""#,
            r#"`hidden_act` is the string "relu", expected "gelu""#,
        ),
        (
            r#""absolute""#,
            r#""relative_key""#,
            r#"`position_embedding_type` is the string "relative_key", expected "absolute""#,
        ),
        (
            r#""pad_token_id": 0"#,
            r#""is_decoder": true"#,
            "`is_decoder` is the boolean true, expected false: every token sees every token",
        ),
        (
            r#""pad_token_id": 0"#,
            r#""add_cross_attention": true"#,
            "`add_cross_attention` is the boolean true, expected false: every token sees every token",
        ),
        (
            r#""num_attention_heads": 4"#,
            r#""num_attention_heads": 5"#,
            "`num_attention_heads` is the number 5, expected a divisor of `hidden_size`, which is 32",
        ),
        (
            r#""hidden_size": 32"#,
            r#""hidden_size": 0"#,
            "`hidden_size` is the number 0, expected a whole number from 1",
        ),
        (
            r#""layer_norm_eps": 1e-12"#,
            r#""layer_norm_eps": -1"#,
            "`layer_norm_eps` is the number -1, expected a positive number",
        ),
        (
            r#""max_position_embeddings": 40"#,
            r#""x": 1"#,
            "no `max_position_embeddings`",
        ),
    ] {
        assert_eq!(config(from, to), format!("config.json: {said}"));
    }
    let vocabulary = config(r#""vocab_size": 115"#, r#""vocab_size": 114"#);
    assert_eq!(
        vocabulary,
        "tokenizer.json: the largest token id is 114, `vocab_size` of the encoder is 114"
    );
}

#[test]
fn another_pooling_and_a_tokenizer_without_ends_are_refused() {
    let pooling = |from: &str, to: &str| {
        refused(|folder| replace(&folder.join("1_Pooling/config.json"), from, to))
    };
    assert_eq!(
        pooling(r#"mean_tokens": true"#, r#"mean_tokens": false"#),
        "1_Pooling/config.json: `pooling_mode_mean_tokens` is the boolean false, expected true: vectors are means"
    );
    assert_eq!(
        pooling("pooling_mode_mean_tokens", "x"),
        "1_Pooling/config.json: no `pooling_mode_mean_tokens`"
    );
    assert_eq!(
        pooling(r#"cls_token": false"#, r#"cls_token": true"#),
        "1_Pooling/config.json: `pooling_mode_cls_token` is the boolean true, expected false: vectors are means"
    );
    let ends = refused(|folder| replace(&folder.join("tokenizer.json"), "[SEP]", "[END]"));
    assert_eq!(ends, "tokenizer.json: no token `[SEP]`");
}

fn replace(file: &camino::Utf8Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains(from), "{file} has no {from}");
    std::fs::write(file, text.replace(from, to)).unwrap();
}
