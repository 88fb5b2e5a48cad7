"""Times one ask in PyTorch, for comparing with the same graph elsewhere. JSON on stdout.

    python torch_bench.py DIR ... [--threads 1,2] [--repeats 30] [--cases FILE] [--set-heads 4]

DIR is a checkpoint folder in Laya's or AgentJev's layout, or a golden folder. Weights are upcast to f32, as the answers'
reference needs. An ask is one question about one state: by default a choice among five options about a short ticket, with
`--cases` each case of that golden `cases.json`. Times, medians in milliseconds over all asks:

- `ask`: rendering, tokenizing, forward, answer. Laya: the package's own `Agent.system_one`.
- `forward`: the forward alone on tokens that are ready. AgentJev: one path at a time.
- `batched` (AgentJev): the paths in one right-padded forward, as the original's service runs them.
"""

import argparse
import json
import os
import shutil
import statistics
import tempfile
import time
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
from safetensors import safe_open
from safetensors.torch import load_file
from tokenizers import Tokenizer
from transformers.models.qwen3.modeling_qwen3 import Qwen3RotaryEmbedding

import golden_agentjev
import golden_laya

STATE = "Customer ticket: we were billed twice for March. The second charge is a duplicate, please refund it today."
TEAMS = {
    "billing": "invoices, charges, refunds",
    "bugs": "bugs, outages, integration errors",
    "sales": "pricing, new contracts",
    "login": "accounts, passwords, access",
    "other": "everything else",
}
TEXT = "Which team should handle this ticket?"


def asks(folder, cases, is_laya):
    """(state, question) pairs."""
    if cases is not None:
        held = json.loads(Path(cases).read_text())["cases"]
        return [(json.loads(c["state_json"]), json.loads(c["question_json"])) for c in held]
    if is_laya:
        return [(STATE, {"type": "choice", "instructions": TEXT, "criteria": TEAMS})]
    return [(STATE, {"id": "q", "type": "choice", "question": TEXT, "options": TEAMS})]


def median_ms(work, repeats):
    """Median over `repeats` runs of `work`, after two that are not counted."""
    times = []
    for i in range(repeats + 2):
        start = time.perf_counter()
        work()
        if i >= 2:
            times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3


class Laya:
    """A Laya folder in the package's own runtime."""

    def __init__(self, folder, weights):
        if weights.parent == folder:
            self.agent = golden_laya.load_agent(folder)
        else:
            with tempfile.TemporaryDirectory() as top:
                whole = Path(top) / "whole"
                shutil.copytree(folder, whole)
                shutil.copy(weights, whole / "model.safetensors")
                self.agent = golden_laya.load_agent(whole)

    def prepare(self, state, question):
        ask = golden_laya.Ask(self.agent, state, question)
        batch = {k: v for k, v in ask.batch.items() if isinstance(v, torch.Tensor)}
        work = {
            "ask": lambda: self.agent.system_one(state, {"q": question}),
            "forward": lambda: self.agent._infer(batch),
        }
        return work, len(ask.item["ids"])


class AgentJev:
    """An AgentJev folder in transformers and torch."""

    def __init__(self, folder, weights, set_heads):
        config = json.loads((folder / "config.json").read_text())
        with safe_open(str(weights), "pt") as file:
            set_dim = file.get_slice("proj_in.weight").get_shape()[0]
            layers = {n.split(".")[3] for n in file.keys() if n.startswith("set_encoder.")}  # noqa: SIM118
        with torch.device("meta"):
            self.model = golden_agentjev.AgentJev(config, set_dim, len(layers), set_heads)
        held = {k: v.float() for k, v in load_file(str(weights)).items()}
        self.model.load_state_dict(held, strict=True, assign=True)
        backbone = self.model.path_encoder.backbone
        backbone.rotary_emb = Qwen3RotaryEmbedding(config=backbone.config)
        self.model.eval()
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        given = json.loads((folder / "temperatures.json").read_text())
        self.temperatures = golden_agentjev.applied_temperatures(given)

    def paths(self, state, question):
        text, questions = golden_agentjev.prepare({"state": state, "questions": [question]})
        first, second, last = golden_agentjev.pieces(self.tokenizer, text, questions[0])
        return questions[0], [first + second + own for own in last]

    def one_by_one(self, paths):
        backbone = self.model.path_encoder.backbone
        rows = [
            backbone(input_ids=torch.tensor([ids]), use_cache=False).last_hidden_state[0, -1]
            for ids in paths
        ]
        return self.model.head(torch.stack(rows))[0]

    def batched(self, paths):
        width = max(map(len, paths))
        ids = torch.tensor([path + [0] * (width - len(path)) for path in paths])
        real = torch.tensor([[1] * len(path) + [0] * (width - len(path)) for path in paths])
        last = torch.tensor([len(path) - 1 for path in paths])
        out = self.model.path_encoder.backbone(input_ids=ids, attention_mask=real, use_cache=False)
        return self.model.head(out.last_hidden_state[torch.arange(len(paths)), last])[0]

    def ask(self, state, question):
        prepared, paths = self.paths(state, question)
        z = self.one_by_one(paths)
        p = golden_agentjev.softmax(z, self.temperatures[prepared["type"]])
        return golden_agentjev.answer(prepared, p.tolist())

    def prepare(self, state, question):
        _, paths = self.paths(state, question)
        work = {
            "ask": lambda: self.ask(state, question),
            "forward": lambda: self.one_by_one(paths),
            "batched": lambda: self.batched(paths),
        }
        return work, sum(map(len, paths))


def bench(folder, given):
    """Times one folder; gives its JSON object."""
    folder = Path(folder)
    is_laya = (folder / "rl_agent_config.json").exists()
    weights, heads = folder / "model.safetensors", given.set_heads
    if (folder / "cases.json").exists():
        golden = json.loads((folder / "cases.json").read_text())
        weights = (folder / golden["weights"]).resolve()
        heads = golden.get("set_heads", heads)
    start = time.perf_counter()
    model = (
        Laya(folder.resolve(), weights.resolve()) if is_laya else AgentJev(folder, weights, heads)
    )
    load_ms = (time.perf_counter() - start) * 1e3
    out = {
        "folder": folder.name,
        "architecture": "laya" if is_laya else "agentjev",
        "torch": torch.__version__,
        "load_ms": round(load_ms, 1),
        "threads": {},
    }
    for threads in map(int, given.threads.split(",")):
        torch.set_num_threads(threads)
        times, tokens = {}, []
        with torch.no_grad():
            for state, question in asks(folder, given.cases, is_laya):
                work, count = model.prepare(state, question)
                tokens.append(count)
                for name, call in work.items():
                    times.setdefault(name, []).append(median_ms(call, given.repeats))
        medians = {f"{name}_ms": round(statistics.median(held), 3) for name, held in times.items()}
        out["threads"][str(threads)] = medians
        out["asks"], out["tokens"] = len(tokens), statistics.median(tokens)
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", metavar="DIR")
    parser.add_argument("--threads", default="1,2", help="counts of threads, with commas")
    parser.add_argument("--repeats", type=int, default=30, help="runs that the median is over")
    parser.add_argument("--cases", help="a golden cases.json whose cases are asked")
    parser.add_argument(
        "--set-heads", type=int, default=4, help="AgentJev's setting that no file holds"
    )
    given = parser.parse_args()
    print(json.dumps([bench(folder, given) for folder in given.folders], indent=2))


if __name__ == "__main__":
    main()
