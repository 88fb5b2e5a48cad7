"""Goldens of causal language models: tiny GGUF files of the Llama family, Qwen2 and Qwen3, run by transformers.

    python golden_causal.py --out ../../crates/flipside-local/tests/goldens
    python golden_causal.py --check

Weights are drawn in the layout and type of the file, and the reference runs what they are when dequantised. The readouts (the tokens
of a letter, the log-probability of a text) are flipside's own, so they are written here. `--check` makes everything again and compares.
"""

import argparse
import json
import math
import os
import tempfile
from importlib.metadata import version
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import gguf
import numpy as np
import torch
from gguf import GGMLQuantizationType as Type
from gguf import quants
from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers
from transformers import (
    LlamaConfig,
    LlamaForCausalLM,
    Qwen2Config,
    Qwen2ForCausalLM,
    Qwen3Config,
    Qwen3ForCausalLM,
)
from transformers.utils.chat_template_utils import render_jinja_template

from common import QWEN_PIECES, Expected, byte_symbols, draw, non_zero, write_cases

COMMITTED = Path(__file__).parents[2] / "crates" / "flipside-local" / "tests" / "goldens"
TOOLS = ("gguf", "numpy", "tokenizers", "torch", "transformers")
SEED = 31
# What another run may differ by, relative to max(1, largest |value|).
AGAIN = 1e-5

LLAMA3_PIECES = QWEN_PIECES.replace(r"|\p{N}|", r"|\p{N}{1,3}|")
SPECIALS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
MERGES = ("Ġ t", "h e", "Ġt he", "i n", "e r", "Ġ A", "Ġ B", "1 2", "12 3", "Ċ Ċ", "o n", "Ġ a", "e s")
TEXTS = (
    "Question: 2024 is 123% off?",
    "the thing in  there\n\nAnswer: A",
    " leading, trailing ",
    "é and e\u0301, 日本 don't WE'LL",
    "<|im_start|>user\nHi<|im_end|>\n",
)

