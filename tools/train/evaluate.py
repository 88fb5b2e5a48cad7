"""Accuracy of a checkpoint folder on the held-out cases, with Wilson intervals, beside chance and the `overlap` control.

In: the folder and the repository. Out: a Markdown table on standard output. Run it once, at the end: nothing is chosen by it.
"""

import argparse
import json
import math
import re
from pathlib import Path

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer

import agentjev
import laya
from heldout import leaves, probe_cases
from shortlist import shortlist
from train import logits, reversed_case

STOP = set(
    "the and for are was were not but you your our his her its with from this that have has had will would could they them then than "
    "there their about which what when where who how why can may any all some such into only also been being does did one two over more "
    "most very just these those other she him per".split()
)


def stems(text: str) -> set[str]:
    """The first five letters of the words that the `overlap` control compares."""
    words = re.findall(r"[^\W\d_]{3,}", text.lower())
    return {word[:5] for word in words if word not in STOP}


def overlap(case: dict) -> int:
    """What the `overlap` control picks: shared words, each divided by the number of options that have it."""
    state = stems(" ".join(leaves(case["state"])))
    shared = [stems(key) | stems(text or "") for key, text in case["options"]]
    shared = [words & state for words in shared]
    counts = [
        round(sum(1 / sum(word in other for other in shared) for word in sorted(words)), 9)
        for words in shared
    ]
    names = [option for option in case["options"]]
    return min(range(len(counts)), key=lambda i: (-counts[i], names[i]))


def wilson(right: int, count: int, z: float = 1.959963984540054) -> tuple[float, float]:
    share, half = (
        right / count,
        z * math.sqrt(right * (count - right) / count + z * z / 4) / (count + z * z),
    )
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    return max(0.0, middle - half), min(1.0, middle + half)


def load(folder: Path):
    """Model and rendering of a checkpoint folder; a missing, extra or mis-shaped tensor is an error."""
    state = {name: value.float() for name, value in load_file(folder / "model.safetensors").items()}
    if (folder / "rl_agent_config.json").exists():
        agent = json.loads((folder / "rl_agent_config.json").read_text())
        model = laya.Laya(
            json.loads((folder / "encoder" / "config.json").read_text()), agent["head_layers"]
        )
        words = Tokenizer.from_file(str(folder / "tokenizer" / "tokenizer.json"))
        render = laya.Render(words, agent["max_len"], agent["head_max_len"])
    else:
        model = agentjev.AgentJev(json.loads((folder / "config.json").read_text()))
        render = agentjev.Render(Tokenizer.from_file(str(folder / "tokenizer.json")))
    model.load_state_dict(state, strict=True)
    return model.eval(), render


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="checkpoint folder")
    parser.add_argument(
        "--repository",
        type=Path,
        default=Path(__file__).parents[2],
        help="where the held-out cases are",
    )
    arguments = parser.parse_args()
    torch.set_num_threads(2)
    model, render = load(arguments.folder)
    root = arguments.repository
    many = probe_cases(root / "data" / "banking77-77way.jsonl")
    raw = [
        json.loads(line)
        for line in (root / "data" / "banking77-77way.jsonl")
        .read_text(encoding="utf-8")
        .splitlines()
    ]

    def short(size: int) -> list[dict]:
        out = []
        for case, row in zip(many, raw):
            options = list(shortlist(row, size)["options"].items())
            keys = [key for key, _ in options]
            out.append(
                case
                | {
                    "options": options,
                    "gold": keys.index(row["accept"][0]),
                    "accept": [keys.index(row["accept"][0])],
                }
            )
        return out

    sets = {
        "30 tickets (`builtin:ticket-router`), 5 queues": probe_cases(
            root / "crates/flipside-formats/data/ticket-router.probe.jsonl"
        ),
        "12 tickets (`data/ticket_router_probe.jsonl`), 5 queues": probe_cases(
            root / "data/ticket_router_probe.jsonl"
        ),
        "Banking77 test, 200 shortlists of 5": short(5),
        "Banking77 test, 200 shortlists of 10": short(10),
        "Banking77 test, 200 cases, all 77": many,
    }
    print("| held-out cases | right | 95 % (Wilson) | `overlap` | chance | flips under reverse |")
    print("|---|---|---|---|---|---|")
    for name, cases in sets.items():
        picks = [int(z.argmax()) for z in logits(model, render, cases)]
        back = [
            int(z.argmax()) for z in logits(model, render, [reversed_case(case) for case in cases])
        ]
        right = sum(pick in case["accept"] for pick, case in zip(picks, cases))
        control = sum(overlap(case) in case["accept"] for case in cases)
        chance = sum(len(case["accept"]) / len(case["options"]) for case in cases)
        flips = sum(
            pick != len(case["options"]) - 1 - other
            for pick, other, case in zip(picks, back, cases)
        )
        low, high = wilson(right, len(cases))
        n = len(cases)
        print(
            f"| {name} | {right}/{n} ({right / n:.1%}) | {low:.1%} to {high:.1%} | {control}/{n} | {chance:.1f}/{n} | {flips}/{n} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
