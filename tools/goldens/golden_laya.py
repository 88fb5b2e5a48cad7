"""Goldens of Laya: tiny checkpoints in the published layout, answered by package `laya`'s own `Agent` on CPU."""

import json
import shutil
import tempfile
import warnings
from itertools import permutations
from pathlib import Path

import laya.agent
import numpy as np
import torch
from laya.common import (
    QTYPES,
    clamp_temperature,
    collate_items,
    render_options,
    serialize_state,
    state_room,
    temp_bucket,
    temperature_rejected,
    unpermute_probs,
)
from safetensors.torch import load_file, save_file

from common import (
    RENDERED,
    Expected,
    byte_tokenizer,
    compact,
    draw,
    non_zero,
    numbers,
    save_weights,
    versions,
    write_cases,
    write_json,
)

SEED = 9

# The vectors at the markers are stored for cases of up to this many options.
MARKED = 12

PUBLISHED_BUCKETS = {
    "choice:2": 1.9063563346862793,
    "choice:3-5": 1.7601518630981445,
    "choice:6-10": 1.0000206232070923,
    "choice:11+": 0.10058021545410156,
    "score:3-5": 1.2514290809631348,
    "noul:2": 1.9833985567092896,
}

GEOMETRY_A = {
    "specials": {"first": [], "last": ["[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]"]},
    "names": {
        "unk_token": "[UNK]",
        "cls_token": "[CLS]",
        "sep_token": "[SEP]",
        "pad_token": "[PAD]",
        "mask_token": "[MASK]",
    },
    "encoder": {
        "architectures": ["ModernBertModel"],
        "model_type": "modernbert",
        "vocab_size": 300,
        "hidden_size": 64,
        "intermediate_size": 96,
        "num_hidden_layers": 4,
        "num_attention_heads": 4,
        "hidden_activation": "gelu",
        "global_attn_every_n_layers": 3,
        "local_attention": 8,
        "global_rope_theta": 160000.0,
        "local_rope_theta": 10000.0,
        "max_position_embeddings": 512,
        "norm_eps": 1e-05,
        "norm_bias": False,
        "attention_bias": False,
        "mlp_bias": False,
        "attention_dropout": 0.0,
        "embedding_dropout": 0.0,
        "mlp_dropout": 0.0,
        "pad_token_id": 259,
        "cls_token_id": 257,
        "bos_token_id": 257,
        "sep_token_id": 258,
        "eos_token_id": 258,
    },
    "agent": {
        "model_name": "golden",
        "encoder": "tiny random ModernBERT",
        "head_layers": 2,
        "max_len": 320,
        "head_max_len": 160,
        "act_costs": {"escalate": 0.5},
        "temperature": [1.6369047164916992, 1.2514290809631348, 1.9833985567092896],
        "temperature_by_options": PUBLISHED_BUCKETS,
        "amp_dtype": "bf16",
        "training": {"note": "ignored"},
    },
}

GEOMETRY_B = {
    "specials": {"first": ["<pad>", "<eos>", "<bos>", "<unk>", "<mask>"], "last": []},
    "names": {
        "unk_token": "<unk>",
        "cls_token": "<bos>",
        "sep_token": {
            "__type": "AddedToken",
            "content": "<eos>",
            "lstrip": False,
            "normalized": False,
            "rstrip": False,
            "single_word": False,
            "special": True,
        },
        "pad_token": "<pad>",
        "mask_token": "<mask>",
    },
    "encoder": {
        "architectures": ["ModernBertModel"],
        "model_type": "modernbert",
        "vocab_size": 264,
        "hidden_size": 128,
        "intermediate_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "hidden_activation": "gelu",
        "layer_types": ["sliding_attention", "full_attention"],
        "rope_parameters": {
            "full_attention": {"rope_theta": 160000.0, "rope_type": "default"},
            "sliding_attention": {"rope_theta": 160000.0, "rope_type": "default"},
        },
        "local_attention": 8,
        "max_position_embeddings": 512,
        "layer_norm_eps": 1e-05,
        "norm_eps": 1e-05,
        "norm_bias": False,
        "attention_bias": False,
        "mlp_bias": False,
        "pad_token_id": 0,
        # As mmBERT's own file has it, and wrong: the tokenizer's CLS is `<bos>`, id 2.
        "cls_token_id": 1,
        "bos_token_id": 2,
        "sep_token_id": 1,
        "eos_token_id": 1,
    },
    "agent": {
        "encoder": "tiny random mmBERT",
        "head_layers": 1,
        "max_len": 320,
        "head_max_len": 160,
        "temperature": [1.0, 1.0, 1.0],
    },
}


