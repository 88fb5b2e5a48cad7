"""tiny-agentjev: a Qwen3 decoder and AgentJev's set head, with the published tensor names."""

import json

import torch
import torch.nn.functional as F
from torch import nn

from laya import slow_pairs

GEOMETRY = {
    "architectures": ["Qwen3Model"],
    "model_type": "qwen3",
    "hidden_size": 128,
    "intermediate_size": 256,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 32,
    "hidden_act": "silu",
    "attention_bias": False,
    "rms_norm_eps": 1e-6,
    "rope_theta": 1000000.0,
    "use_sliding_window": False,
    "tie_word_embeddings": True,
    "max_position_embeddings": 2048,
    "pad_token_id": 0,
}
SET_DIM, SET_LAYERS, SET_HEADS = 64, 2, 4
TYPES = ["choice", "score", "boolean"]


class RMSNorm(nn.Module):
    def __init__(self, width: int, eps: float = 1e-6):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(width)), eps

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps) * self.weight


class Attention(nn.Module):
    def __init__(self, c: dict):
        super().__init__()
        d, self.width = c["hidden_size"], c["head_dim"]
        self.heads, self.kv, self.theta = (
            c["num_attention_heads"],
            c["num_key_value_heads"],
            c["rope_theta"],
        )
        self.q_proj = nn.Linear(d, self.heads * self.width, bias=False)
        self.k_proj = nn.Linear(d, self.kv * self.width, bias=False)
        self.v_proj = nn.Linear(d, self.kv * self.width, bias=False)
        self.o_proj = nn.Linear(self.heads * self.width, d, bias=False)
        self.q_norm, self.k_norm = (
            RMSNorm(self.width, c["rms_norm_eps"]),
            RMSNorm(self.width, c["rms_norm_eps"]),
        )

    def forward(self, x, positions, mask):
        b, length, _ = x.shape
        q = self.q_norm(self.q_proj(x).view(b, length, self.heads, self.width)).transpose(1, 2)
        k = self.k_norm(self.k_proj(x).view(b, length, self.kv, self.width)).transpose(1, 2)
        v = self.v_proj(x).view(b, length, self.kv, self.width).transpose(1, 2)
        q, k = rotated(q, self.theta, positions), rotated(k, self.theta, positions)
        k, v = (part.repeat_interleave(self.heads // self.kv, 1) for part in (k, v))
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.o_proj(out.transpose(1, 2).reshape(b, length, -1))


def rotated(x: torch.Tensor, theta: float, positions: torch.Tensor) -> torch.Tensor:
    """Rotary positions that differ from row to row: x is [rows, heads, length, width], positions [rows, length]."""
    half = x.shape[-1] // 2
    angles = positions[:, None, :, None].float() * theta ** (-torch.arange(half).float() / half)
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


class Mlp(nn.Module):
    def __init__(self, c: dict):
        super().__init__()
        d, inner = c["hidden_size"], c["intermediate_size"]
        self.gate_proj, self.up_proj = (
            nn.Linear(d, inner, bias=False),
            nn.Linear(d, inner, bias=False),
        )
        self.down_proj = nn.Linear(inner, d, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    def __init__(self, c: dict):
        super().__init__()
        self.input_layernorm = RMSNorm(c["hidden_size"], c["rms_norm_eps"])
        self.self_attn = Attention(c)
        self.post_attention_layernorm = RMSNorm(c["hidden_size"], c["rms_norm_eps"])
        self.mlp = Mlp(c)

    def forward(self, x, positions, mask):
        x = x + self.self_attn(self.input_layernorm(x), positions, mask)
        return x + self.mlp(self.post_attention_layernorm(x))


class Backbone(nn.Module):
    def __init__(self, c: dict):
        super().__init__()
        self.embed_tokens = nn.Embedding(c["vocab_size"], c["hidden_size"])
        self.layers = nn.ModuleList([Layer(c) for _ in range(c["num_hidden_layers"])])
        self.norm = RMSNorm(c["hidden_size"], c["rms_norm_eps"])

    def forward(self, ids, positions, mask, dropout):
        x = F.dropout(self.embed_tokens(ids), dropout, self.training)
        for layer in self.layers:
            x = layer(x, positions, mask)
        return self.norm(x)


class Named(nn.Module):
    """A module that only gives its parts a name."""

    def __init__(self, **parts: nn.Module):
        super().__init__()
        for name, part in parts.items():
            setattr(self, name, part)


class AgentJev(nn.Module):
    """Packed paths to one logit per option; the paths of a case share their prefix and never see each other."""

    def __init__(self, config: dict, dropout: float = 0.1):
        super().__init__()
        d = config["hidden_size"]
        self.dropout = dropout
        self.path_encoder = Named(backbone=Backbone(config))
        self.proj_in, self.proj_out = nn.Linear(d, SET_DIM), nn.Linear(SET_DIM, d)
        layer = nn.TransformerEncoderLayer(
            SET_DIM, SET_HEADS, 4 * SET_DIM, 0.0, F.gelu, batch_first=True, norm_first=True
        )
        self.set_encoder = Named(
            encoder=nn.TransformerEncoder(layer, SET_LAYERS, enable_nested_tensor=False)
        )
        self.scorer = Named(norm=RMSNorm(d), fc1=nn.Linear(d, SET_DIM), fc2=nn.Linear(SET_DIM, 1))

        self.alike()

    @torch.no_grad()
    def alike(self) -> None:
        """Lets queries and keys start equal, so that a token first looks for tokens like it, on the slow rotary pairs most."""
        for layer in self.path_encoder.backbone.layers:
            part = layer.self_attn
            rows = nn.init.orthogonal_(torch.empty_like(part.k_proj.weight)).view(
                part.kv, part.width, -1
            )
            rows = rows * slow_pairs(part.width)[:, None]
            part.k_proj.weight.copy_(rows.reshape(part.k_proj.weight.shape))
            part.q_proj.weight.copy_(
                rows.repeat_interleave(part.heads // part.kv, 0).reshape(part.q_proj.weight.shape)
            )
            part.q_proj.weight.add_(0.02 * torch.randn_like(part.q_proj.weight))

    def forward(self, batch):
        hidden = self.path_encoder.backbone(
            batch["ids"], batch["positions"], batch["mask"], self.dropout
        )
        there = batch["there"]
        vectors = hidden.gather(1, batch["marks"][..., None].expand(-1, -1, hidden.shape[-1]))
        x = self.proj_in(vectors) * there[..., None]
        x = self.set_encoder.encoder(
            x, src_key_padding_mask=torch.zeros(there.shape).masked_fill(~there, float("-inf"))
        )
        n = self.scorer.norm(vectors + self.proj_out(x))
        return (
            self.scorer.fc2(F.silu(self.scorer.fc1(n)))[..., 0].masked_fill(~there, -10000.0),
            None,
            hidden,
        )


def as_text(value) -> str:
    """A string as it is, anything else as compact JSON with sorted keys."""
    return (
        value
        if isinstance(value, str)
        else json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    )


class Render:
    """Cases to packed rows: the shared prefix once, then every candidate's piece at the positions that follow it."""

    def __init__(self, tokenizer):
        self.tokenizer = tokenizer
        self.known: dict[str, list[int]] = {}

    def ids(self, text: str) -> list[int]:
        if text not in self.known:
            if len(self.known) > 200_000:
                self.known.clear()
            self.known[text] = self.tokenizer.encode(text, add_special_tokens=False).ids
        return self.known[text]

    def row(self, case: dict) -> dict:
        state = as_text(case["state"])
        prefix = self.ids(state if state.startswith("[STATE]") else f"[STATE] {state}") + self.ids(
            f"\n[QUESTION] {as_text(case['ask'])}"
        )
        texts = [text or key for key, text in case["options"]]
        gold, kind = case.get("gold", 0), case["type"]
        if kind == "noul":
            kind, gold = "boolean", 1 - gold
            texts = [case["options"][1][1] or "TRUE", case["options"][0][1] or "FALSE"]
        asked = len(self.ids(f"\n[QUESTION] {as_text(case['ask'])}"))
        parts = [2] * (len(prefix) - asked) + [0] * asked
        return {
            "prefix": prefix,
            "parts": parts,
            "pieces": [self.ids(f"\n[CANDIDATE] {text}") for text in texts],
            "gold": gold,
            "type": TYPES.index(kind),
        }

    def batch(self, rows: list[dict], pad: int = 0) -> dict:
        longest = max(len(row["prefix"]) + sum(map(len, row["pieces"])) for row in rows)
        most = max(len(row["pieces"]) for row in rows)
        ids, positions, groups, marks, parts = [], [], [], [], []
        for row in rows:
            tokens, places, group, mark = (
                list(row["prefix"]),
                list(range(len(row["prefix"]))),
                [0] * len(row["prefix"]),
                [],
            )
            for number, piece in enumerate(row["pieces"], 1):
                tokens += piece
                places += range(len(row["prefix"]), len(row["prefix"]) + len(piece))
                group += [number] * len(piece)
                mark.append(len(tokens) - 1)
            rest = longest - len(tokens)
            ids.append(tokens + [pad] * rest)
            positions.append(places + [0] * rest)
            groups.append(group + [-1] * rest)
            parts.append(
                row["parts"] + [2 + number for number in group[len(row["parts"]) :]] + [-100] * rest
            )
            marks.append(mark + [0] * (most - len(mark)))
        group = torch.tensor(groups)
        causal = torch.ones(longest, longest, dtype=torch.bool).tril()
        mask = causal & ((group[:, None, :] == 0) | (group[:, None, :] == group[:, :, None]))
        counts = torch.tensor([len(row["pieces"]) for row in rows])
        return {
            "ids": torch.tensor(ids),
            "positions": torch.tensor(positions),
            "mask": mask[:, None],
            "real": group >= 0,
            "marks": torch.tensor(marks),
            "parts": torch.tensor(parts),
            "there": torch.arange(most) < counts[:, None],
            "type": torch.tensor([row["type"] for row in rows]),
            "gold": torch.tensor([row["gold"] for row in rows]),
        }
