"""Checks the committed goldens where Python is: makes them again, compares, and recomputes them by hand.

    python check.py [--goldens DIR]

1. Every folder is made again in a temporary folder. Texts, ids, counts and weights must be equal; numbers may differ by
   `AGAIN` (another processor rounds otherwise).
2. Every case is recomputed by `forward.py` in f32 and in f64. Both must lie within `HAND` of the stored numbers; the
   largest differences by stage are printed: the f64 ones are the rounding that any f32 implementation may have.
3. Each mistake that `forward.py` can make must move some logit by at least `CAUGHT` times what the Rust tests allow.
4. Joined text must tokenize otherwise than the three pieces of a path do.

Prints one line a finding and exits with 0 if all hold, else 1.
"""

import argparse
import json
import os
import tempfile
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import numpy as np
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer

import forward
import make

COMMITTED = Path(__file__).parents[2] / "crates" / "flipside-local" / "tests" / "goldens"

# What another run may differ by, relative to max(1, largest |value| of the tensor).
AGAIN = 1e-5
# What the hand-written forwards may differ by, measured likewise.
HAND = 1e-5
# What the Rust tests allow for a logit: absolute and relative part; and how far beyond it a mistake must show.
ALLOWED = (1e-5, 1e-5)
CAUGHT = 5


class Findings:
    """Counts what failed and prints it."""

    def __init__(self):
        self.failed = 0

    def hold(self, good, text):
        """Prints `text` as a failure unless `good`."""
        if not good:
            self.failed += 1
            print(f"FAILED {text}")


def distance(a, b):
    """Largest difference of two arrays, relative to max(1, largest |value|)."""
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if a.shape != b.shape:
        return float("inf")
    return float(np.abs(a - b).max(initial=0.0) / max(1.0, np.abs(b).max(initial=0.0)))


def same(a, b, slack):
    """Whether two JSON values are equal, floats within `slack` relative to max(1, |value|)."""
    if isinstance(a, dict) and isinstance(b, dict):
        return list(a) == list(b) and all(same(a[k], b[k], slack_of(k, slack)) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same(x, y, slack) for x, y in zip(a, b, strict=True))
    if isinstance(a, float) and isinstance(b, float):
        return abs(a - b) <= slack * max(1.0, abs(b))
    if slack == ROUNDED and isinstance(a, str) and isinstance(b, str) and a.startswith("{"):
        return same(json.loads(a), json.loads(b), ROUNDED)
    return type(a) is type(b) and a == b


# An answer's numbers stand with four decimals, so the last one may differ.
ROUNDED = 1.01e-4


def slack_of(key, slack):
    """The answer's text is compared as numbers; everything else as it is."""
    return ROUNDED if key == "answer_json" else slack


def floats(folder, name, kind):
    """Every tensor of a file as numpy, in f32 or f64."""
    return {k: t.float().numpy().astype(kind) for k, t in load_file(str(folder / name)).items()}


def compare_folder(findings, old, new):
    """Step 1 for one folder."""
    old_files = sorted(p.relative_to(old) for p in old.rglob("*") if p.is_file())
    new_files = sorted(p.relative_to(new) for p in new.rglob("*") if p.is_file())
    findings.hold(old_files == new_files, f"{old.name}: files {old_files} and {new_files}")
    for path in set(old_files) & set(new_files):
        if path.name == "cases.json":
            a, b = (json.loads((folder / path).read_text()) for folder in (old, new))
            tools = a.pop("tools"), b.pop("tools")
            if tools[0] != tools[1]:
                print(f"note {old.name}: made with {tools[0]}, now {tools[1]}")
            for member in sorted({*a, *b}):
                good = same(a.get(member), b.get(member), AGAIN)
                findings.hold(good, f"{old.name}: `{member}` of cases.json differs")
        elif path.suffix == ".safetensors":
            a, b = (load_file(str(folder / path)) for folder in (old, new))
            findings.hold(list(a) == list(b), f"{old.name}/{path}: names differ")
            slack = AGAIN if path.name == "expected.safetensors" else 0.0
            for name in set(a) & set(b):
                off = distance(a[name].float(), b[name].float())
                good = a[name].dtype == b[name].dtype and off <= slack
                findings.hold(good, f"{old.name}/{path}: `{name}` is off by {off:.2e}")
        else:
            good = (old / path).read_bytes() == (new / path).read_bytes()
            findings.hold(good, f"{old.name}/{path} differs")