def layout(geometry):
    """Every tensor of the checkpoint, but the stored temperatures: (name, shape, kind).

    Kinds: `matrix`, `norm` (around 1), `bias`.
    """
    encoder, head_layers = geometry["encoder"], geometry["agent"]["head_layers"]
    d, inner = encoder["hidden_size"], encoder["intermediate_size"]
    outputs = len(geometry["agent"].get("act_costs", {})) + 1
    made = [("encoder.embeddings.tok_embeddings.weight", (encoder["vocab_size"], d), "matrix")]
    made.append(("encoder.embeddings.norm.weight", (d,), "norm"))
    for i in range(encoder["num_hidden_layers"]):
        layer = f"encoder.layers.{i}."
        if i > 0:
            made.append((layer + "attn_norm.weight", (d,), "norm"))
        made += [
            (layer + "attn.Wqkv.weight", (3 * d, d), "matrix"),
            (layer + "attn.Wo.weight", (d, d), "matrix"),
            (layer + "mlp_norm.weight", (d,), "norm"),
            (layer + "mlp.Wi.weight", (2 * inner, d), "matrix"),
            (layer + "mlp.Wo.weight", (d, inner), "matrix"),
        ]
    made.append(("encoder.final_norm.weight", (d,), "norm"))
    made.append(("type_emb.weight", (3, d), "matrix"))
    for j in range(head_layers):
        layer = f"head.layers.{j}."
        for part in ("norm1", "norm2"):
            made += [
                (layer + part + ".weight", (d,), "norm"),
                (layer + part + ".bias", (d,), "bias"),
            ]
        made += [
            (layer + "self_attn.in_proj_weight", (3 * d, d), "matrix"),
            (layer + "self_attn.in_proj_bias", (3 * d,), "bias"),
            (layer + "self_attn.out_proj.weight", (d, d), "matrix"),
            (layer + "self_attn.out_proj.bias", (d,), "bias"),
            (layer + "linear1.weight", (4 * d, d), "matrix"),
            (layer + "linear1.bias", (4 * d,), "bias"),
            (layer + "linear2.weight", (d, 4 * d), "matrix"),
            (layer + "linear2.bias", (d,), "bias"),
        ]
    return [
        *made,
        ("scorer.0.weight", (d,), "norm"),
        ("scorer.0.bias", (d,), "bias"),
        ("scorer.1.weight", (d, d), "matrix"),
        ("scorer.1.bias", (d,), "bias"),
        ("scorer.3.weight", (1, d), "matrix"),
        ("scorer.3.bias", (1,), "bias"),
        ("act_head.0.weight", (256, d + 4), "matrix"),
        ("act_head.0.bias", (256,), "bias"),
        ("act_head.2.weight", (outputs, 256), "matrix"),
        ("act_head.2.bias", (outputs,), "bias"),
    ]


def weights(geometry, seed):
    """Every tensor of the checkpoint by its published name, f32 numbers on the grid."""
    made = {}
    for name, shape, kind in layout(geometry):
        if kind == "norm":
            made[name] = draw(seed, name, shape, 0.2, mean=1.0, step=1 / 64)
        elif kind == "bias":
            made[name] = non_zero(draw(seed, name, shape, 0.2))
        elif name in ("type_emb.weight", "encoder.embeddings.tok_embeddings.weight"):
            # Large enough that a wrong index shows.
            made[name] = draw(seed, name, shape, 0.5)
        else:
            # Of gain one: with a wider spread, f32's own rounding of a logit passes 1e-5.
            made[name] = draw(seed, name, shape, shape[1] ** -0.5, step=1 / 64)
    # Stored in published files; inference takes its temperatures from the configuration.
    made["temperature"] = torch.tensor([7.0, 8.0, 9.0])
    return made


def write_checkpoint(folder, geometry, seed, agent=None, with_weights=True):
    """Writes the checkpoint folder; `agent` replaces members of the agent's configuration."""
    folder = Path(folder)
    config = {**geometry["agent"], **(agent or {})}
    write_json(folder / "rl_agent_config.json", config)
    write_json(folder / "encoder" / "config.json", geometry["encoder"])
    (folder / "tokenizer").mkdir(parents=True, exist_ok=True)
    byte_tokenizer(**geometry["specials"]).save(str(folder / "tokenizer" / "tokenizer.json"))
    write_json(
        folder / "tokenizer" / "tokenizer_config.json",
        {
            **geometry["names"],
            "clean_up_tokenization_spaces": False,
            "model_max_length": 100000,
            "tokenizer_class": "PreTrainedTokenizerFast",
        },
    )
    if with_weights:
        made = {name: tensor.half() for name, tensor in weights(geometry, seed).items()}
        save_weights(made, folder / "model.safetensors")


