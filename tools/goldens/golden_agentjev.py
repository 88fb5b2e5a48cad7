"""Goldens of AgentJev: tiny checkpoints in the published layout, run by transformers' Qwen3 and torch's encoder layers.

No package of the original exists, so rendering, limits and answers are written here after its documented contract.
"""

import json
import math
from itertools import permutations
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import nn
from transformers import Qwen3Config, Qwen3Model

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

SEED = 12
LIMIT = 2048
KINDS = ("boolean", "choice", "score")

# One merge crosses the seam between two pieces (`.` and a line feed), two work inside a piece.
MERGES = (("Ġ", "T"), ("t", "h"), (".", "Ċ"))
SPECIALS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")

CONFIG = {
    "architectures": ["Qwen3Model"],
    "model_type": "qwen3",
    "attention_bias": False,
    "attention_dropout": 0.0,
    "head_dim": 16,
    "hidden_act": "silu",
    "hidden_size": 32,
    "intermediate_size": 48,
    "max_position_embeddings": 4096,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "num_key_value_heads": 2,
    "pad_token_id": 259,
    "rms_norm_eps": 1e-06,
    "sliding_window": None,
    "tie_word_embeddings": True,
    "use_sliding_window": False,
    "vocab_size": 300,
}

PLANS = {
    "agentjev-a": {
        "about": "first geometry, flat rope_theta",
        "f32": True,
        "config": {**CONFIG, "rope_theta": 1000000.0},
        "set": {"dim": 16, "layers": 2, "heads": 4},
        "temperatures": {
            "boolean": {"temperature": 1.0717734625362931, "n": 100},
            "choice": {"temperature": 1.25},
            "score": {"temperature": 0.75, "note": "ignored"},
        },
    },
    "agentjev-b": {
        "about": "second geometry: three set layers of one head, rope_parameters, a type without a temperature",
        "f32": False,
        "config": {
            **CONFIG,
            "num_hidden_layers": 3,
            "rope_parameters": {"rope_theta": 10000.0, "rope_type": "default"},
        },
        "set": {"dim": 24, "layers": 3, "heads": 1},
        "temperatures": {"boolean": {"temperature": 2.0}, "choice": {"temperature": 0.5}},
    },
}


class Refused(ValueError):
    """A request that the contract does not take."""


class Scorer(nn.Module):
    """RMSNorm, two linear layers with SiLU between, one number a candidate."""

    def __init__(self, hidden, inner):
        super().__init__()
        self.norm = nn.RMSNorm(hidden, eps=1e-6)
        self.fc1 = nn.Linear(hidden, inner)
        self.fc2 = nn.Linear(inner, 1)

    def forward(self, rows):
        return self.fc2(nn.functional.silu(self.fc1(self.norm(rows)))).squeeze(-1)


class AgentJev(nn.Module):
    """Backbone and head under the published names."""

    def __init__(self, config, set_dim, set_layers, set_heads):
        super().__init__()
        qwen = Qwen3Config(**config)
        qwen._attn_implementation = "sdpa"
        self.path_encoder = nn.Module()
        self.path_encoder.backbone = Qwen3Model(qwen)
        hidden = qwen.hidden_size
        self.proj_in = nn.Linear(hidden, set_dim)
        layer = nn.TransformerEncoderLayer(
            set_dim,
            set_heads,
            4 * set_dim,
            dropout=0.0,
            activation="gelu",
            batch_first=True,
            norm_first=True,
        )
        self.set_encoder = nn.Module()
        self.set_encoder.encoder = nn.TransformerEncoder(
            layer, set_layers, enable_nested_tensor=False
        )
        self.proj_out = nn.Linear(set_dim, hidden)
        self.scorer = Scorer(hidden, set_dim)

    def path(self, ids):
        """Hidden states of one path, all tokens: after each backbone layer, and `final` after the norm."""
        seen, handles = {}, []
        backbone = self.path_encoder.backbone
        for i, layer in enumerate(backbone.layers):
            handles.append(
                layer.register_forward_hook(
                    lambda _, __, out, i=i: seen.__setitem__(
                        f"layer{i}", (out[0] if isinstance(out, tuple) else out)[0]
                    )
                )
            )
        final = backbone(input_ids=torch.tensor([ids]), use_cache=False).last_hidden_state[0]
        for handle in handles:
            handle.remove()
        return {**seen, "final": final}

    def head(self, vectors):
        """Logits of one question's candidates, `vectors` [C, hidden], and X by stage."""
        x = self.proj_in(vectors)[None]
        absent = torch.zeros(x.shape[:2], dtype=torch.bool)
        stages = {"set_in": x[0]}
        for j, layer in enumerate(self.set_encoder.encoder.layers):
            x = layer(x, src_key_padding_mask=absent)
            stages[f"set{j}"] = x[0]
        return self.scorer(vectors + self.proj_out(x[0])), stages