class Folder:
    """A golden folder read for recomputing."""

    def __init__(self, path):
        self.path = path
        self.cases = json.loads((path / "cases.json").read_text())
        self.expected = floats(path, "expected.safetensors", np.float64)
        self.weights = {
            kind: floats(path, self.cases["weights"], kind) for kind in (np.float32, np.float64)
        }
        if self.cases["architecture"] == "laya":
            self.config = json.loads((path / "encoder" / "config.json").read_text())
            self.head = json.loads((path / "rl_agent_config.json").read_text())["head_layers"]
        else:
            self.config = json.loads((path / "config.json").read_text())
            self.head = self.cases.get("set_heads")

    def compute(self, case, kind, wrong=None):
        """Stage -> values of one case, as `expected.safetensors` names them."""
        w = self.weights[kind]
        if self.cases["architecture"] == "embed":
            return forward.embed(w, self.config, case, wrong)
        if self.cases["architecture"] == "laya":
            made = forward.laya(w, self.config, self.head, case, wrong)
            rows = case["hidden_rows"]
            stages = ("embeddings", "layer0", "layer1", "final", "head0", "head1")
            out = {s: made[s][rows] for s in stages if rows and s in made}
            return {**out, "z": made["z"], "marks": made["marks"]}
        start = case["state_ids"] + case["question_ids"]
        paths = [
            forward.agentjev_path(w, self.config, start + own, wrong)
            for own in case["candidate_ids"]
        ]
        vectors = np.stack([path["final"][-1] for path in paths])
        z, stages = forward.agentjev_head(w, self.head, vectors, wrong)
        out = {**stages, "z": z, "vectors": vectors}
        for stage in ("layer0", "layer1"):
            out[stage] = np.stack([path[stage][-1] for path in paths])
        return out

    def recompute(self, findings):
        """Step 2: prints the largest differences by stage, and gives the right logits."""
        worst = {}
        for case in self.cases["cases"]:
            for kind in (np.float32, np.float64):
                for stage, values in self.compute(case, kind).items():
                    held = self.expected.get(f"{case['name']}/{stage}")
                    if held is None:
                        continue
                    off = distance(values, held)
                    key = stage, kind.__name__
                    worst[key] = max(worst.get(key, 0.0), off)
                    text = f"{self.path.name}/{case['name']}/{stage} by hand in {kind.__name__}: {off:.2e}"
                    findings.hold(off <= HAND, text)
        for stage in dict.fromkeys(stage for stage, _ in worst):
            both = ", ".join(f"{k} {worst[stage, k]:.1e}" for k in ("float32", "float64"))
            largest = max(
                np.abs(v).max(initial=0)
                for k, v in self.expected.items()
                if k.endswith("/" + stage) and "batch/" not in k
            )
            print(
                f"{self.path.name:15} {stage:10} largest |value| {largest:6.2f}, by hand off by {both}"
            )

    def mistakes(self, findings):
        """Step 3: how far each mistake moves the worst logit, in units of what the Rust tests allow."""
        kinds = {
            "laya": forward.LAYA_MISTAKES,
            "agentjev": forward.AGENTJEV_MISTAKES,
            "embed": forward.EMBED_MISTAKES,
        }[self.cases["architecture"]]
        if self.path.name == "laya-b":
            kinds = [k for k in kinds if k != "one theta for all layers"]
        chosen = [c for c in self.cases["cases"] if c["name"] in PROBED]
        for wrong in kinds:
            shift = 0.0
            for case in chosen:
                z = self.compute(case, np.float32, wrong)["z"]
                right = self.expected[f"{case['name']}/z"]
                shift = max(
                    shift,
                    float((np.abs(z - right) / (ALLOWED[0] + ALLOWED[1] * np.abs(right))).max()),
                )
            findings.hold(
                shift >= CAUGHT,
                f"{self.path.name}: `{wrong}` moves z by {shift:.1f} allowances only",
            )
            print(f"{self.path.name:15} mistake `{wrong}` moves z by {shift:.3g} allowances")


PROBED = (
    "string",
    "noul-plain",
    "score-plain",
    "five",
    "boolean",
    "score",
    "plain-apart",
    "plain-together",
    "labels-apart",
    "labels-together",
)


def seams(findings, path):
    """Step 4."""
    tokenizer = Tokenizer.from_file(str(path / "tokenizer.json"))
    cases = {c["name"]: c for c in json.loads((path / "cases.json").read_text())["cases"]}
    case = cases["seam"]
    text = f"[STATE] {case['state_text']}\n[QUESTION] {case['question_text']}\n[CANDIDATE] {case['candidates'][0]}"
    pieces = case["state_ids"] + case["question_ids"] + case["candidate_ids"][0]
    joined = tokenizer.encode(text, add_special_tokens=False).ids
    findings.hold(joined != pieces, f"{path.name}: joined text gives the pieces' ids")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--goldens", type=Path, default=COMMITTED, help="folder of the golden folders"
    )
    given = parser.parse_args()
    findings = Findings()
    with tempfile.TemporaryDirectory() as top:
        make.make(top, make.NAMES)
        for name in make.NAMES:
            compare_folder(findings, given.goldens / name, Path(top) / name)
    torch.set_num_threads(1)
    for name in make.NAMES:
        folder = Folder(given.goldens / name)
        folder.recompute(findings)
        if name in ("laya-a", "laya-b", "agentjev-a", "agentjev-b", "embed-a"):
            folder.mistakes(findings)
    seams(findings, given.goldens / "agentjev-a")
    print("all hold" if findings.failed == 0 else f"{findings.failed} failed")
    raise SystemExit(min(findings.failed, 1))


if __name__ == "__main__":
    main()
