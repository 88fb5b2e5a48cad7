"""tiny-laya: a ModernBERT-family encoder and Laya's decision head, with the published tensor names."""

import json
import math

import torch
import torch.nn.functional as F
from torch import nn

GEOMETRY = {
    "architectures": ["ModernBertModel"],
    "model_type": "modernbert",
    "hidden_size": 128,
    "intermediate_size": 192,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "local_attention": 128,
    "global_attn_every_n_layers": 2,
    "global_rope_theta": 160000.0,
    "local_rope_theta": 10000.0,
    "norm_eps": 1e-5,
    "norm_bias": False,
    "attention_bias": False,
    "mlp_bias": False,
    "hidden_activation": "gelu",
    "max_position_embeddings": 2048,
}
AGENT = {
    "encoder": "tiny-modernbert",
    "model_name": "tiny-laya",
    "head_layers": 1,
    "max_len": 2048,
    "head_max_len": 1280,
    "act_costs": {"escalate": 0.5},
    "temperature": [1.0, 1.0, 1.0],
    "temperature_by_options": {},
    "option_layout": "sequential",
}
TYPES = ["choice", "score", "noul"]
OPTION_TOKENS = 48


def turned(x: torch.Tensor, theta: float, positions: torch.Tensor) -> torch.Tensor:
    """Rotary positions, half-split form: x is [.., length, head width]."""
    half = x.shape[-1] // 2
    angles = positions[:, None].float() * theta ** (-torch.arange(half).float() / half)
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