def weights(model, seed):
    """A number on the grid for every tensor of the model, by its name."""
    made = {}
    for name, tensor in model.state_dict().items():
        shape = tuple(tensor.shape)
        if len(shape) == 2:
            # Wider in the set layers' feed-forward, so that gelu's input passes 2, where its tanh form is farthest off,
            # and in the last layer, so that it shows in the logits.
            wide = any(part in name for part in (".linear1.", ".linear2.", ".fc2."))
            made[name] = draw(seed, name, shape, 0.4 if wide else 0.2)
        elif "norm" in name and name.endswith("weight"):
            made[name] = draw(seed, name, shape, 0.2, mean=1.0, step=1 / 64)
        else:
            made[name] = non_zero(draw(seed, name, shape, 0.2))
    return made


def write_checkpoint(folder, plan, seed):
    """Writes the checkpoint folder and gives the model in f32."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "config.json", plan["config"])
    write_json(folder / "temperatures.json", plan["temperatures"])
    tokenizer = byte_tokenizer([], SPECIALS, merges=MERGES, qwen=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    sizes = plan["set"]
    model = AgentJev(plan["config"], sizes["dim"], sizes["layers"], sizes["heads"]).eval()
    made = weights(model, seed)
    model.load_state_dict(made, strict=True)
    kind = torch.float32 if plan["f32"] else torch.bfloat16
    save_weights({k: t.to(kind) for k, t in made.items()}, folder / "model.safetensors")
    return model, tokenizer, made


def semantic(value, name):
    """The text that the model reads for one value."""
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, (dict, list)):
        try:
            return json.dumps(
                value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
            )
        except ValueError:
            raise Refused(f"{name} must contain valid JSON") from None
    raise Refused(f"{name} must be nonempty text, an object or an array")


def prepare_question(question, index):
    """Identity, type, text, keys and candidate texts of one question."""
    kind = question.get("type", "choice")
    text = semantic(question.get("question", question.get("instructions")), "question")
    if kind == "boolean":
        criteria = question.get("criteria", {})
        if not isinstance(criteria, dict):
            raise Refused("criteria must be an object")
        keys = ["true", "false"]
        candidates = [
            semantic(criteria[key], f"{key} criterion") if key in criteria else key.upper()
            for key in keys
        ]
    elif kind == "choice":
        options = question.get("options")
        if isinstance(options, dict):
            keys, values = list(options), list(options.values())
        elif isinstance(options, list):
            keys, values = [str(i) for i in range(len(options))], options
        else:
            raise Refused("choice.options must be an object or array")
        candidates = [semantic(value, "option") for value in values]
        if not 2 <= len(keys) <= 255:
            raise Refused("choice requires 2..255 candidates")
        if not all(keys):
            raise Refused("option IDs must be nonempty strings")
    elif kind == "score":
        levels = question.get("levels")
        if not isinstance(levels, list) or not 2 <= len(levels) <= 10:
            raise Refused("score.levels must contain 2..10 ordered descriptions")
        candidates = [semantic(level, "level") for level in levels]
        keys = [str(i) for i in range(len(levels))]
    else:
        raise Refused("type must be boolean, choice or score")
    if len(set(candidates)) != len(candidates):
        raise Refused("candidate descriptions must be distinct")
    return {
        "id": question.get("id", str(index)),
        "type": kind,
        "text": text,
        "keys": keys,
        "candidates": candidates,
    }


def prepare(request):
    """State text and prepared questions of one `{state, questions}` request."""
    if not isinstance(request, dict):
        raise Refused("request must be an object")
    state = semantic(request.get("state"), "state")
    questions = request.get("questions")
    if not isinstance(questions, list) or not questions:
        raise Refused("questions must be a nonempty array")
    made = []
    for index, question in enumerate(questions):
        if not isinstance(question, dict):
            raise Refused("each question must be an object")
        identity = question.get("id", str(index))
        taken = [other["id"] for other in made]
        if not isinstance(identity, str) or not identity or identity in taken:
            raise Refused("question IDs must be unique nonempty strings within a state")
        made.append(prepare_question(question, index))
    if len(made) > 128 or sum(len(question["candidates"]) for question in made) > 1024:
        raise Refused("batch exceeds 128 questions or 1024 candidate paths")
    return state, made


def pieces(tokenizer, state, question):
    """Token ids of the three pieces, each tokenized alone; the last a list, one for each candidate."""

    def ids(text):
        return tokenizer.encode(text, add_special_tokens=False).ids

    state_ids = ids(state if state.startswith("[STATE]") else "[STATE] " + state)
    question_ids = ids("\n[QUESTION] " + question["text"])
    candidate_ids = [ids("\n[CANDIDATE] " + text) for text in question["candidates"]]
    for own in candidate_ids:
        length = len(state_ids) + len(question_ids) + len(own)
        if length > LIMIT:
            raise Refused(
                f"question {question['id']!r} needs {length} tokens; limit {LIMIT}. "
                "Shorten the input; nothing was truncated."
            )
    return state_ids, question_ids, candidate_ids


def shared_prefix(paths):
    """Tokens that all paths share at their start, at least one of each path's own left over."""
    limit = min(map(len, paths)) - 1
    for i in range(limit):
        if len({path[i] for path in paths}) > 1:
            return i
    return limit


