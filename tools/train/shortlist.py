"""Makes shortlists of a 77-way Banking77 file: the accepted label and the labels that are nearest to it by their words.

In: `data/banking77-77way.jsonl`. Out: the same cases with fewer options, written to standard output or a file. No model has a
say: nearness is the share of words that two labels have in common (Jaccard), equals go by SHA-256 of seed, row and label, and so
does the order in which the options stand.
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path

SEED = "flipside-banking77-shortlist-1"


def words(label: str) -> set[str]:
    return set(label.lower().strip("?").split("_"))


def draw(row: str, label: str, use: str) -> str:
    return hashlib.sha256(f"{SEED}:{use}:{row}:{label}".encode()).hexdigest()


def shortlist(case: dict, size: int) -> dict:
    """The case with `size` options."""
    gold, row = case["accept"][0], case["note"]

    def distance(label: str) -> float:
        return -len(words(gold) & words(label)) / len(words(gold) | words(label))

    others = [label for label in case["options"] if label != gold]
    near = sorted(others, key=lambda label: (distance(label), draw(row, label, "near")))[: size - 1]
    shown = sorted([gold, *near], key=lambda label: draw(row, label, "order"))
    return case | {"options": {label: case["options"][label] for label in shown}}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, help="the 77-way probe cases")
    parser.add_argument("--size", type=int, default=5, help="options a case (default 5)")
    parser.add_argument("--out", type=Path, help="file to write; without it standard output")
    arguments = parser.parse_args()
    cases = [json.loads(line) for line in arguments.file.read_text(encoding="utf-8").splitlines()]
    lines = [
        json.dumps(shortlist(case, arguments.size), ensure_ascii=False, separators=(",", ":"))
        for case in cases
    ]
    text = "\n".join(lines) + "\n"
    if arguments.out:
        arguments.out.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