def slow_pairs(width: int) -> torch.Tensor:
    """One number a component of a head: small for the rotary pairs that turn fast."""
    half = width // 2
    return torch.where(torch.arange(half) < half // 3, 0.3, 1.2).repeat(2)


class Attention(nn.Module):
    def __init__(self, d: int, heads: int, theta: float):
        super().__init__()
        self.heads, self.theta = heads, theta
        self.Wqkv = nn.Linear(d, 3 * d, bias=False)
        self.Wo = nn.Linear(d, d, bias=False)

    def forward(self, x, mask):
        b, length, d = x.shape
        q, k, v = self.Wqkv(x).view(b, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        positions = torch.arange(length)
        q, k = turned(q, self.theta, positions), turned(k, self.theta, positions)
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.Wo(out.transpose(1, 2).reshape(b, length, d))


class Gated(nn.Module):
    def __init__(self, d: int, inner: int):
        super().__init__()
        self.Wi = nn.Linear(d, 2 * inner, bias=False)
        self.Wo = nn.Linear(inner, d, bias=False)

    def forward(self, x):
        a, b = self.Wi(x).chunk(2, -1)
        return self.Wo(F.gelu(a) * b)


class Layer(nn.Module):
    def __init__(self, config: dict, number: int):
        super().__init__()
        d, eps = config["hidden_size"], config["norm_eps"]
        self.full = number % config["global_attn_every_n_layers"] == 0
        theta = config["global_rope_theta" if self.full else "local_rope_theta"]
        self.attn_norm = nn.LayerNorm(d, eps, bias=False) if number else nn.Identity()
        self.attn = Attention(d, config["num_attention_heads"], theta)
        self.mlp_norm = nn.LayerNorm(d, eps, bias=False)
        self.mlp = Gated(d, config["intermediate_size"])

    def forward(self, x, full, near):
        x = x + self.attn(self.attn_norm(x), full if self.full else near)
        return x + self.mlp(self.mlp_norm(x))


class Embeddings(nn.Module):
    def __init__(self, vocabulary: int, d: int, eps: float):
        super().__init__()
        self.tok_embeddings = nn.Embedding(vocabulary, d)
        self.norm = nn.LayerNorm(d, eps, bias=False)

    def forward(self, ids):
        return self.norm(self.tok_embeddings(ids))


class Encoder(nn.Module):
    def __init__(self, config: dict):
        super().__init__()
        self.window = config["local_attention"] // 2
        d = config["hidden_size"]
        self.embeddings = Embeddings(config["vocab_size"], d, config["norm_eps"])
        self.layers = nn.ModuleList([Layer(config, i) for i in range(config["num_hidden_layers"])])
        self.final_norm = nn.LayerNorm(d, config["norm_eps"], bias=False)

    def forward(self, ids, real, dropout):
        length = ids.shape[1]
        full = real[:, None, None, :].expand(-1, 1, length, -1)
        away = (torch.arange(length)[:, None] - torch.arange(length)).abs()
        near = full & (away <= self.window)
        near = near | torch.eye(
            length, dtype=torch.bool
        )  # a padded row may see itself, so that no row is empty
        x = F.dropout(self.embeddings(ids), dropout, self.training)
        for layer in self.layers:
            x = layer(x, full, near)
        return self.final_norm(x)


class Laya(nn.Module):
    """Ids to one logit per option; a slot that a row does not have gets -10000."""

    def __init__(self, config: dict, head_layers: int = AGENT["head_layers"], dropout: float = 0.1):
        super().__init__()
        d = config["hidden_size"]
        self.dropout = dropout
        self.encoder = Encoder(config)
        self.type_emb = nn.Embedding(3, d)
        layer = nn.TransformerEncoderLayer(
            d, max(1, d // 64), 4 * d, dropout=0.0, batch_first=True, norm_first=True
        )
        self.head = nn.TransformerEncoder(layer, head_layers, enable_nested_tensor=False)
        self.scorer = nn.Sequential(nn.LayerNorm(d), nn.Linear(d, d), nn.GELU(), nn.Linear(d, 1))
        self.act_head = nn.Sequential(
            nn.Linear(d + 4, 256), nn.GELU(), nn.Linear(256, 1 + len(AGENT["act_costs"]))
        )
        self.register_buffer("temperature", torch.ones(3))

        self.alike()

    @torch.no_grad()
    def alike(self) -> None:
        """Lets queries and keys start equal, so that a token first looks for tokens like it, on the slow rotary pairs most.

        The layers before the last one stay as they are: they gather an option under its mask.
        """
        d = self.type_emb.weight.shape[1]
        for layer in self.encoder.layers[-1:]:
            heads = layer.attn.heads
            rows = nn.init.orthogonal_(torch.empty(d, d)).view(heads, d // heads, d)
            rows = (rows * slow_pairs(d // heads)[:, None]).reshape(d, d)
            layer.attn.Wqkv.weight[:d] = rows + 0.02 * torch.randn(d, d)
            layer.attn.Wqkv.weight[d : 2 * d] = rows + 0.02 * torch.randn(d, d)
        for layer in self.head.layers:
            rows = nn.init.orthogonal_(torch.empty(d, d))
            layer.self_attn.in_proj_weight[:d] = 0.8 * rows
            layer.self_attn.in_proj_weight[d : 2 * d] = 0.8 * rows

    @torch.no_grad()
    def gather(self, mask: int, reaches: tuple[float, ...] = (1.0, 1.5, 2.5, 5.0)) -> None:
        """Lets a mask start as the mean of the few tokens after it: layer 0, its fast rotary pairs, one reach a head.

        The last two components of the embedding become a constant and a sign of the mask, so that only a mask looks ahead.
        """
        table, attn = self.encoder.embeddings.tok_embeddings.weight, self.encoder.layers[0].attn
        d, width = table.shape[1], table.shape[1] // attn.heads
        table[:, -2], table[:, -1] = 0.0, 3.0
        table[mask] *= 0.1
        table[mask, -2:] = torch.tensor([6.0, 3.0])
        queries, keys = torch.zeros(attn.heads, width, d), torch.zeros(attn.heads, width, d)
        for head, reach in enumerate(reaches):
            for pair in range(0 if reach < 2 else 1, 4):
                turn = reach * attn.theta ** (-pair / (width // 2))
                queries[head, pair, -2], queries[head, pair + width // 2, -2] = (
                    math.cos(turn),
                    math.sin(turn),
                )
                keys[head, pair, -1], keys[head, pair, -2] = (
                    1.0,
                    -0.5,
                )  # a mask's own key comes to nothing
        noise = 0.03 * torch.randn(2 * d, d)
        attn.Wqkv.weight[: 2 * d] = torch.cat([queries.view(d, d), keys.view(d, d)]) + noise
        attn.Wqkv.weight[2 * d :] = torch.eye(d) + 0.02 * torch.randn(d, d)
        attn.Wo.weight.copy_(1.5 * torch.eye(d) + 0.02 * torch.randn(d, d))

    def forward(self, batch):
        real = batch["real"]
        seen = self.encoder(batch["ids"], real, self.dropout)
        h = seen + self.type_emb(batch["type"])[:, None]
        h = self.head(
            h, src_key_padding_mask=torch.zeros(real.shape).masked_fill(~real, float("-inf"))
        )
        marks = h.gather(1, batch["marks"][..., None].expand(-1, -1, h.shape[-1]))
        z = self.scorer(marks)[..., 0].masked_fill(~batch["there"], -10000.0)
        p = z.detach().softmax(-1)
        top = p.topk(min(2, p.shape[-1]), -1).values
        second = top[:, 1] if top.shape[-1] > 1 else torch.zeros_like(top[:, 0])
        k = batch["there"].sum(-1).clamp(min=2).float()
        entropy = -(p * p.clamp(min=1e-9).log()).sum(-1) / k.log()
        facts = torch.stack([top[:, 0], top[:, 0] - second, entropy, k / 255], -1)
        return z, self.act_head(torch.cat([h[:, 0].detach(), facts], -1)), seen


def as_text(value) -> str:
    """A string as it is, anything else as JSON with Python's separators."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def option_texts(case: dict) -> list[str]:
    """What stands after each option's mask."""
    if case["type"] == "score":
        return [
            f"level {i}: {text if text is not None else key}"
            for i, (key, text) in enumerate(case["options"])
        ]
    if case["type"] == "noul":
        defaults = ["no, the statement does not hold", "yes, the statement holds"]
        return [
            f"{word}: {text or default}"
            for word, default, (_, text) in zip(("false", "true"), defaults, case["options"])
        ]
    return [f"{key}: {text}" if text else key for key, text in case["options"]]


class Render:
    """Cases to rows of ids, after the published layout and its budgets."""

    def __init__(
        self, tokenizer, max_len: int = AGENT["max_len"], head_max_len: int = AGENT["head_max_len"]
    ):
        self.tokenizer, self.max_len, self.head_max_len = tokenizer, max_len, head_max_len
        self.cls, self.sep, self.mask = (
            tokenizer.token_to_id(name) for name in ("[CLS]", "[SEP]", "[MASK]")
        )
        self.known: dict[str, list[int]] = {}

    def ids(self, text: str) -> list[int]:
        if text not in self.known:
            if len(self.known) > 200_000:
                self.known.clear()
            self.known[text] = self.tokenizer.encode(
                text.replace("[MASK]", " "), add_special_tokens=False
            ).ids
        return self.known[text]

    def row(self, case: dict) -> dict:
        head = self.ids(f"{case['type']} question: {as_text(case['ask'])}")
        options = [
            [self.mask] + self.ids(" " + text)[:OPTION_TOKENS] for text in option_texts(case)
        ]
        budget = self.head_max_len - sum(map(len, options))
        if budget < 16:
            per = max(4, (self.head_max_len - 16) // len(options))
            options = [option[:per] for option in options]
            budget = self.head_max_len - sum(map(len, options))
        ids = [self.cls] + head[: max(8, budget)] + [self.sep]
        marks = []
        for option in options:
            marks.append(len(ids))
            ids += option
        ids.append(self.sep)
        room = max(0, self.max_len - len(ids) - 1)
        state = self.ids(as_text(case["state"]))
        state = state[-room:] if isinstance(case["state"], list) and room else state[:room]
        ids = (ids + state + [self.sep])[: self.max_len]
        assert marks[-1] < len(ids), "an option's mask fell off"
        ends = [*marks[1:], marks[-1] + len(options[-1])]
        parts = (
            [0] * marks[0]
            + [
                3 + i if place else 1
                for i, (start, end) in enumerate(zip(marks, ends))
                for place in range(end - start)
            ]
            + [0]
            + [2] * len(state)
            + [0]
        )
        return {
            "ids": ids,
            "marks": marks,
            "parts": parts[: len(ids)],
            "gold": case.get("gold", 0),
            "type": TYPES.index(case["type"]),
        }

    def batch(self, rows: list[dict], pad: int = 0) -> dict:
        longest, most = max(len(row["ids"]) for row in rows), max(len(row["marks"]) for row in rows)
        ids = torch.tensor([row["ids"] + [pad] * (longest - len(row["ids"])) for row in rows])
        lengths = torch.tensor([len(row["ids"]) for row in rows])
        counts = torch.tensor([len(row["marks"]) for row in rows])
        return {
            "ids": ids,
            "real": torch.arange(longest) < lengths[:, None],
            "marks": torch.tensor(
                [row["marks"] + [0] * (most - len(row["marks"])) for row in rows]
            ),
            "parts": torch.tensor(
                [row["parts"] + [-100] * (longest - len(row["ids"])) for row in rows]
            ),
            "there": torch.arange(most) < counts[:, None],
            "type": torch.tensor([row["type"] for row in rows]),
            "gold": torch.tensor([row["gold"] for row in rows]),
        }