def load_agent(folder):
    """The package's own runtime over a folder, on CPU in f32."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return laya.agent.Agent(str(folder), device="cpu")


class Ask:
    """One state and one question, prepared by the package."""

    def __init__(self, agent, state, question):
        agent._check_question("q", question)
        self.agent = agent
        self.question = agent._to_internal(question)
        self.internal = {"q": self.question}
        self.item = agent._encode_state(state, ["q"], self.internal)[0]
        self.batch = collate_items([[self.item]], agent.tok.pad_token_id)

    def forward(self):
        """Logits by slot, action probabilities, and the vectors at the markers."""
        seen = []
        handle = self.agent.model.scorer.register_forward_pre_hook(
            lambda _, given: seen.append(given[0].detach()[0])
        )
        with torch.no_grad():
            logits, act = self.agent._forward(self.batch)
        handle.remove()
        return logits, act, seen[0]

    def hidden(self):
        """Hidden states [tokens, d] by stage."""
        model, seen, handles = self.agent.model, {}, []

        def keep(name, module):
            def hook(_, __, out):
                seen[name] = (out[0] if isinstance(out, tuple) else out).detach()[0]

            handles.append(module.register_forward_hook(hook))

        keep("embeddings", model.encoder.embeddings)
        keep("layer0", model.encoder.layers[0])
        keep("layer1", model.encoder.layers[1])
        keep("final", model.encoder.final_norm)
        for j, layer in enumerate(model.head.layers):
            keep(f"head{j}", layer)
        with torch.no_grad():
            self.agent._forward(self.batch)
        for handle in handles:
            handle.remove()
        return seen


def decode(agent, logits, act, item, internal):
    """The original's answer as it is, and its numbers before rounding."""
    rounded = agent._decode_answers(logits, act, [item], ["q"], internal, 0)["q"]
    laya.agent.round = lambda value, _digits=None: value
    try:
        exact = agent._decode_answers(logits, act, [item], ["q"], internal, 0)["q"]
    finally:
        del laya.agent.round
    unrounded = {
        name: float(exact[name])
        for name in ("confidence", "answer_confidence", "score", "noul")
        if name in exact
    }
    unrounded["act_probability"] = float(exact["action"]["act_probability"])
    return rounded, unrounded


def applied(agent, question, options):
    """Bucket name and the temperature that the original divides by."""
    kind = QTYPES[question["t"]]
    bucket = temp_bucket(kind, options)
    return bucket, agent.temperature_by_options.get(bucket, agent.temperature[kind])


def probabilities(z, temperature, order):
    """The original's softmax over one row, put back into option order."""
    scaled = z / temperature
    p = np.exp(scaled - scaled.max())
    p /= p.sum()
    return unpermute_probs(p, order)


def keys_of(question):
    """The answer's keys in option order, as JSON writes them."""
    if question["t"] == "choice":
        return list(json.loads(compact(question["crit"])))
    if question["t"] == "score":
        return [str(i) for i in range(len(question["crit"]))]
    return ["false", "true"]


def run_case(agent, expected, spec):
    """Runs one case and gives its entry of `cases.json`; its tensors go to `expected`."""
    state, question = json.loads(spec["state"]), json.loads(spec["question"])
    ask = Ask(agent, state, question)
    logits, act, marks = ask.forward()
    k = len(ask.item["markers"])
    z = logits[0, :k]
    order = ask.question.get("option_order", list(range(k)))
    bucket, temperature = applied(agent, ask.question, k)
    p = probabilities(z, temperature, ask.question.get("option_order"))
    answer, unrounded = decode(agent, logits, act, ask.item, ask.internal)
    assert abs(unrounded["answer_confidence"] - float(p.max())) < 1e-7
    name, tokens = spec["name"], len(ask.item["ids"])
    expected.put(f"{name}/z", z)
    expected.put(f"{name}/p", p)
    expected.put(f"{name}/act", act[0])
    if k <= MARKED:
        expected.put(f"{name}/marks", marks[:k])
    rows = []
    if spec["hidden"] > 0:
        rows = sorted({0, tokens - 1, *ask.item["markers"], *range(0, tokens, spec["hidden"])})
    if rows:
        for stage, values in ask.hidden().items():
            expected.put(f"{name}/{stage}", values[rows])
    return {
        "name": name,
        "about": spec["about"],
        "state_json": spec["state"],
        "question_json": spec["question"],
        "options": render_options(ask.question),
        "keys": keys_of(ask.question),
        "order": order,
        "ids": ask.item["ids"],
        "markers": ask.item["markers"],
        "layout": ask.item.get("layout"),
        "type_index": ask.item["qtype"],
        "bucket": bucket,
        "temperature": temperature,
        "stats": {**ask.item["options"], **ask.item["state_stats"]},
        "answer_json": compact(answer),
        "unrounded": unrounded,
        "hidden_rows": rows,
    }


def case(name, about, state, question, hidden=0):
    """A case's specification; values are written as JSON unless `Raw`.

    `hidden` n > 0 stores the hidden states of every n-th token, of the markers and of both ends.
    """
    return {
        "name": name,
        "about": about,
        "state": state if isinstance(state, Raw) else compact(state),
        "question": question if isinstance(question, Raw) else compact(question),
        "hidden": hidden,
    }


class Raw(str):
    """JSON text that is given as it is."""