def answer(question, p):
    """The contract's answer from unrounded probabilities."""
    best = max(range(len(p)), key=p.__getitem__)
    out = {
        "id": question["id"],
        "type": question["type"],
        "distribution": dict(zip(question["keys"], p, strict=True)),
    }
    if question["type"] == "boolean":
        return {**out, "probability": p[0], "value": p[0] >= 0.5}
    if question["type"] == "choice":
        ranked = sorted(p, reverse=True)
        return {
            **out,
            "value": question["keys"][best],
            "description": question["candidates"][best],
            "top_probability": ranked[0],
            "margin": ranked[0] - ranked[1],
        }
    return {
        **out,
        "score": sum(i * value for i, value in enumerate(p)),
        "level": best,
        "legend": question["candidates"],
    }


def softmax(z, temperature):
    """f32 probabilities of tempered logits."""
    return torch.softmax(z / temperature, -1)


def applied_temperatures(given):
    """Temperature by type out of `temperatures.json`, 1 where a type is missing."""
    made = dict.fromkeys(KINDS, 1.0)
    for kind, entry in given.items():
        value = entry.get("temperature") if isinstance(entry, dict) else None
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if kind not in KINDS or not number or not math.isfinite(value) or not 0.05 <= value <= 20:
            raise Refused("Invalid calibration temperature")
        made[kind] = float(value)
    return made


def vectors_of(model, paths):
    """Hidden states by stage, all tokens, for each path; one path a forward."""
    return [model.path(ids) for ids in paths]


