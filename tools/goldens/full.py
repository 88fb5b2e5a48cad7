"""Writes a full-size checkpoint folder of random weights in the real shapes, tensor by tensor.

    python full.py agentjev --out DIR [--dtype bf16] [--seed 1]

For measuring time and memory without a download; the answers mean nothing. Memory stays at one piece of one tensor.
The tokenizer has the real vocabulary size and special ids, but made-up merges of letter pairs, so a text has about
twice the tokens that the real one gives.
"""

import argparse
import copy
import json
import string
import struct
from pathlib import Path

import numpy as np
import torch

import golden_agentjev
import golden_laya
from common import byte_tokenizer, write_json

TYPES = {
    "f32": (torch.float32, "F32", 4),
    "f16": (torch.float16, "F16", 2),
    "bf16": (torch.bfloat16, "BF16", 2),
}
PIECE = 1 << 22
SPACE = "Ġ"
PAIRS = [(a, b) for a in (SPACE, *string.ascii_lowercase) for b in string.ascii_lowercase]

MODERNBERT_LARGE = {
    "vocab_size": 50368,
    "hidden_size": 1024,
    "intermediate_size": 2624,
    "num_hidden_layers": 28,
    "num_attention_heads": 16,
    "local_attention": 128,
    "max_position_embeddings": 8192,
    "pad_token_id": 50283,
    "cls_token_id": 50281,
    "bos_token_id": 50281,
    "sep_token_id": 50282,
    "eos_token_id": 50282,
}

MMBERT_BASE = {
    "vocab_size": 256000,
    "hidden_size": 768,
    "intermediate_size": 1152,
    "num_hidden_layers": 22,
    "num_attention_heads": 12,
    "local_attention": 128,
    "max_position_embeddings": 8192,
}

QWEN3_06B = {
    "hidden_size": 1024,
    "num_hidden_layers": 28,
    "num_attention_heads": 16,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "intermediate_size": 3072,
    "vocab_size": 151936,
    "max_position_embeddings": 40960,
    "pad_token_id": 151643,
    "rope_theta": 1000000.0,
}

AGENTJEV_SPECIALS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")


def laya_geometry(which):
    """The golden geometry with the published sizes in it."""
    if which == "laya-english":
        made = copy.deepcopy(golden_laya.GEOMETRY_A)
        made["encoder"].update(MODERNBERT_LARGE)
        made["agent"].update(encoder="answerdotai/ModernBERT-large", max_len=512, head_max_len=192)
        made["specials"]["unused"] = 50280 - 256 - len(PAIRS)
    else:
        made = copy.deepcopy(golden_laya.GEOMETRY_B)
        made["encoder"].update(MMBERT_BASE)
        kinds = ["sliding_attention" if i % 3 else "full_attention" for i in range(22)]
        made["encoder"]["layer_types"] = kinds
        made["agent"].update(
            encoder="jhu-clsp/mmBERT-base", head_layers=2, max_len=1024, head_max_len=256
        )
        made["agent"]["act_costs"] = {"escalate": 0.5}
        made["specials"]["unused"] = 256000 - 5 - 256 - len(PAIRS)
    made["specials"]["merges"] = PAIRS
    return made


def agentjev_layout(config):
    """(name, shape, kind) of every tensor, from a model without memory."""
    with torch.device("meta"):
        model = golden_agentjev.AgentJev(config, 256, 2, 4)
    made = []
    for name, tensor in model.state_dict().items():
        shape = tuple(tensor.shape)
        norm = "norm" in name and name.endswith("weight")
        made.append((name, shape, "matrix" if len(shape) == 2 else "norm" if norm else "bias"))
    return made


def write_weights(path, tensors, kind, seed):
    """Writes a safetensors file of random numbers; gives its size in bytes."""
    torch_type, name_of_type, width = TYPES[kind]
    header, at = {"__metadata__": {"format": "pt"}}, 0
    for name, shape, _ in tensors:
        size = int(np.prod(shape)) * width
        header[name] = {
            "dtype": name_of_type,
            "shape": list(shape),
            "data_offsets": [at, at + size],
        }
        at += size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    stream = np.random.default_rng(seed)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for _, shape, what in tensors:
            left = int(np.prod(shape))
            while left > 0:
                count = min(left, PIECE)
                values = 0.02 * torch.from_numpy(stream.standard_normal(count, dtype=np.float32))
                if what == "norm":
                    values += 1
                file.write(values.to(torch_type).view(torch.uint8).numpy().tobytes())
                left -= count
    return 8 + len(text) + at


def write_folder(which, out, kind, seed):
    """Writes one folder; gives the size of its weights in bytes and their count."""
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    if which == "agentjev":
        config = {**golden_agentjev.CONFIG, **QWEN3_06B}
        write_json(out / "config.json", config)
        release = {
            kind: {"temperature": 1.0352649238413776 if kind == "choice" else 1.0717734625362931}
            for kind in golden_agentjev.KINDS
        }
        write_json(out / "temperatures.json", release)
        unused = 151643 - 256 - len(PAIRS)
        tokenizer = byte_tokenizer([], AGENTJEV_SPECIALS, merges=PAIRS, unused=unused, qwen=True)
        tokenizer.save(str(out / "tokenizer.json"))
        tensors = agentjev_layout(config)
    else:
        geometry = laya_geometry(which)
        golden_laya.write_checkpoint(out, geometry, seed, with_weights=False)
        tensors = [*golden_laya.layout(geometry), ("temperature", (3,), "norm")]
    size = write_weights(out / "model.safetensors", tensors, kind, seed)
    return size, sum(int(np.prod(shape)) for _, shape, _ in tensors), len(tensors)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("which", choices=["agentjev", "laya-english", "laya-multilingual"])
    parser.add_argument("--out", required=True, help="folder to write; made if absent")
    parser.add_argument(
        "--dtype", choices=list(TYPES), help="published type if left out: bf16 or f16"
    )
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    kind = given.dtype or ("bf16" if given.which == "agentjev" else "f16")
    size, count, tensors = write_folder(given.which, given.out, kind, given.seed)
    print(
        json.dumps(
            {
                "which": given.which,
                "dtype": kind,
                "tensors": tensors,
                "parameters": count,
                "bytes": size,
            }
        )
    )


if __name__ == "__main__":
    main()