STATE = "card charged twice"
TEAMS = {"billing": "invoices", "bugs": "crashes", "login": "passwords", "other": "the rest"}
WORDS = (
    *("alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel"),
    *("india", "juliet", "kilo", "lima", "mike", "november", "oscar", "papa"),
)


def choice(criteria, instructions="Which team?", **more):
    """A choice question."""
    return {"type": "choice", "instructions": instructions, "criteria": criteria, **more}


def score(levels, **more):
    """A score question."""
    return {"type": "score", "instructions": "How urgent?", "criteria": levels, **more}


def noul(instructions="Is it about money?", **more):
    """A noul question."""
    return {"type": "noul", "instructions": instructions, **more}


def labels(count):
    """`count` distinct short labels with short descriptions."""
    return {f"k{i}": f"{WORDS[i % len(WORDS)]} {i}" for i in range(count)}


def order_cases():
    """All orders of four options."""
    return [
        case(
            "order-" + "".join(map(str, order)),
            "one of the 24 orders of four options, by option_order",
            STATE,
            choice(TEAMS, option_order=list(order)),
        )
        for order in permutations(range(4))
    ]


OBJECT_STATE = Raw(
    '{"ticket": {"zeta": 1e-05, "alpha": [1e16, 100.0, 2.50, -0.0, 1E5, 0.1], "big": '
    '123456789012345678901234567890}, "name": "Zürich — 東京 \\u00e9 \\ud83d\\ude00", "open": true, '
    '"by": null, "note": "a\\tb\\n\\"c\\" \\/"}'
)


def main_cases(agent):
    """The cases of geometry A at its ordinary budgets."""
    tok, cfg = agent.tok, agent.cfg
    budgets = cfg["max_len"], cfg["head_max_len"]
    room = state_room(tok, agent._to_internal(choice(TEAMS)), *budgets)
    turns = [{"role": "user", "text": f"turn {i}: " + WORDS[i % 16] * 3} for i in range(12)]
    long_text = "abcdefghijklmnopqrstuvwxyz" * 3
    made = [
        case("string", "a text state; hidden states of many tokens", STATE, choice(TEAMS), 3),
        case("object", "an object: members as given, numbers as Python writes them", OBJECT_STATE,
             choice(TEAMS)),
        case("list-overflow", "a list keeps its newest tokens", turns, choice(TEAMS), 16),
        case("object-overflow", "an object keeps its first tokens", {"turns": turns}, choice(TEAMS)),
        case("number-state", "a number is JSON", Raw("1e16"), noul()),
        case("null-member", "null inside", {"a": None}, noul()),
        case("empty-state", "no state token at all", "", choice(TEAMS)),
        case("at-room", "a state of exactly the room", "x" * room, choice(TEAMS)),
        case("over-room", "one token more than the room", "x" * room + "y", choice(TEAMS)),
        case("list-over-room", "a list one token over the room drops its first token",
             ["x" * (room - 3)], choice(TEAMS)),
        case("room-0", "77 options leave no room for the state", STATE, choice(labels(77))),
        case("cut-closing", "78 options: the closing [SEP] is cut off", STATE, choice(labels(78))),
        case("specials-in-text", "other special tokens in a text are recognised",
             "a [SEP] b [CLS]c[PAD]", choice({"x": "[UNK]", "y": "plain"})),
        case("mask-in-text", "each mask text becomes one blank",
             "before[MASK]after [MASK]", choice({"a[MASK]b": "c [MASK] d", "e": "f"}, "Which [MASK] team?")),
        case("long-option", "an option over 48 tokens is cut", STATE,
             choice({"long": long_text, "short": "x"})),
        case("collapse", "options that differ only after the cut", STATE,
             choice({"a": "x", long_text + "1": None, long_text + "2": None})),
        case("descriptions", "null and empty give the key alone; 0, false, numbers, lists and objects are text",
             STATE, Raw('{"type": "choice", "instructions": "Which?", "criteria": {"a": null, "b": "", "c": 0, '
                        '"d": false, "e": {"z": 1.50, "a": "é"}, "f": [1, "x"], "g": "text", "h": 1e-7}}')),
        case("label-list", "a list of labels, none described", STATE, choice(["red", "green", "blue"])),
        case("label-kinds", "labels that are numbers and booleans", STATE,
             Raw('{"type": "choice", "instructions": "Which?", "criteria": [2, 2.50, true, "x"]}')),
        case("instructions-object", "instructions that are an object", STATE,
             choice(TEAMS, {"ask": "which", "größe": [1.0, None]})),
        case("instructions-list", "instructions that are a list", STATE, choice(TEAMS, ["which", "team"])),
        case("instructions-number", "instructions that are a number", STATE, choice(TEAMS, 7)),
        case("instructions-long", "instructions are cut to what the options leave", STATE,
             choice(TEAMS, "Which team should take this on? " * 8)),
        case("noul-plain", "default texts", STATE, noul(), 16),
        case("noul-one", "one criterion", STATE, noul(criteria={"true": "it is"})),
        case("noul-both", "both criteria, true first in the file", STATE,
             noul(criteria={"true": "it is", "false": "it is not"})),
        case("noul-case", "keys in other letter case", STATE, noul(criteria={"True": "yes", "FALSE": "no"})),
        case("noul-empty", "null and empty criteria count as missing", STATE,
             noul(criteria={"true": None, "false": ""})),
        case("noul-structured", "structured criteria", STATE,
             noul(criteria={"true": {"a": [1, 2.0]}, "false": 0})),
        case("noul-labels", "labels, trimmed", STATE, noul(labels={"false": " B ", "true": "A"})),
        case("noul-order", "true shown first", STATE, noul(option_order=[1, 0])),
        case("score-by-list", "levels reversed in the list", STATE, score(["soon", "later", "never"][::-1])),
        case("score-by-order", "the same by option_order: the level numbers stay", STATE,
             score(["soon", "later", "never"], option_order=[2, 1, 0])),
        case("score-plain", "levels as given", STATE, score(["soon", "later", "never"]), 16),
        case("score-one", "one level", STATE, score(["only"])),
        case("score-two", "two levels: no bucket, the type's temperature", STATE, score(["low", "high"])),
        case("score-kinds", "levels that are numbers, lists, objects", STATE,
             Raw('{"type": "score", "instructions": "How?", "criteria": [1, 2.50, false, {"b": 1, "a": 2}, [], ""]}')),
        case("reversed-dict", "the criteria reversed in the file", STATE, choice(dict(reversed(TEAMS.items())))),
        *(case(f"options-{n}", f"{n} options", STATE, choice(labels(n))) for n in (1, 2, 3, 5, 6, 10, 11, 30)),
        case("score-11", "eleven levels", STATE, score([f"v{i}" for i in range(11)])),
    ]  # fmt: skip
    return made + order_cases()