def run_case(model, tokenizer, temperatures, expected, spec):
    """Runs one case and gives its entry of `cases.json`; its tensors go to `expected`."""
    question_given = json.loads(spec["question"])
    state, questions = prepare({"state": json.loads(spec["state"]), "questions": [question_given]})
    question, name = questions[0], spec["name"]
    state_ids, question_ids, candidate_ids = pieces(tokenizer, state, question)
    paths = [state_ids + question_ids + own for own in candidate_ids]
    with torch.no_grad():
        hidden = vectors_of(model, paths)
        vectors = torch.stack([stages["final"][-1] for stages in hidden])
        z, stages = model.head(vectors)
        temperature = temperatures[question["type"]]
        p = softmax(z, temperature)
        expected.put(f"{name}/z", z)
        expected.put(f"{name}/p", p)
        expected.put(f"{name}/vectors", vectors)
        for stage in ("layer0", "layer1"):
            expected.put(f"{name}/{stage}", torch.stack([path[stage][-1] for path in hidden]))
        for stage, x in stages.items():
            expected.put(f"{name}/{stage}", x)
        if spec["path"] is not None:
            for stage in ("layer0", "layer1", "final"):
                expected.put(f"{name}/path/{stage}", hidden[spec["path"]][stage])
        if spec["orders"]:
            rows = [model.head(vectors[list(o)])[0] for o in permutations(range(len(paths)))]
            expected.put(f"{name}/perms_z", torch.stack(rows))
            kept = [[i for i in range(len(paths)) if i != j] for j in range(len(paths))]
            rows = [model.head(vectors[rest])[0] for rest in kept]
            expected.put(f"{name}/leave_one_out_z", torch.stack(rows))
    return {
        "name": name,
        "about": spec["about"],
        "state_json": spec["state"],
        "question_json": spec["question"],
        "type": question["type"],
        "keys": question["keys"],
        "state_text": state,
        "question_text": question["text"],
        "candidates": question["candidates"],
        "state_ids": state_ids,
        "question_ids": question_ids,
        "candidate_ids": candidate_ids,
        "path_tokens": [len(path) for path in paths],
        "shared_prefix": shared_prefix(paths),
        "temperature": temperature,
        "answer": answer(question, numbers(p)),
        "path_hidden": spec["path"],
        "permutations": spec["orders"],
        "leave_one_out": spec["orders"],
    }


class Raw(str):
    """JSON text that is given as it is."""


def case(name, about, state, question, path=None, orders=False):
    """A case's specification; values are written as JSON unless `Raw`."""
    return {
        "name": name,
        "about": about,
        "state": state if isinstance(state, Raw) else compact(state),
        "question": question if isinstance(question, Raw) else compact(question),
        "path": path,
        "orders": orders,
    }


STATE = "Customer: The card was charged twice."
TEAMS = {
    "billing": "invoices, charges, refunds",
    "bugs": "bugs, outages, errors",
    "sales": "pricing, new contracts",
    "login": "accounts and passwords",
    "other": "everything else",
}
FOUR = dict(list(TEAMS.items())[:4])
OBJECT_STATE = Raw(
    '{"zeta": {"b": 1e-05, "a": [1e16, 100.0, 2.50, -0.0, -0, 1E5]}, "alpha": "Zürich — 東京 \\u00e9", '
    '"big": 123456789012345678901234567890, "\\ud83d\\ude00": null, "\\ufffd": true, "n": "a\\tb\\n\\"c\\" \\/"}'
)


def choice(options, question="Which team should handle this?", **more):
    """A choice question."""
    return {"id": "q", "type": "choice", "question": question, "options": options, **more}


def boolean(question="Is this about money?", **more):
    """A boolean question."""
    return {"id": "q", "type": "boolean", "question": question, **more}


def score(levels, question="How urgent is this?"):
    """A score question."""
    return {"id": "q", "type": "score", "question": question, "levels": levels}


