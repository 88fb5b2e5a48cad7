"""Held-out cases: reading them, and making sure that no text of theirs is trained on."""

import csv
import json
import re
from pathlib import Path

GRAM = 8


def leaves(value) -> list[str]:
    """Every string of a JSON value, member names not."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [text for part in value for text in leaves(part)] if isinstance(value, list) else []


def normal(text: str) -> str:
    """Lower-case words with one blank between them."""
    return " ".join(re.findall(r"\w+", text.lower()))


def grams(text: str) -> set[str]:
    words = normal(text).split()
    return {" ".join(words[i : i + GRAM]) for i in range(len(words) - GRAM + 1)}


class HeldOut:
    """The normalised texts and 8-grams of everything that is kept apart."""

    def __init__(self, texts: list[str]):
        self.texts = {normal(text) for text in texts if len(normal(text).split()) > 2}
        self.grams = set().union(*map(grams, texts))

    def has(self, text: str) -> bool:
        return normal(text) in self.texts or not self.grams.isdisjoint(grams(text))


def read_lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def held_out(root: Path, banking_test: Path) -> HeldOut:
    """The tickets, the suite's states and Banking77's test rows; `root` is the repository."""
    texts = []
    for name in (
        "crates/flipside-formats/data/ticket-router.probe.jsonl",
        "data/ticket_router_probe.jsonl",
    ):
        texts += [
            text
            for case in read_lines(root / name)
            for text in leaves(case["state"])
            if " " in text
        ]
    for case in read_lines(root / "crates/flipside-formats/data/fragility.base.jsonl"):
        texts += leaves(case["states"])
    with open(banking_test, encoding="utf-8", newline="") as file:
        texts += [row["text"] for row in csv.DictReader(file)]
    return HeldOut(texts)


def probe_cases(path: Path) -> list[dict]:
    """A probe-case file as cases to ask."""
    out = []
    for row in read_lines(path):
        keys = list(row["options"])
        case = {
            "type": "choice",
            "state": row["state"],
            "ask": row["rules"],
            "options": list(row["options"].items()),
        }
        out.append(
            case
            | {
                "gold": keys.index(row["accept"][0]),
                "accept": [keys.index(key) for key in row["accept"]],
                "note": row.get("note", ""),
            }
        )
    return out