def tight_cases(agent):
    """Every question through the tight branch."""
    turns = [f"turn {i}" for i in range(9)]
    return [
        case("string", "text state, tight budgets", STATE, choice(TEAMS), 16),
        case("object", "object state", OBJECT_STATE, choice(TEAMS)),
        case("list-overflow", "list state", turns, choice(TEAMS)),
        case("noul-plain", "default texts", STATE, noul()),
        case("score-plain", "levels", STATE, score(["soon", "later", "never"])),
        case(
            "long-option",
            "cut by the share, not by 48",
            STATE,
            choice({"l": "x" * 90, "s": "y" * 60}),
        ),
        case(
            "collapse",
            "all options equal after the cut",
            STATE,
            choice({f"same key {i}": "x" for i in range(5)}),
        ),
        case(
            "instructions-long",
            "instructions cut",
            STATE,
            choice(TEAMS, "Which team should take it? " * 4),
        ),
        *(
            case(f"options-{n}", f"{n} options", STATE, choice(labels(n)))
            for n in (1, 2, 3, 5, 6, 10, 11, 21)
        ),
    ]


def second_cases(agent):
    """The cases of geometry B."""
    return [
        case("string", "text state; hidden states of some tokens", STATE, choice(TEAMS), 16),
        case("object", "object state", OBJECT_STATE, choice(TEAMS)),
        case("list-overflow", "list state", [WORDS[i % 16] * 4 for i in range(24)], choice(TEAMS)),
        case("mask-in-text", "this tokenizer's mask text becomes a blank, another's does not",
             "a<mask>b [MASK]", choice({"x<mask>": "[MASK]", "y": "z"})),
        case("specials-in-text", "other special tokens are recognised", "a <eos> <bos>", choice(["u", "<unk>"])),
        case("noul-plain", "default texts", STATE, noul()),
        case("noul-order", "true shown first", STATE, noul(option_order=[1, 0])),
        case("score-plain", "levels", STATE, score(["soon", "later", "never"])),
        case("options-11", "eleven options", STATE, choice(labels(11))),
        case("options-30", "thirty options", STATE, choice(labels(30))),
        case("order-3210", "reversed by option_order", STATE, choice(TEAMS, option_order=[3, 2, 1, 0])),
        case("reversed-dict", "reversed in the file", STATE, choice(dict(reversed(TEAMS.items())))),
    ]  # fmt: skip


def parallel_cases(agent):
    """The parallel layout: every order, and what else changes the layout."""
    return [
        case("string", "text state; hidden states of some tokens", STATE, choice(TEAMS), 16),
        case("object-overflow", "a state that is cut", {"t": [WORDS] * 3}, choice(TEAMS)),
        case("noul-plain", "default texts", STATE, noul()),
        case("score-plain", "levels", STATE, score(["soon", "later", "never"])),
        case("options-1", "one option", STATE, choice(labels(1))),
        case("options-11", "eleven options", STATE, choice(labels(11))),
        case("cut-closing", "laid out before the cut", STATE, choice(labels(78))),
        *order_cases(),
    ]