CHATML = (
    "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}"
    "{{ '<|im_start|>system\nYou help<|im_end|>\n' }}{% endif %}"
    "{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
# What the templates of larger families use: namespaces, methods of strings, whitespace control, a switch for thinking.
THINKING = """{%- set ns = namespace(last=-1) %}
{%- for message in messages %}
    {%- if message.role == "user" and not (message.content.startswith('<tool>') and message.content.endswith('</tool>')) %}
        {%- set ns.last = loop.index0 %}
    {%- endif %}
{%- endfor %}
{%- if tools %}
    {{- raise_exception('no tools here') }}
{%- endif %}
{%- for message in messages %}
    {%- if message.content is string %}
        {%- set content = message.content %}
    {%- else %}
        {%- set content = '' %}
    {%- endif %}
    {%- if loop.index0 == ns.last %}
        {{- '<|im_start|>' + message.role + '\\n' + content.split('</think>')[-1].lstrip('\\n') + '<|im_end|>\\n' }}
    {%- else %}
        {{- '<|im_start|>' ~ message.role ~ '\\n' ~ content.strip() ~ '<|im_end|>\\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\\n\\n</think>\\n\\n' }}
    {%- endif %}
{%- endif %}
"""
LLAMA3 = (
    "{{- bos_token }}{% for message in messages %}{% if message['role'] not in ['system', 'user'] %}"
    "{{ raise_exception('unknown role') }}{% endif %}"
    "{{- '<|im_start|>' + message['role'] + '\n\n' + message['content'] | trim + '<|im_end|>' }}{% endfor %}"
    "{% if add_generation_prompt %}{{- '<|im_start|>assistant\n\n' }}{% endif %}"
)

PLANS = {
    "causal-llama": {
        "about": "Llama as SmolLM2 is stored: Q4_1 layers, Q8_0 embedding that is the output too, digits one by one",
        "architecture": "llama",
        "pre": "smollm",
        "chat": CHATML,
        "types": (Type.Q4_1, Type.Q8_0),
        "tied": True,
    },
    "causal-llama3": {
        "about": "Llama 3: F16, factors of rotary frequencies, an output of its own, a token that begins every text",
        "architecture": "llama",
        "pre": "llama-bpe",
        "chat": LLAMA3,
        "types": (Type.F16, Type.F16),
        "tied": False,
    },
    "causal-qwen2": {
        "about": "Qwen2: F16, biases, the embedding as the output",
        "architecture": "qwen2",
        "pre": "qwen2",
        "chat": CHATML,
        "types": (Type.F16, Type.F16),
        "tied": True,
    },
    "causal-qwen3": {
        "about": "Qwen3: F16, norms of heads that are wider than width / heads, an output of its own",
        "architecture": "qwen3",
        "pre": "qwen2",
        "chat": THINKING,
        "types": (Type.F16, Type.F16),
        "tied": False,
    },
}


def tokens_of(plan):
    """Names and types of the tokens in the order of their ids, and the merges."""
    pairs = ["".join(merge.split(" ")) for merge in MERGES]
    names = [*SPECIALS, *byte_symbols(), *pairs]
    # A word that is a token and that no merge makes: Llama 3 keeps it, others do not.
    names.append("Ġwhole")
    kinds = [3] * len(SPECIALS) + [1] * (len(names) - len(SPECIALS))
    return names, kinds


def tokenizer(plan):
    """The tokenizer of the family, as its own `tokenizer.json` would be."""
    names, _ = tokens_of(plan)
    merges = [tuple(merge.split(" ")) for merge in MERGES]
    vocabulary = {name: index for index, name in enumerate(names)}
    made = Tokenizer(
        models.BPE(vocab=vocabulary, merges=merges, ignore_merges=plan["pre"] == "llama-bpe")
    )
    made.add_special_tokens([AddedToken(n, special=True, normalized=False) for n in SPECIALS])
    if plan["pre"] == "smollm":
        made.pre_tokenizer = pre_tokenizers.Sequence(
            [
                pre_tokenizers.Digits(individual_digits=True),
                pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
            ]
        )
        return made
    rule = QWEN_PIECES
    if plan["pre"] == "llama-bpe":
        rule = LLAMA3_PIECES
    else:
        made.normalizer = normalizers.NFC()
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(rule), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    return made


GEOMETRY = {"width": 64, "inner": 128, "layers": 2, "heads": 4, "key_heads": 2, "positions": 2048}


def head_of(plan):
    """Components of a head."""
    return 24 if plan["architecture"] == "qwen3" else GEOMETRY["width"] // GEOMETRY["heads"]


def halves(weight, heads):
    """Rows in neighbouring pairs, as GGUF files of the Llama family have them, in half-split order as transformers does."""
    rows, columns = weight.shape
    pairs = weight.reshape(heads, rows // heads // 2, 2, columns)
    return pairs.transpose(1, 2).reshape(rows, columns)


def weights(plan, name):
    """The tensors of the file by name: stored numbers, type, and what they are when dequantised."""
    d, inner, head = GEOMETRY["width"], GEOMETRY["inner"], head_of(plan)
    queries, keys = GEOMETRY["heads"] * head, GEOMETRY["key_heads"] * head
    layer, embedding = plan["types"]
    count = len(tokens_of(plan)[0])
    made = {}

    def put(tensor, shape, std, kind, mean=0.0):
        step = 1 / 64 if len(shape) == 1 else 1 / 32
        values = draw(SEED, f"{name}/{tensor}", shape, std, mean=mean, step=step)
        if len(shape) == 1 and not mean:
            values = non_zero(values, step=1 / 64)
        values = values.numpy()
        stored = quants.quantize(values, kind)
        real = quants.dequantize(stored, kind) if kind != Type.F32 else values
        made[tensor] = (stored, kind, torch.tensor(np.ascontiguousarray(real, dtype=np.float32)))

    put("token_embd.weight", (count, d), 1.0, embedding)
    put("output_norm.weight", (d,), 0.2, Type.F32, mean=1.0)
    if not plan["tied"]:
        put("output.weight", (count, d), 0.3, embedding)
    if plan["pre"] == "llama-bpe":
        factors = np.array([1.0] * (head // 4) + [2.0, 8.0] * (head // 8), dtype=np.float32)
        made["rope_freqs.weight"] = (factors, Type.F32, torch.tensor(factors))
    for place in range(GEOMETRY["layers"]):
        root = f"blk.{place}."
        put(f"{root}attn_norm.weight", (d,), 0.2, Type.F32, mean=1.0)
        put(f"{root}ffn_norm.weight", (d,), 0.2, Type.F32, mean=1.0)
        put(f"{root}attn_q.weight", (queries, d), 0.3, layer)
        put(f"{root}attn_k.weight", (keys, d), 0.3, layer)
        put(f"{root}attn_v.weight", (keys, d), 0.2, layer)
        put(f"{root}attn_output.weight", (d, queries), 0.1, layer)
        put(f"{root}ffn_gate.weight", (inner, d), 0.3, layer)
        put(f"{root}ffn_up.weight", (inner, d), 0.2, layer)
        put(f"{root}ffn_down.weight", (d, inner), 0.1, layer)
        if plan["architecture"] == "qwen2":
            put(f"{root}attn_q.bias", (queries,), 0.3, Type.F32)
            put(f"{root}attn_k.bias", (keys,), 0.3, Type.F32)
            put(f"{root}attn_v.bias", (keys,), 0.1, Type.F32)
        if plan["architecture"] == "qwen3":
            put(f"{root}attn_q_norm.weight", (head,), 0.2, Type.F32, mean=1.0)
            put(f"{root}attn_k_norm.weight", (head,), 0.2, Type.F32, mean=1.0)
    return made


def write_file(plan, name, made, path):
    """Writes the GGUF file."""
    architecture = plan["architecture"]
    out = gguf.GGUFWriter(str(path), architecture)
    names, kinds = tokens_of(plan)
    out.add_name(name)
    out.add_block_count(GEOMETRY["layers"])
    out.add_context_length(GEOMETRY["positions"])
    out.add_embedding_length(GEOMETRY["width"])
    out.add_feed_forward_length(GEOMETRY["inner"])
    out.add_head_count(GEOMETRY["heads"])
    out.add_head_count_kv(GEOMETRY["key_heads"])
    if architecture == "qwen3":
        out.add_key_length(head_of(plan))
        out.add_value_length(head_of(plan))
    out.add_layer_norm_rms_eps(1e-5)
    out.add_rope_freq_base(10000.0)
    if architecture == "llama":
        out.add_rope_dimension_count(head_of(plan))
    out.add_tokenizer_model("gpt2")
    out.add_tokenizer_pre(plan["pre"])
    out.add_token_list(names)
    out.add_token_types(kinds)
    out.add_token_merges(list(MERGES))
    out.add_bos_token_id(0)
    out.add_eos_token_id(2)
    out.add_add_bos_token(plan["pre"] == "llama-bpe")
    out.add_chat_template(plan["chat"])
    for tensor, (stored, kind, _) in made.items():
        out.add_tensor(tensor, stored, raw_dtype=kind)
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


def reference(plan, made):
    """The model in transformers with the same numbers."""
    kinds = {
        "llama": (LlamaConfig, LlamaForCausalLM),
        "qwen2": (Qwen2Config, Qwen2ForCausalLM),
        "qwen3": (Qwen3Config, Qwen3ForCausalLM),
    }
    kind, model_kind = kinds[plan["architecture"]]
    config = kind(
        vocab_size=len(tokens_of(plan)[0]),
        hidden_size=GEOMETRY["width"],
        intermediate_size=GEOMETRY["inner"],
        num_hidden_layers=GEOMETRY["layers"],
        num_attention_heads=GEOMETRY["heads"],
        num_key_value_heads=GEOMETRY["key_heads"],
        head_dim=head_of(plan),
        max_position_embeddings=GEOMETRY["positions"],
        rms_norm_eps=1e-5,
        rope_theta=10000.0,
        tie_word_embeddings=plan["tied"],
        attention_bias=plan["architecture"] == "qwen2",
        attn_implementation="eager",
    )
    model = model_kind(config).eval()
    parts = {
        "attn_norm": "input_layernorm",
        "ffn_norm": "post_attention_layernorm",
        "attn_q": "self_attn.q_proj",
        "attn_k": "self_attn.k_proj",
        "attn_v": "self_attn.v_proj",
        "attn_output": "self_attn.o_proj",
        "attn_q_norm": "self_attn.q_norm",
        "attn_k_norm": "self_attn.k_norm",
        "ffn_gate": "mlp.gate_proj",
        "ffn_up": "mlp.up_proj",
        "ffn_down": "mlp.down_proj",
    }
    state = {}
    for name, (_, _, real) in made.items():
        if name == "rope_freqs.weight":
            continue
        if name.startswith("blk."):
            _, place, part, kind = name.split(".")
            if plan["architecture"] == "llama" and part in ("attn_q", "attn_k"):
                heads = GEOMETRY["heads"] if part == "attn_q" else GEOMETRY["key_heads"]
                real = halves(real, heads)
            state[f"model.layers.{place}.{parts[part]}.{kind}"] = real
        else:
            names = {
                "token_embd": "model.embed_tokens",
                "output_norm": "model.norm",
                "output": "lm_head",
            }
            state[f"{names[name.split('.')[0]]}.weight"] = real
    if plan["tied"]:
        state["lm_head.weight"] = state["model.embed_tokens.weight"]
    model.load_state_dict(state, strict=True)
    if "rope_freqs.weight" in made:
        model.model.rotary_emb.inv_freq /= made["rope_freqs.weight"][2]
    return model


def logits(model, ids):
    """The logits of what follows each token: [tokens, vocabulary]."""
    with torch.no_grad():
        return model(input_ids=torch.tensor([ids])).logits[0]


def encode(plan, reader, text):
    """The ids of a text after the token that begins every text, where there is one."""
    ids = reader.encode(text, add_special_tokens=False).ids
    return [0, *ids] if plan["pre"] == "llama-bpe" and ids[:1] != [0] else ids


def letter_ids(names, letter):
    """Every token that is a letter after blanks and marks, in either case."""
    marks = " \t\n\r\"'`*_#>ĠĊ▁"
    return [i for i, name in enumerate(names) if name.lstrip(marks).upper() == letter]


def scored(plan, model, reader, before, answers):
    """Log-probability and tokens of each answer after a text."""
    start = len(encode(plan, reader, before))
    sums, counts = [], []
    for answer in answers:
        ids = encode(plan, reader, f"{before} {answer}")
        logs = torch.log_softmax(logits(model, ids).double(), -1)
        sums.append(float(sum(logs[i - 1, ids[i]] for i in range(start, len(ids)))))
        counts.append(len(ids) - start)
    return sums, counts


def make(out, name):
    """Writes one golden folder."""
    plan = PLANS[name]
    folder = Path(out) / name
    folder.mkdir(parents=True, exist_ok=True)
    made = weights(plan, name)
    write_file(plan, name, made, folder / "model.gguf")
    model, reader, expected = reference(plan, made), tokenizer(plan), Expected()
    names, _ = tokens_of(plan)
    cases = []
    for place, text in enumerate((*TEXTS, "a whole word " * 9)):
        ids = encode(plan, reader, text)
        expected.put(f"text{place}/logits", logits(model, ids)[-1])
        cases.append({"name": f"text{place}", "text": text, "ids": ids})
    chats = []
    for system in (None, "Choose. "):
        messages = [{"role": "user", "content": "\nHi? "}]
        if system:
            messages.insert(0, {"role": "system", "content": system})
        text = render_jinja_template(
            conversations=[messages],
            chat_template=plan["chat"],
            add_generation_prompt=True,
            enable_thinking=False,
            bos_token=SPECIALS[0],
            eos_token=SPECIALS[2],
        )[0][0]
        chats.append(
            {"system": system, "user": "\nHi? ", "text": text, "ids": encode(plan, reader, text)}
        )
    before = "State: the thing\nA) in\nB) there\nLetter:"
    last = logits(model, encode(plan, reader, before))[-1].double()
    logs = torch.log_softmax(last, -1)
    sets = [letter_ids(names, letter) for letter in "AB"]
    letters = [float(torch.logsumexp(logs[ids], 0)) for ids in sets]
    answers = ["the thing", "in", "there is a whole one", "the thin"]
    sums, counts = scored(plan, model, reader, before, answers)
    write_cases(
        folder / "cases.json",
        {
            "format": "flipside-golden-1",
            "architecture": "causal",
            "name": name,
            "about": plan["about"],
            "tools": {tool: version(tool) for tool in TOOLS},
            "seed": SEED,
            "cases": cases,
            "chats": chats,
            "before": before,
            "letter_ids": sets,
            "letters": letters,
            "letter_logits": [float(torch.logsumexp(last[ids], 0)) for ids in sets],
            "covered": sum(math.exp(x) for x in letters),
            "answers": answers,
            "texts": sums,
            "tokens": counts,
        },
    )
    expected.save(folder / "expected.safetensors")


def differences(found, stored, slack=AGAIN):
    """Whether two JSON values are equal up to rounding of floats."""
    if isinstance(found, dict) and isinstance(stored, dict):
        return list(found) != list(stored) or any(differences(found[k], stored[k]) for k in found)
    if isinstance(found, list) and isinstance(stored, list):
        pairs = zip(found, stored, strict=False)
        return len(found) != len(stored) or any(differences(a, b) for a, b in pairs)
    if isinstance(found, float) and isinstance(stored, float):
        return abs(found - stored) > slack * max(1.0, abs(stored))
    return found != stored


def check():
    """Makes everything again and says what differs; the number of folders that do."""
    from safetensors.torch import load_file

    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in PLANS:
            make(folder, name)
            again, kept = Path(folder, name), COMMITTED / name
            wrong = []
            if (again / "model.gguf").read_bytes() != (kept / "model.gguf").read_bytes():
                wrong.append("model.gguf")
            cases = [json.loads((where / "cases.json").read_text()) for where in (again, kept)]
            for one in cases:
                one.pop("tools")
            if differences(*cases):
                wrong.append("cases.json")
            one, other = (load_file(where / "expected.safetensors") for where in (again, kept))
            if set(one) != set(other) or any(
                float((one[k] - other[k]).abs().max()) > AGAIN * max(1.0, float(other[k].abs().max()))
                for k in one
            ):
                wrong.append("expected.safetensors")
            print(f"{name}: {', '.join(wrong) or 'the same'}")
            failed += bool(wrong)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", help="folder that the golden folders go into")
    parser.add_argument("--check", action="store_true", help="compare with the committed ones")
    given = parser.parse_args()
    torch.set_num_threads(1)
    if given.check:
        raise SystemExit(check())
    for name in PLANS:
        make(given.out or COMMITTED, name)
        print(f"wrote {name}")


if __name__ == "__main__":
    main()