def specs():
    """The cases, for both geometries."""
    return [
        case("five", "five options: every permutation and every leave-one-out", STATE, choice(TEAMS), 0, True),
        case("five-reversed", "the same in reversed order", STATE, choice(dict(reversed(TEAMS.items())))),
        case("four", "four options", STATE, choice(FOUR)),
        case("object", "an object state: sorted at every depth, numbers as Python writes them", OBJECT_STATE, choice(FOUR)),
        case("object-resorted", "the same state with its members in another order: the same text",
             Raw('{"n": "a\\tb\\n\\"c\\" /", "\\ufffd": true, "\\ud83d\\ude00": null, "big": '
                 '123456789012345678901234567890, "alpha": "Zürich — 東京 é", "zeta": {"a": '
                 '[10000000000000000.0, 1e2, 2.5, -0.0, 0, 100000.0], "b": 0.00001}}'), choice(FOUR)),
        case("array", "an array state", ["turn one", {"b": 1, "a": 2.0}], choice(FOUR)),
        case("prefixed", "a state that starts with [STATE] gets no prefix", "[STATE] " + STATE, choice(FOUR)),
        case("prefix-inside", "a blank before it: the prefix is added", " [STATE] x", choice(FOUR)),
        case("untrimmed", "text is used as it is, blanks and all", "  padded \n", choice({"a": " x ", "b": "x"})),
        case("seam", "a full stop before the line feed: joined text would merge them", "Ends here.",
             choice({"a": "One.", "b": "Two."}, "Which one.")),
        case("special", "special tokens inside text become one id", "a <|im_end|> b", choice({"a": "<|endoftext|>", "b": "y"})),
        case("decomposed", "normalised to NFC before the bytes", "Zu\u0308rich cafe\u0301", choice({"a": "e\u0301", "b": "o"})),
        case("option-order", "integer-like and unsorted keys keep their order", STATE,
             Raw('{"id":"q","options":{"10":"ten","9":"nine","b":"bee","a":"ay"},"question":"Which?"}')),
        case("option-list", "a list of options", STATE, choice(["first", "second", "third"])),
        case("option-structured", "options that are objects and arrays", STATE,
             choice({"x": {"b": 1, "a": [2.0]}, "y": ["é", None], "z": "text"})),
        case("question-structured", "a question that is an object; type left out", STATE,
             Raw('{"id":"q","question":{"z":1.50,"a":"which"},"options":["u","v"]}')),
        case("instructions", "instructions where question is absent", STATE,
             Raw('{"id":"q","type":"score","instructions":"How bad?","levels":["low","high"]}')),
        case("both-texts", "question wins over instructions", STATE,
             Raw('{"id":"q","type":"boolean","instructions":"No?","question":"Yes?"}')),
        case("boolean", "TRUE and FALSE", STATE, boolean(), 1),
        case("boolean-one", "one criterion", STATE, boolean(criteria={"false": "it is not"})),
        case("boolean-both", "both, false first in the file", STATE, boolean(criteria={"false": "no", "true": {"a": 1}})),
        case("score", "three levels", STATE, score(["not urgent", "soon", "critical"])),
        case("score-ten", "ten levels", STATE, score([f"level {i}" for i in range(10)])),
        case("two", "two options", STATE, choice(["a", "b"])),
        case("eight", "eight options with a long state: sharing by `auto`", STATE * 4, choice([f"option {i}" for i in range(8)])),
        case("prefix-option", "one option is the start of another", STATE, choice({"a": "ref", "b": "refund"})),
    ]  # fmt: skip


def request(question, state="ticket"):
    """A request of one question."""
    return {"state": state, "questions": [question]}