BAD = [
    ("type-missing", {"instructions": "x", "criteria": ["a"]}),
    ("type-unknown", {"type": "bool", "instructions": "x", "criteria": ["a"]}),
    ("type-number", {"type": 1, "instructions": "x"}),
    ("not-an-object", ["choice"]),
    ("instructions-missing", {"type": "choice", "criteria": ["a"]}),
    ("instructions-null", {"type": "choice", "instructions": None, "criteria": ["a"]}),
    ("instructions-blank", {"type": "choice", "instructions": " \t\n", "criteria": ["a"]}),
    ("instructions-empty-list", {"type": "choice", "instructions": [], "criteria": ["a"]}),
    ("instructions-empty-object", {"type": "choice", "instructions": {}, "criteria": ["a"]}),
    ("choice-no-criteria", {"type": "choice", "instructions": "x"}),
    ("choice-empty-object", choice({})),
    ("choice-empty-list", choice([])),
    ("choice-text", choice("a")),
    ("choice-null-label", choice(["a", None])),
    ("choice-nested-label", choice(["a", ["b"]])),
    ("choice-repeated", choice(["a", "b", "a"])),
    ("choice-repeated-number", choice([1, "x", 1.0])),
    ("score-object", score({"a": "b"})),
    ("score-empty", score([])),
    ("score-null", score(["a", None])),
    ("noul-list", noul(criteria=["a", "b"])),
    ("noul-other-key", noul(criteria={"yes": "a"})),
    ("order-short", choice(TEAMS, option_order=[0, 1, 2])),
    ("order-repeats", choice(TEAMS, option_order=[0, 1, 2, 2])),
    ("order-range", choice(TEAMS, option_order=[1, 2, 3, 4])),
    ("order-text", choice(TEAMS, option_order="0123")),
    ("order-boolean", choice(["a", "b"], option_order=[False, True])),
    ("noul-order-3", noul(option_order=[0, 1, 2])),
    ("labels-on-choice", choice(TEAMS, labels={"false": "a", "true": "b"})),
    ("labels-one", noul(labels={"true": "b"})),
    ("labels-same", noul(labels={"false": " a", "true": "a "})),
    ("labels-blank", noul(labels={"false": " ", "true": "a"})),
    ("labels-number", noul(labels={"false": 0, "true": 1})),
]


def error_entries(agent, overflow, all_kinds):
    """Refused questions with the original's text. `overflow` is the least count of options that does not fit."""
    entries = []
    if all_kinds:
        entries += [(name, "check", "q", question) for name, question in BAD]
        entries += [(f"id-{len(qid)}-blanks", "check", qid, noul()) for qid in ("", "  ")]
        entries += [("markers-many", "encode", "it's", choice(labels(200)))]
    entries += [("markers", "encode", "q", choice(labels(overflow)))]
    Ask(agent, STATE, choice(labels(overflow - 1)))
    return [error_entry(agent, name, stage, qid, STATE, q) for name, stage, qid, q in entries]


def error_entry(agent, name, stage, qid, state, question):
    """One refused question; raises if the original takes it."""
    try:
        agent.system_one(state, {qid: question})
    except (ValueError, TypeError) as error:
        return {
            "name": name,
            "stage": stage,
            "question_id": qid,
            "state_json": compact(state),
            "question_json": compact(question),
            "error": str(error),
        }
    raise AssertionError(f"{name} was not refused")


def decode_entries(agent):
    """Answers from given logits: ties, order, rounding, one option, wide gaps."""
    specs = [
        ("tie", choice({"b": None, "a": None, "c": None}), [0.25, 0.5, 0.5]),
        ("tie-order", choice({"b": None, "a": None, "c": None}, option_order=[2, 0, 1]), [0.5, 0.5, 0.25]),
        ("tie-all", choice(["x", "y", "z", "w"]), [1.0, 1.0, 1.0, 1.0]),
        ("one", choice(["only"]), [-3.0]),
        ("wide", choice(["x", "y"]), [80.0, -80.0]),
        ("padding", choice(["x", "y", "z"]), [-10000.0, 0.0, 1.0]),
        ("noul-half", noul(), [0.5, 0.5]),
        ("noul-order", noul(option_order=[1, 0]), [1.5, -0.5]),
        ("noul-false", noul(), [2.0, -2.0]),
        ("score", score(["a", "b", "c"]), [0.125, -0.25, 0.75]),
        ("score-order", score(["a", "b", "c"], option_order=[1, 2, 0]), [0.125, -0.25, 0.75]),
        ("score-kinds", score([1, {"b": 1}, "x"]), [1.0, 0.0, -1.0]),
        ("eleven", choice([f"k{i}" for i in range(11)]), [i / 8 for i in range(11)]),
        ("score-two", score(["a", "b"]), [0.5, -0.5]),
    ]  # fmt: skip
    made = []
    for name, question, z in specs:
        internal = {"q": agent._to_internal(question)}
        k = len(z)
        logits = np.array([z], dtype=np.float32)
        act = np.array([[0.71875, 0.28125]], dtype=np.float32)
        bucket, temperature = applied(agent, internal["q"], k)
        item = {"markers": list(range(k))}
        answer, unrounded = decode(agent, logits, act, item, internal)
        p = probabilities(logits[0], temperature, internal["q"].get("option_order"))
        made.append(
            {
                "name": name,
                "question_json": compact(question),
                "z": z,
                "act": numbers(act),
                "bucket": bucket,
                "temperature": temperature,
                "p": numbers(p),
                "answer_json": compact(answer),
                "unrounded": unrounded,
            }
        )
    return made


