"""Prints draw-reference.json: draw-1 in a dozen lines of Python's standard library, apart from the Rust code."""

import hashlib
import json
import struct


def stream(*parts):
    key = b"flipside draw-1\0"
    for part in parts:
        raw = struct.pack("<Q", part) if isinstance(part, int) else part.encode()
        key += struct.pack("<Q", len(raw)) + raw
    key, block = hashlib.sha256(key).digest(), 0
    while True:
        yield from struct.unpack("<4Q", hashlib.sha256(key + struct.pack("<Q", block)).digest())
        block += 1


def below(words, n):
    while (word := next(words)) >= 2**64 - 2**64 % n:
        pass
    return word % n


def shuffle(words, items):
    for last in range(len(items) - 1, 0, -1):
        other = below(words, last + 1)
        items[last], items[other] = items[other], items[last]
    return items


NAMES = [
    [7, "order", "c-17"],
    [7, "order", "c-18"],
    [0],
    [],
    [2**64 - 1, "same", "Größe/α", 3],
    ["", ""],
    [""],
]
BOUNDS = [1, 2, 3, 24, 1000, 2**32 + 1, 2**63 + 1, 2**64 - 1]

rows = []
for name in NAMES:
    words = stream(*name)
    first = [str(next(words)) for _ in range(9)]
    words = stream(*name)
    drawn = [[str(n), str(below(words, n))] for n in BOUNDS for _ in range(3)]
    orders = [shuffle(stream(*name), list(range(k))) for k in (1, 2, 3, 8, 20)]
    words = stream(*name)
    units = [repr((next(words) >> 11) / 2**53) for _ in range(4)]
    # Floats and numbers above 2^53 are texts, so that no JSON reader rounds them.
    rows.append({
        "parts": [{"u64": str(p)} if isinstance(p, int) else {"text": p} for p in name],
        "words": first,
        "below": drawn,
        "shuffles": orders,
        "units": units,
    })
print(json.dumps({"version": "draw-1", "streams": rows}, indent=1, ensure_ascii=False))