TEXTS = [{"id": "q", "question": "x", "options": ["a", "b"]}]
BAD = [
    ("request-list", [1, 2]),
    ("state-missing", {"questions": TEXTS}),
    ("state-null", {"state": None, "questions": TEXTS}),
    ("state-blank", {"state": " \t\n", "questions": TEXTS}),
    ("state-blank-separator", {"state": "\u001c\u0085\u2003", "questions": TEXTS}),
    ("state-number", {"state": 7, "questions": TEXTS}),
    ("state-boolean", {"state": True, "questions": TEXTS}),
    ("questions-missing", {"state": "x"}),
    ("questions-empty", {"state": "x", "questions": []}),
    ("questions-object", {"state": "x", "questions": {"q": TEXTS[0]}}),
    ("question-text", {"state": "x", "questions": ["q"]}),
    ("id-empty", request({**TEXTS[0], "id": ""})),
    ("id-number", request({**TEXTS[0], "id": 1})),
    ("id-twice", {"state": "x", "questions": TEXTS * 2}),
    ("id-default-taken", {"state": "x", "questions": [{**TEXTS[0], "id": "1"}, {"question": "x", "options": ["a", "b"]}]}),
    ("type-unknown", request({"id": "q", "type": "noul", "question": "x"})),
    ("question-missing", request({"id": "q", "options": ["a", "b"]})),
    ("question-null", request({"id": "q", "question": None, "instructions": "x", "options": ["a", "b"]})),
    ("question-blank", request(choice(["a", "b"], "  "))),
    ("options-missing", request({"id": "q", "question": "x"})),
    ("options-text", request(choice("ab"))),
    ("options-one", request(choice(["a"]))),
    ("options-none", request(choice({}))),
    ("option-null", request(choice({"a": None, "b": "x"}))),
    ("option-blank", request(choice(["a", " "]))),
    ("option-number", request(choice(["a", 1]))),
    ("option-key-empty", request(choice({"": "x", "b": "y"}))),
    ("duplicates", request(choice({"a": "same", "b": "same"}))),
    ("duplicates-rendered", request(choice([{"a": 1, "b": 2}, {"b": 2, "a": 1}]))),
    ("duplicates-text-and-object", request(choice(['{"a":1}', {"a": 1}]))),
    ("duplicate-criterion", request(boolean(criteria={"true": "FALSE"}))),
    ("criteria-list", request(boolean(criteria=["a", "b"]))),
    ("criteria-null", request(boolean(criteria=None))),
    ("criterion-null", request(boolean(criteria={"true": None}))),
    ("criterion-blank", request(boolean(criteria={"false": ""}))),
    ("levels-missing", request({"id": "q", "type": "score", "question": "x"})),
    ("levels-object", request(score({"a": "b", "c": "d"}))),
    ("levels-one", request(score(["a"]))),
    ("levels-eleven", request(score([f"l{i}" for i in range(11)]))),
    ("level-null", request(score(["a", None]))),
    ("levels-equal", request(score(["a", "a"]))),
    ("options-256", request(choice([f"option {i}" for i in range(256)]))),
    ("questions-129", {"state": "x", "questions": [{"question": "x", "type": "boolean"}] * 129}),
    ("paths-1025", {"state": "x", "questions": [{"question": "x", "options": [f"o{i}" for i in range(205)]}] * 5}),
]  # fmt: skip

# Accepted, though a first reading might refuse them.
GOOD = [
    ("zero-width-blank", {"state": "\u200b", "questions": TEXTS}),
    ("empty-object", {"state": {}, "questions": TEXTS}),
    ("empty-array", {"state": [], "questions": TEXTS}),
    ("other-criteria", request(boolean(criteria={"maybe": 1}))),
    ("id-default", request({"question": "x", "options": ["a", "b"]})),
    ("option-differs-by-blank", request(choice(["a", "a "]))),
]

LONG = [("q", 2100, "long"), ("it's", 3000, "long-apostrophe"), ("a\"b'c\n", 2100, "long-quotes")]


def refusal(tokenizer, given):
    """The refusal's text, or None."""
    try:
        state, questions = prepare(given)
        for question in questions:
            pieces(tokenizer, state, question)
    except Refused as error:
        return str(error)
    return None


