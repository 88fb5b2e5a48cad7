"""The text grammar of the training data: `{a|b}` picks one of its parts, `<name>` a word from a small list.

Goes in: the files in `texts/`. Comes out: domains with queues and their lines, and sentences drawn from a line.
"""

import random
import re
from dataclasses import dataclass, field
from pathlib import Path

TEXTS = Path(__file__).parent / "texts"
WORDS = {
    "when": [
        "yesterday",
        "last week",
        "two days ago",
        "this morning",
        "on Friday",
        "a while ago",
        "last month",
        "earlier today",
    ],
    "day": [
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
        "the 3rd",
        "the 14th",
    ],
    "month": [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "August",
        "September",
        "October",
        "December",
    ],
    "few": ["two", "three", "four", "five", "six", "several", "ten"],
    "num": ["2", "3", "4", "7", "12", "15", "20", "48", "305"],
    "amount": ["20 euros", "$35", "£12.50", "99 dollars", "1,200 euros", "€7", "150 pounds", "40"],
    "name": ["Smith", "J. Okafor", "Maria Lopez", "Chen", "Mr Novak", "Dr Weiss"],
}
INNER = re.compile(r"\{([^{}]*)\}")
SLOT = re.compile(r"<(\w+)>")


@dataclass
class Queue:
    """One option of a domain: its names, descriptions, noun phrases and the lines that belong to it."""

    keys: list[str] = field(default_factory=list)
    descriptions: list[str] = field(default_factory=list)
    topics: list[str] = field(default_factory=list)
    lines: dict[str, list[str]] = field(default_factory=dict)
    special: bool = False


@dataclass
class Domain:
    """A set of queues, or of ordered levels, with the questions that may be asked over it."""

    name: str
    asks: list[str] = field(default_factory=list)
    queues: list[Queue] = field(default_factory=list)
    levels: list[list[str]] = field(default_factory=list)
    says: list[list[str]] = field(default_factory=list)


def draw(line: str, rng: random.Random) -> str:
    """One sentence of a line."""
    while found := INNER.search(line):
        line = line[: found.start()] + rng.choice(found[1].split("|")) + line[found.end() :]
    line = SLOT.sub(lambda found: rng.choice(WORDS[found[1]]), line)
    line = (
        re.sub(r"\s+", " ", line).replace(" ,", ",").replace("??", "?").replace(".?", "?").strip()
    )
    line = line[:1].upper() + line[1:]
    return line if line[-1] in ".!?" else line + "."


def parse(text: str) -> list[Domain]:
    """The domains of one file; an unknown first word is an error that names its line."""
    domains: list[Domain] = []
    for number, line in enumerate(text.splitlines(), 1):
        word, _, rest = line.strip().partition(" ")
        if not word:
            continue
        if word == "domain":
            domains.append(Domain(rest))
        elif word == "ask":
            domains[-1].asks.append(rest)
        elif word in ("queue", "special"):
            domains[-1].queues.append(Queue(special=word == "special"))
        elif word == "level":
            domains[-1].levels.append([part.strip() for part in rest.split(";")])
            domains[-1].says.append([])
        elif re.fullmatch(r"say\d", word):
            domains[-1].says[int(word[3:])].append(rest)
        elif word in ("key", "is", "on"):
            parts = [part.strip() for part in rest.split(";") if part.strip()]
            queue = domains[-1].queues[-1]
            {"key": queue.keys, "is": queue.descriptions, "on": queue.topics}[word].extend(parts)
        elif word in ("say", "want", "done", "ask_person", "vague"):
            domains[-1].queues[-1].lines.setdefault(word, []).append(rest)
        else:
            raise SystemExit(f"line {number}: no such word `{word}`")
    return domains


def domains() -> list[Domain]:
    """Every domain of `texts/`, the level domains included."""
    files = ["shop", "service", "daily", "more", "levels"]
    return [domain for name in files for domain in parse((TEXTS / f"{name}.txt").read_text())]


def banking_descriptions() -> dict[str, str]:
    """Label of Banking77 to our short description of it."""
    rows = (TEXTS / "banking77.txt").read_text().splitlines()
    return dict(row.split(": ", 1) for row in rows)
