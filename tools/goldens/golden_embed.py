"""Goldens of sentence encoders: a tiny BERT in the published layout, run by transformers' BertModel.

The two readouts (each text apart, or all of them in one sequence) are flipside's own, so they are written here.
"""

import json
from pathlib import Path

import torch
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertModel

from common import (
    Expected,
    draw,
    non_zero,
    save_weights,
    versions,
    write_cases,
    write_json,
)

SEED = 21
SCALE = 20.0
SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
WORDS = (
    "card",
    "charged",
    "twice",
    "app",
    "money",
    "bugs",
    "crash",
    "refund",
    "team",
    "level",
    "yes",
    "no",
    "true",
    "false",
    "the",
    "statement",
    "does",
    "not",
    "hold",
    "holds",
    "pay",
    "tech",
)
CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
MARKS = ".,:;!?()[]{}\"'-_"

CONFIG = {
    "architectures": ["BertModel"],
    "attention_probs_dropout_prob": 0.1,
    "hidden_act": "gelu",
    "hidden_dropout_prob": 0.1,
    "hidden_size": 32,
    "intermediate_size": 48,
    "layer_norm_eps": 1e-12,
    "max_position_embeddings": 40,
    "model_type": "bert",
    "num_attention_heads": 4,
    "num_hidden_layers": 3,
    "pad_token_id": 0,
    "position_embedding_type": "absolute",
    "type_vocab_size": 2,
}

POOLING = {
    "word_embedding_dimension": 32,
    "pooling_mode_cls_token": False,
    "pooling_mode_mean_tokens": True,
    "pooling_mode_max_tokens": False,
    "pooling_mode_mean_sqrt_len_tokens": False,
}

PLANS = {
    "embed-a": {
        "about": "BERT of three layers, 40 positions, truncation and padding switched on in the tokenizer"
    }
}


def tokenizer():
    """A small uncased WordPiece tokenizer that cuts and pads to 12 tokens, as the published one does to 128."""
    pieces = [f"##{c}" for c in CHARACTERS]
    names = [*SPECIALS, *CHARACTERS, *pieces, *MARKS, *WORDS]
    made = Tokenizer(
        models.WordPiece(
            {name: index for index, name in enumerate(names)},
            unk_token="[UNK]",
            max_input_chars_per_word=100,
        )
    )
    made.add_special_tokens([AddedToken(n, special=True, normalized=False) for n in SPECIALS])
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    ends = [(name, SPECIALS.index(name)) for name in ("[CLS]", "[SEP]")]
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=ends
    )
    made.enable_truncation(12)
    made.enable_padding(length=12, pad_id=0, pad_token="[PAD]")
    return made


def weights(model, seed):
    """A number on the grid for every tensor of the model, by its name."""
    made = {}
    for name, tensor in model.state_dict().items():
        shape = tuple(tensor.shape)
        if "LayerNorm.weight" in name:
            made[name] = draw(seed, name, shape, 0.2, mean=1.0, step=1 / 64)
        elif len(shape) == 1:
            made[name] = non_zero(draw(seed, name, shape, 0.1))
        elif "embeddings" in name:
            made[name] = draw(seed, name, shape, 1.0 if "word" in name else 0.4)
        elif "attention" in name:
            # Peaked attention and small sums, so that the vectors of different texts do not all point one way.
            small = ".self.value" in name or ".output." in name
            made[name] = draw(seed, name, shape, 0.1 if small else 0.4)
        else:
            # Wider before gelu, so that its input passes 2, where the tanh form is farthest off.
            made[name] = draw(seed, name, shape, 0.4 if "intermediate" in name else 0.15)
    return made


def write_checkpoint(folder):
    """Writes the checkpoint folder and gives the model in f32 and its tensors."""
    folder.mkdir(parents=True, exist_ok=True)
    words = tokenizer()
    config = {**CONFIG, "vocab_size": words.get_vocab_size()}
    write_json(folder / "config.json", config)
    write_json(folder / "1_Pooling" / "config.json", POOLING)
    words.save(str(folder / "tokenizer.json"))
    bert = BertConfig(**config)
    bert._attn_implementation = "eager"
    model = BertModel(bert).eval()
    made = weights(model, SEED)
    model.load_state_dict(made, strict=True)
    stored = {**made, "embeddings.position_ids": torch.arange(40).expand(1, -1).contiguous()}
    save_weights(stored, folder / "model.safetensors")
    return model, made