def error_entries(tokenizer):
    """Requests and their refusals; `error` null where the contract takes them."""
    made = []
    for name, given in [*BAD, *GOOD]:
        error = refusal(tokenizer, given)
        assert (error is None) == (name in dict(GOOD)), name
        made.append({"name": name, "request_json": compact(given), "error": error})
    for identity, count, name in LONG:
        shown = {"state": "@", "questions": [{**TEXTS[0], "id": identity}]}
        error = refusal(tokenizer, {**shown, "state": "w" * count})
        assert "needs" in error
        made.append(
            {
                "name": name,
                "request_json": compact(shown),
                "repeat": {"@": ["w", count]},
                "error": error,
            }
        )
    shown = {"state": "@", "questions": TEXTS}
    longest = max(
        n
        for n in range(LIMIT - 60, LIMIT)
        if refusal(tokenizer, {**shown, "state": "w" * n}) is None
    )
    for name, count in (("exactly-2048", longest), ("exactly-2049", longest + 1)):
        error = refusal(tokenizer, {**shown, "state": "w" * count})
        made.append(
            {
                "name": name,
                "request_json": compact(shown),
                "repeat": {"@": ["w", count]},
                "error": error,
            }
        )
    lax = (
        '{"state": {"a": [%s]}, "questions": [{"id": "q", "question": "x", "options": ["a", "b"]}]}'
    )
    for name, text in (("nan", "NaN"), ("infinity", "-Infinity"), ("infinite-number", "1e400")):
        raw = lax % text
        made.append(
            {
                "name": name,
                "request_json": raw,
                "lax": True,
                "error": refusal(tokenizer, json.loads(raw)),
            }
        )
    return made


def decode_entries():
    """Answers from given logits: ties, order, one clear winner."""
    given = [
        ("tie", choice(["x", "y", "z"]), [0.25, 0.5, 0.5], 1.0),
        ("tie-all", choice({"b": "one", "a": "two"}), [1.0, 1.0], 0.75),
        ("boolean-half", boolean(), [0.5, 0.5], 2.0),
        ("boolean-false", boolean(), [-1.0, 1.0], 1.0),
        ("score", score(["a", "b", "c"]), [0.125, -0.25, 0.75], 0.5),
        ("score-tie", score(["a", "b", "c"]), [0.75, -0.25, 0.75], 1.0),
        ("wide", choice(["x", "y"]), [90.0, -90.0], 0.05),
    ]
    made = []
    for name, question, z, temperature in given:
        prepared = prepare_question(question, 0)
        p = numbers(softmax(torch.tensor(z), temperature))
        made.append(
            {
                "name": name,
                "type": prepared["type"],
                "keys": prepared["keys"],
                "candidates": prepared["candidates"],
                "z": z,
                "temperature": temperature,
                "p": p,
                "answer": answer(prepared, p),
            }
        )
    return made


TEMPERATURES = [
    ("published", '{"boolean": {"temperature": 1.0717734625362931, "nll": 0.4}, "choice": {"temperature": 1.0352649238413776}, "score": {"temperature": 1.0717734625362931}}'),
    ("empty", "{}"),
    ("one", '{"score": {"temperature": 2}}'),
    ("bounds", '{"choice": {"temperature": 0.05}, "score": {"temperature": 20}}'),
    ("below", '{"choice": {"temperature": 0.049}}'),
    ("above", '{"choice": {"temperature": 20.01}}'),
    ("zero", '{"choice": {"temperature": 0}}'),
    ("negative", '{"choice": {"temperature": -1.0}}'),
    ("infinite-number", '{"choice": {"temperature": 1e400}}'),
]  # fmt: skip


def temperature_entries():
    """Files of temperatures and what applies, or the refusal."""
    made = []
    for name, text in TEMPERATURES:
        entry = {"name": name, "config_json": text, "applied": None, "error": None}
        try:
            entry["applied"] = applied_temperatures(json.loads(text))
        except Refused as error:
            entry["error"] = str(error)
        made.append(entry)
    return made


