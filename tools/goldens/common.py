"""What both architectures' goldens share: weights on a grid, byte tokenizers, and the two result files.

Weights are drawn by name, so adding a tensor changes no other one, and rounded to a multiple of a power of two, so
that f32, f16 and bf16 files hold the same numbers.
"""

import json
import platform
import zlib
from importlib.metadata import version
from pathlib import Path

import numpy as np
import safetensors.torch as torch_file
import torch
from safetensors.numpy import save_file
from tokenizers import (
    AddedToken,
    Regex,
    Tokenizer,
    decoders,
    normalizers,
    pre_tokenizers,
)
from tokenizers.models import BPE

TOOLS = ("laya", "numpy", "safetensors", "tokenizers", "torch", "transformers")

# Qwen's rule for what may become one piece before byte pairs are merged.
QWEN_PIECES = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"


def draw(seed, name, shape, std, mean=0.0, step=1 / 32):
    """One tensor: `mean` + `std` × normal noise, each number a multiple of `step`.

    The stream depends on `seed` and `name` alone. The result is exact in f32, f16 and bf16; this is asserted.
    """
    stream = np.random.default_rng([seed, zlib.crc32(name.encode())])
    values = np.round((mean + std * stream.standard_normal(shape)) / step) * step
    tensor = torch.tensor(values, dtype=torch.float32)
    for kind in (torch.float16, torch.bfloat16):
        assert torch.equal(tensor.to(kind).float(), tensor), f"{name} is not exact in {kind}"
    return tensor


def non_zero(tensor, step=1 / 32):
    """The tensor with every zero replaced by `step`: a forgotten bias must show in each component."""
    return torch.where(tensor == 0, torch.full_like(tensor, step), tensor)


def byte_symbols():
    """The 256 symbols of byte-level BPE in the order of their bytes."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    symbols, spare = {}, 256
    for byte in range(256):
        if byte in plain:
            symbols[byte] = chr(byte)
        else:
            symbols[byte] = chr(spare)
            spare += 1
    return [symbols[byte] for byte in range(256)]


def byte_tokenizer(first, last, merges=(), unused=0, qwen=False):
    """A byte-level BPE tokenizer: specials `first`, the 256 bytes, one token for each merge, `unused` fillers,
    specials `last`.

    With `qwen` it normalises to NFC and splits by Qwen's rule, else nothing is split before the bytes. No text is
    framed by special tokens; special tokens that stand literally in a text are recognised.
    """
    pairs = [left + right for left, right in merges]
    fillers = [f"<unused{i}>" for i in range(unused)]
    names = [*first, *byte_symbols(), *pairs, *fillers, *last]
    tokenizer = Tokenizer(
        BPE(vocab={name: index for index, name in enumerate(names)}, merges=list(merges))
    )
    tokenizer.add_special_tokens(
        [AddedToken(name, special=True, normalized=False) for name in (*first, *last)]
    )
    if qwen:
        tokenizer.normalizer = normalizers.NFC()
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [
                pre_tokenizers.Split(Regex(QWEN_PIECES), behavior="isolated"),
                pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
            ]
        )
    else:
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def write_json(path, value):
    """Writes `value` as indented JSON with a final line feed."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def write_cases(path, cases):
    """Writes `cases.json`: one line for each member, and one for each item of a member that is a list."""
    lines = []
    for name, value in cases.items():
        if isinstance(value, list) and value:
            items = ",\n    ".join(json.dumps(item, ensure_ascii=False) for item in value)
            lines.append(f"  {json.dumps(name)}: [\n    {items}\n  ]")
        else:
            lines.append(f"  {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}")
    Path(path).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def save_weights(tensors, path):
    """Writes torch tensors as a safetensors file, readable by all."""
    torch_file.save_file(tensors, str(path), metadata={"format": "pt"})
    Path(path).chmod(0o644)


class Expected:
    """The tensors of `expected.safetensors`, f32, named `<case>/<what>`."""

    def __init__(self):
        self.tensors = {}

    def put(self, name, value):
        """Adds one tensor; a name stands once."""
        assert name not in self.tensors, name
        if isinstance(value, torch.Tensor):
            value = value.detach().float().numpy()
        self.tensors[name] = np.ascontiguousarray(value, dtype=np.float32)

    def save(self, path):
        """Writes the file."""
        save_file(self.tensors, str(path))
        Path(path).chmod(0o644)


def versions():
    """The tools that made a folder, by name."""
    found = {name: version(name) for name in TOOLS}
    return {"python": platform.python_version(), **found}


def numbers(values):
    """f32 values as the f64 numbers that they exactly are."""
    return [float(value) for value in np.asarray(values, dtype=np.float32).ravel()]


def compact(value):
    """`value` as JSON text in one line, members as given."""
    return json.dumps(value, ensure_ascii=False)


# Raw JSON whose text after Python's reader and writer differs from what was read. `lax` marks what only Python reads.
RENDERED = [
    {"json": '{"b": 1e-05, "a": {"y": 1e16, "x": 100.0}}'},
    {"json": "[1e-4, 0.0001, 0.00001, 1e-5, 1.5e-7, 5e-324]"},
    {"json": "[1e15, 1e16, 1E5, 1e22, 1.5e300, 1.7976931348623157e308]"},
    {"json": "[100.0, 2.50, 0.1, 0.30000000000000004, 123456789.123456789, 9007199254740993.0]"},
    {"json": "[-0, -0.0, 0.0, 0, -1.0e-0]"},
    {"json": "[123456789012345678901234567890, -98765432109876543210, 18446744073709551616]"},
    {"json": '{"z": [true, false, null], "é": "Zürich — 東京 😀", "a": {"b": {}, "a": []}}'},
    {"json": '{"\\ud83d\\ude00": 1, "\\ufffd": 2, "Z": 3, "a": 4, "10": 5, "9": 6, "": 7}'},
    {"json": '["\\u0001\\b\\f\\n\\r\\t\\u001f", "\\u007f\\u2028\\u2029", "\\"\\\\\\/", "\\u00e9"]'},
    {"json": " [ 1 ,\\n 2 ] ".replace("\\n", "\n")},
    {"json": "{}"},
    {"json": "[]"},
    {"json": '[[[]], {"a": {"a": {}}}]'},
    {"json": '{"list": [{"b": 2, "a": 1}, {"d": [3.0, {"y": 0, "x": 0}], "c": "text"}]}'},
]