TEMPERATURES = [
    ("published", '{"temperature": [1.6369, 1.25143, 1.9834], "temperature_by_options": {"choice:11+": 0.10058}}'),
    ("absent", "{}"),
    ("high", '{"temperature": [5.0, 5.1, 1e300], "temperature_by_options": {"noul:2": 99}}'),
    ("low", '{"temperature": [0.5, 0.49, -1], "temperature_by_options": {"choice:2": 0}}'),
    ("booleans", '{"temperature": [true, false, 2], "temperature_by_options": {"score:3-5": true}}'),
    ("text", '{"temperature": ["2.5", "x", null], "temperature_by_options": {"choice:2": "1.5", "noul:2": [1]}}'),
    ("nan", '{"temperature": [NaN, Infinity, -Infinity], "temperature_by_options": {"choice:2": NaN}}'),
    ("infinite-number", '{"temperature": [1e400, 1, 1]}'),
    ("unknown-bucket", '{"temperature": [1, 1, 1], "temperature_by_options": {"choice:99": 2.0}}'),
    ("two", '{"temperature": [1, 1]}'),
    ("four", '{"temperature": [1, 1, 1, 1]}'),
    ("number", '{"temperature": 1.5}'),
]  # fmt: skip


def temperature_entries(folder, base):
    """Each configuration loaded by the original, with what it then applies."""
    made = []
    for name, text in TEMPERATURES:
        given = json.loads(text)
        config = {k: v for k, v in base.items() if not k.startswith("temperature")}
        entry = {"name": name, "config_json": text}
        with copied(folder) as copy:
            (copy / "rl_agent_config.json").write_text(json.dumps({**config, **given}))
            try:
                agent = load_agent(copy)
                pairs = [(f"temperature[{i}]", t) for i, t in enumerate(agent.temperature_raw)]
                pairs += list(agent.temperature_by_options_raw.items())
                entry["temperature"] = agent.temperature
                entry["temperature_by_options"] = agent.temperature_by_options
                entry["replaced"] = [
                    name for name, raw in pairs if temperature_rejected(raw, clamp_temperature(raw))
                ]
                entry["error"] = None
            except ValueError as error:
                entry["error"] = str(error).replace(str(copy), "DIR")
        made.append(entry)
    return made


class copied:
    """A temporary copy of a checkpoint folder; leaving the block removes it."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def __enter__(self):
        self.top = tempfile.mkdtemp()
        copy = Path(self.top) / "copy"
        shutil.copytree(self.folder, copy)
        return copy

    def __exit__(self, *_):
        shutil.rmtree(self.top)


DAMAGE = [
    ("missing", "drop", "encoder.layers.2.attn.Wo.weight", None),
    ("missing-norm", "drop", "encoder.layers.1.attn_norm.weight", None),
    ("missing-bias", "drop", "head.layers.1.linear2.bias", None),
    ("missing-buffer", "drop", "temperature", None),
    ("extra", "add", "encoder.layers.0.attn_norm.weight", [64]),
    ("extra-layer", "add", "head.layers.2.norm1.weight", [64]),
    ("shape", "reshape", "scorer.1.weight", [64, 63]),
    ("shape-vocabulary", "reshape", "encoder.embeddings.tok_embeddings.weight", [299, 64]),
]


def load_error_entries(folder):
    """Damaged weights and the original's message."""
    made = []
    for name, change, tensor, shape in DAMAGE:
        with copied(folder) as copy:
            held = load_file(str(copy / "model.safetensors"))
            if change == "drop":
                del held[tensor]
            else:
                held[tensor] = torch.zeros(shape, dtype=torch.float16)
            save_file(held, str(copy / "model.safetensors"))
            try:
                load_agent(copy)
            except (ValueError, RuntimeError) as error:
                text = str(error).replace(str(copy), "DIR")
            else:
                raise AssertionError(f"{name} was not refused")
        made.append(
            {"name": name, "change": change, "tensor": tensor, "shape": shape, "error": text}
        )
    return made


class Pairs:
    """Criteria with repeated keys, for asking the same text in every slot."""

    def __init__(self, pairs):
        self.pairs = pairs

    def items(self):
        return iter(self.pairs)

    def __len__(self):
        return len(self.pairs)


