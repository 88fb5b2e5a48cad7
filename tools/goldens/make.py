"""Writes the golden folders: tiny checkpoints in the published formats and what the reference code answers for them.

    python make.py --out ../../crates/flipside-local/tests/goldens [laya-a agentjev-a ...]

Reads nothing; the shape of what it writes is in README.md. The same versions on the same machine write the same bytes.
"""

import argparse
import os

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch

import golden_agentjev
import golden_embed
import golden_laya

MAKERS = {name: one for one in (golden_laya, golden_agentjev, golden_embed) for name in one.PLANS}
NAMES = list(MAKERS)


def make(out, names):
    """Writes the named folders below `out`, those whose weights others share first."""
    torch.set_num_threads(1)
    for name in NAMES:
        if name in names:
            MAKERS[name].make(out, name)
            print(f"wrote {name}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True, help="folder that the golden folders go into")
    parser.add_argument(
        "names", nargs="*", choices=[*NAMES, []], help="which folders; all if none is named"
    )
    given = parser.parse_args()
    make(given.out, given.names or NAMES)


if __name__ == "__main__":
    main()