def text(value):
    """A string as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def options_of(question):
    """Option texts and keys in file order."""
    criteria = question.get("criteria")
    if question["type"] == "score":
        texts = [f"level {i}: {text(level)}" for i, level in enumerate(criteria)]
        return texts, [str(i) for i in range(len(criteria))]
    if question["type"] == "noul":
        plain = {"false": "no, the statement does not hold", "true": "yes, the statement holds"}
        said = {key: (criteria or {}).get(key) or plain[key] for key in plain}
        return [f"{key}: {text(value)}" for key, value in said.items()], list(plain)
    if isinstance(criteria, list):
        return list(criteria), list(criteria)
    return [f"{k}: {text(v)}" if v not in (None, "") else k for k, v in criteria.items()], list(
        criteria
    )


class Refused(ValueError):
    """A question that has no vectors in one sequence."""


class Reader:
    """Tokens and rows of questions."""

    def __init__(self, folder):
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        self.cls, self.sep = (SPECIALS.index(name) for name in ("[CLS]", "[SEP]"))
        self.most = CONFIG["max_position_embeddings"]

    def ids(self, given):
        """Token ids of one text without special tokens around it."""
        return self.tokenizer.encode(given, add_special_tokens=False).ids

    def rows(self, readout, state, texts):
        """Rows of `ids` and `spans`, and tokens found and kept of the state and of each text."""
        found = [self.ids(text(state)), *(self.ids(t) for t in texts)]
        if readout == "apart":
            room = [self.most - 2] * len(found)
        else:
            if not all(found):
                raise Refused("a text without tokens")
            room = [self.most - 2 - sum(len(f) + 1 for f in found[1:]), *(self.most for _ in texts)]
            if room[0] < 1:
                raise Refused("no room for the state")
        kept = [f[:r] for f, r in zip(found, room, strict=True)]
        if isinstance(state, list):
            kept[0] = found[0][-room[0] :]
        counts = [[len(f), len(k)] for f, k in zip(found, kept, strict=True)]
        if readout == "apart":
            made = [[self.cls, *k, self.sep] for k in kept]
            return [{"ids": ids, "spans": [[0, len(ids)]]} for ids in made], counts, kept
        ids, spans = [self.cls], []
        for k in kept:
            spans.append([len(ids), len(ids) + len(k)])
            ids += [*k, self.sep]
        return [{"ids": ids, "spans": spans}], counts, kept


def run(model, ids):
    """Hidden states of one row by stage, each [L, d]."""
    with torch.no_grad():
        states = model(input_ids=torch.tensor([ids]), output_hidden_states=True).hidden_states
    names = ["embeddings", *(f"layer{i}" for i in range(len(states) - 1))]
    return {name: state[0] for name, state in zip(names, states, strict=True)}


def run_case(model, reader, expected, spec, readout):
    """One case in one readout: tokens, vectors, logits, probabilities."""
    name = f"{spec['name']}-{readout}"
    state, question = json.loads(spec["state_json"]), json.loads(spec["question_json"])
    options, keys = options_of(question)
    order = question.get("option_order") or list(range(len(options)))
    rows, counts, kept = reader.rows(readout, state, [options[o] for o in order])
    stages = [run(model, row["ids"]) for row in rows]
    last = f"layer{CONFIG['num_hidden_layers'] - 1}"
    vectors = torch.stack(
        [
            torch.nn.functional.normalize(made[last][a:b].mean(0), dim=0)
            for row, made in zip(rows, stages, strict=True)
            for a, b in row["spans"]
        ]
    )
    z = SCALE * (vectors[1:] @ vectors[0])
    p = torch.empty(len(order))
    p[torch.tensor(order)] = torch.softmax(z, 0)
    expected.put(f"{name}/z", z)
    expected.put(f"{name}/p", p)
    expected.put(f"{name}/state", vectors[0])
    expected.put(f"{name}/vectors", vectors[1:])
    hidden = spec.get("hidden", False)
    if hidden:
        for stage, values in stages[0].items():
            expected.put(f"{name}/{stage}", values)
    return {
        "name": name,
        "about": spec["about"],
        "readout": readout,
        "state_json": spec["state_json"],
        "question_json": spec["question_json"],
        "options": options,
        "keys": keys,
        "order": order,
        "rows": rows,
        "state_tokens": counts[0],
        "option_tokens": counts[1:],
        "options_distinct": len({tuple(k) for k in kept[1:]}),
        "hidden": hidden,
    }


def spec(name, about, state, criteria, kind="choice", order=None, hidden=False):
    """A case before it is run."""
    question = {"type": kind, "instructions": "Which team?"}
    if criteria is not None:
        question["criteria"] = criteria
    if order is not None:
        question["option_order"] = order
    return {
        "name": name,
        "about": about,
        "state_json": json.dumps(state, ensure_ascii=False),
        "question_json": json.dumps(question, ensure_ascii=False),
        "hidden": hidden,
    }


THREE = {"pay": "money", "tech": "bugs", "x": None}
STATE = "card charged twice"
LONG = "app crash " * 30


def specs():
    """Cases that both readouts take."""
    return [
        spec("plain", "keys with descriptions, and one without", STATE, THREE, hidden=True),
        spec("reversed", "the same options in reversed slots", STATE, THREE, order=[2, 1, 0]),
        spec("rotated", "the same options in rotated slots", STATE, THREE, order=[1, 2, 0]),
        spec("labels", "a list of labels", STATE, ["money", "bugs", "team", "refund"]),
        spec("score", "levels", STATE, ["no", "yes"], kind="score"),
        spec("noul", "a statement without criteria", "app", None, kind="noul"),
        spec("object", "an object state", {"a": 1.0, "b": ["é"]}, ["no", "yes"]),
        spec("accents", "lower case, accents off, unknown characters", "Crâsh! 東京 €", ["Yes", "NO"]),
        spec("special", "special tokens inside text are tokens", "app [SEP] crash [CLS]", ["[MASK]", "no"]),
        spec("long-state", "the beginning of a long state is kept", LONG + "card", ["money", "bugs"]),
        spec("long-list", "the end of a long list is kept", [LONG, "card"], ["money", "bugs"]),
        spec("one", "one option", STATE, ["money"]),
    ]  # fmt: skip


def apart_specs():
    """Cases that only texts in sequences of their own take."""
    return [
        spec("long-options", "options that are the same after the cut", STATE, [LONG + "a", LONG + "b", "no"]),
        spec("empty-state", "a text without tokens is its two special tokens", "", ["money", "bugs"]),
        spec("empty-option", "an option without tokens", STATE, [" ", "bugs"]),
    ]  # fmt: skip


def error_entries(reader):
    """Questions that one sequence has no place for."""
    letters = [
        "a",
        "b",
        "c",
        "d",
        "e",
        "f",
        "g",
        "h",
        "i",
        "j",
        "k",
        "l",
        "m",
        "n",
        "o",
        "p",
        "q",
        "r",
        "s",
    ]
    given = [
        *apart_specs(),
        spec("no-room", "options that leave no token for the state", STATE, letters),
    ]
    made = []
    for one in given:
        state, question = json.loads(one["state_json"]), json.loads(one["question_json"])
        try:
            reader.rows("together", state, options_of(question)[0])
        except Refused as error:
            shown = {key: one[key] for key in ("name", "state_json", "question_json")}
            made.append({**shown, "error": str(error)})
        else:
            raise AssertionError(one["name"])
    return made


def damaged(made):
    """Changes that a strict loader must refuse."""
    layer = "encoder.layer.1."
    entries = [
        ("missing", "drop", layer + "attention.self.key.bias", None),
        ("missing-norm", "drop", "embeddings.LayerNorm.bias", None),
        ("missing-half-of-pooler", "drop", "pooler.dense.bias", None),
        ("extra", "add", "cls.predictions.bias", [32]),
        ("extra-layer", "add", "encoder.layer.3.output.dense.bias", [32]),
        ("shape", "reshape", layer + "intermediate.dense.weight", [32, 48]),
        ("shape-positions", "reshape", "embeddings.position_embeddings.weight", [41, 32]),
        ("shape-position-ids", "reshape", "embeddings.position_ids", [1, 41]),
    ]
    for _, change, name, _ in entries:
        known = {*made, "embeddings.position_ids"}
        assert (name in known) == (change != "add"), name
    return [
        {"name": name, "change": change, "tensor": tensor, "shape": shape, "error": None}
        for name, change, tensor, shape in entries
    ]


def make(out, name):
    """Writes golden folder `name` below `out`."""
    folder = Path(out) / name
    model, made = write_checkpoint(folder)
    reader, expected = Reader(folder), Expected()
    cases = [
        run_case(model, reader, expected, one, readout)
        for readout in ("apart", "together")
        for one in [*specs(), *(apart_specs() if readout == "apart" else [])]
    ]
    orders = ("plain", "reversed", "rotated")
    written = {
        "format": "flipside-golden-1",
        "architecture": "embed",
        "name": name,
        "about": PLANS[name]["about"],
        "weights": "model.safetensors",
        "other_weights": [],
        "tools": versions(),
        "seed": SEED,
        "cases": cases,
        "relations": [
            {"kind": "same_z_by_option", "cases": [f"{o}-apart" for o in orders], "within": 0.0},
            {"kind": "other_z_by_option", "cases": [f"{o}-together" for o in orders]},
        ],
        "errors": error_entries(reader),
        "load_errors": damaged(made),
    }
    expected.save(folder / "expected.safetensors")
    write_cases(folder / "cases.json", written)