def slot_entries(agent, expected):
    """Identical texts in k slots: what is left is the slot."""
    made = []
    specs = [
        ("same-5", "choice", ("same", "text"), 5),
        ("same-2", "choice", ("same", None), 2),
        ("same-12", "choice", ("same", "text"), 12),
    ]
    for name, kind, pair, k in specs:
        question = {"t": kind, "ins": "Which team?", "crit": Pairs([pair] * k)}
        item = agent._encode_state(STATE, ["q"], {"q": question})[0]
        with torch.no_grad():
            logits, _ = agent._forward(collate_items([[item]], agent.tok.pad_token_id))
        expected.put(f"slots/{name}/z", logits[0, :k])
        made.append(
            {
                "name": name,
                "type": kind,
                "instructions": question["ins"],
                "state_json": compact(STATE),
                "texts": render_options(question),
                "ids": item["ids"],
                "markers": item["markers"],
            }
        )
    return made


def batch_entry(agent, expected, name, specs):
    """Rows of unequal length and count in one padded forward."""
    items = [Ask(agent, json.loads(s["state"]), json.loads(s["question"])).item for s in specs]
    with torch.no_grad():
        logits, _ = agent._forward(collate_items([items], agent.tok.pad_token_id))
    expected.put(f"batch/{name}/z", logits)
    return {"name": name, "cases": [s["name"] for s in specs]}


def render_entries():
    """Raw JSON and the text that the model reads."""
    lax = [{"json": "[NaN, Infinity, -Infinity, 1e400]", "lax": True}]
    return [
        {**entry, "text": serialize_state(json.loads(entry["json"]))} for entry in RENDERED + lax
    ]


PLANS = {
    "laya-a": (GEOMETRY_A, {}, main_cases, 79, "geometry A at its ordinary budgets"),
    "laya-a-tight": (
        GEOMETRY_A,
        {"max_len": 96, "head_max_len": 48},
        tight_cases,
        23,
        "geometry A with budgets 96/48: every question takes the tight branch",
    ),
    "laya-b": (GEOMETRY_B, {}, second_cases, 79, "geometry B, mmBERT-like"),
    "laya-parallel": (
        GEOMETRY_A,
        {"option_layout": "parallel"},
        parallel_cases,
        79,
        "geometry A in the parallel layout",
    ),
}

SHARED_WEIGHTS = {"laya-a-tight": "laya-a", "laya-parallel": "laya-a"}


def make(out, name):
    """Writes golden folder `name` below `out`; shared weights must be there already."""
    geometry, changes, specs_of, overflow, about = PLANS[name]
    folder = Path(out) / name
    folder.mkdir(parents=True, exist_ok=True)
    owner = SHARED_WEIGHTS.get(name)
    write_checkpoint(folder, geometry, SEED, changes, with_weights=owner is None)
    weights_at = "model.safetensors" if owner is None else f"../{owner}/model.safetensors"
    with tempfile.TemporaryDirectory() as top:
        whole = Path(top) / name
        shutil.copytree(folder, whole, ignore=shutil.ignore_patterns("cases.json", "expected*"))
        if owner is not None:
            shutil.copy(folder / weights_at, whole / "model.safetensors")
        agent = load_agent(whole)
        expected = Expected()
        specs = specs_of(agent)
        by_name = {spec["name"]: spec for spec in specs}
        cases = {
            "format": "flipside-golden-1",
            "architecture": "laya",
            "name": name,
            "about": about,
            "weights": weights_at,
            "other_weights": [],
            "tools": versions(),
            "seed": SEED,
            "cases": [run_case(agent, expected, spec) for spec in specs],
            "relations": relations(by_name, name),
            "renders": render_entries() if name == "laya-a" else [],
            "errors": error_entries(agent, overflow, all_kinds=name == "laya-a"),
            "decode": decode_entries(agent) if owner is None else [],
            "batches": [],
            "slots": slot_entries(agent, expected),
            "temperatures": [],
            "load_errors": [],
        }
        unequal = [by_name[n] for n in ("string", "noul-plain", "options-11", "score-plain")]
        cases["batches"] = [batch_entry(agent, expected, "unequal", unequal)]
        if name == "laya-a":
            cases["temperatures"] = temperature_entries(whole, geometry["agent"])
            cases["load_errors"] = load_error_entries(whole)
    expected.save(folder / "expected.safetensors")
    write_cases(folder / "cases.json", cases)


def relations(by_name, name):
    """Facts between cases of one folder."""
    made = []
    if "reversed-dict" in by_name:
        made.append({"kind": "same_ids", "cases": ["reversed-dict", "order-3210"]})
    if "order-0123" in by_name:
        made.append({"kind": "same_ids", "cases": ["string", "order-0123"]})
    if "score-by-list" in by_name:
        made.append({"kind": "different_ids", "cases": ["score-by-list", "score-by-order"]})
    if name == "laya-parallel":
        orders = [n for n in by_name if n.startswith("order-")]
        made.append({"kind": "same_z_by_option", "cases": orders, "within": 1e-5})
    return made