def wide_entries(model, tokenizer, expected):
    """255 candidates pass, 256 do not."""
    question = choice([f"option {i}" for i in range(255)], "Which?")
    state, questions = prepare({"state": "x", "questions": [question]})
    state_ids, question_ids, candidate_ids = pieces(tokenizer, state, questions[0])
    with torch.no_grad():
        hidden = vectors_of(model, [state_ids + question_ids + own for own in candidate_ids])
        z, _ = model.head(torch.stack([stages["final"][-1] for stages in hidden]))
    expected.put("wide/255/z", z)
    over = choice([f"option {i}" for i in range(256)], "Which?")
    return [
        {"count": 255, "state_json": '"x"', "question": "Which?", "error": None},
        {
            "count": 256,
            "state_json": '"x"',
            "question": "Which?",
            "error": refusal(tokenizer, {"state": "x", "questions": [over]}),
        },
    ]


def render_entries():
    """Raw JSON and the text that the model reads; and raw JSON that is refused as a state."""
    good = [{**entry, "text": semantic(json.loads(entry["json"]), "state")} for entry in RENDERED]
    bad = []
    for text in ("7", "true", "null", '""', '" \\u3000"', "1e400"):
        try:
            semantic(json.loads(text), "option")
        except Refused as error:
            bad.append({"json": text, "error": str(error)})
        else:
            raise AssertionError(f"{text} was not refused")
    return good, bad


def damaged(made):
    """Changes that a strict loader must refuse; there is no original to quote."""
    layer = "path_encoder.backbone.layers.1.self_attn."
    entries = [
        ("missing", "drop", layer + "q_norm.weight", None),
        ("missing-bias", "drop", "set_encoder.encoder.layers.1.linear2.bias", None),
        ("extra", "add", "lm_head.weight", [300, 32]),
        ("extra-norm", "add", "set_encoder.encoder.norm.weight", [16]),
        ("shape", "reshape", layer + "o_proj.weight", [32, 32]),
        ("shape-head", "reshape", "scorer.fc2.weight", [2, 16]),
    ]
    for _, change, name, _ in entries:
        assert (name in made) == (change != "add"), name
    return [
        {"name": name, "change": change, "tensor": tensor, "shape": shape, "error": None}
        for name, change, tensor, shape in entries
    ]


def make(out, name):
    """Writes golden folder `name` below `out`."""
    plan, folder = PLANS[name], Path(out) / name
    model, tokenizer, made = write_checkpoint(folder, plan, SEED)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    first = name == "agentjev-a"
    if first:
        half = {key: tensor.bfloat16() for key, tensor in made.items()}
        save_weights(half, folder / "model-bf16.safetensors")
    temperatures = applied_temperatures(plan["temperatures"])
    expected = Expected()
    wanted = specs() if first else [s for s in specs() if s["name"] in SECOND]
    renders, render_errors = render_entries() if first else ([], [])
    cases = {
        "format": "flipside-golden-1",
        "architecture": "agentjev",
        "name": name,
        "about": plan["about"],
        "weights": "model.safetensors",
        "other_weights": ["model-bf16.safetensors"] if first else [],
        "set_heads": plan["set"]["heads"],
        "tools": versions(),
        "seed": SEED,
        "cases": [run_case(model, tokenizer, temperatures, expected, spec) for spec in wanted],
        "relations": [{"kind": "reversed", "cases": ["five", "five-reversed"]}],
        "renders": renders,
        "render_errors": render_errors,
        "errors": error_entries(tokenizer) if first else [],
        "decode": decode_entries() if first else [],
        "temperatures": temperature_entries() if first else [],
        "wide": wide_entries(model, tokenizer, expected) if first else [],
        "load_errors": damaged(made) if first else [],
    }
    if first:
        cases["relations"].append({"kind": "same_ids", "cases": ["object", "object-resorted"]})
    expected.save(folder / "expected.safetensors")
    write_cases(folder / "cases.json", cases)


SECOND = ("five", "five-reversed", "object", "boolean", "score", "eight")
