"""The forwards written out by hand in numpy (torch for `erf` alone), from the
specification pages.

They are slow, take any float type, and can be told to make a named mistake (`wrong`): `check.py` uses that to show
that the goldens would catch it. A mistake is a string of `AGENTJEV_MISTAKES`, `LAYA_MISTAKES` or `EMBED_MISTAKES`; None is right.
"""

import math

import numpy as np
import torch

AGENTJEV_MISTAKES = (
    "rope pairs neighbours",
    "no q/k norm",
    "q/k norm after rope",
    "query head n uses key head n mod groups",
    "every token sees every token",
    "layer norm for RMS norm",
    "gelu by tanh",
    "residual on the set output only",
    "a final set norm",
    "set heads halved or doubled",
    "scorer without norm",
    "vector before the final norm",
)

LAYA_MISTAKES = (
    "window one token wider",
    "window one token narrower",
    "one theta for all layers",
    "layer kinds shifted by one",
    "gate and activated half swapped",
    "gelu by tanh in the encoder",
    "gelu in the head",
    "no type vector",
    "type of another question",
    "rope pairs neighbours",
    "scorer reads before the head",
    "state not seen by the head",
)

EMBED_MISTAKES = (
    "norms before their sums",
    "gelu by tanh",
    "no segment vector",
    "positions from 1",
    "heads halved",
    "special tokens in or out of the mean",
    "vectors of any length",
    "state masked from the options",
)


def gelu(x, tanh=False):
    """The exact form, or its tanh approximation."""
    if tanh:
        return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + torch.erf(torch.from_numpy(x / x.dtype.type(math.sqrt(2)))).numpy())


def silu(x):
    """x × logistic(x)."""
    return x / (1 + np.exp(-x))


def softmax(x):
    """Over the last axis."""
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def rms_norm(x, weight, eps):
    """x over the root of its mean square, times weight."""
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + x.dtype.type(eps)) * weight


def layer_norm(x, weight, bias=None, eps=1e-5):
    """With the biased variance."""
    centred = x - x.mean(-1, keepdims=True)
    y = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + x.dtype.type(eps)) * weight
    return y if bias is None else y + bias


def rope(x, theta, positions, neighbours=False):
    """Rotates [L, heads, size]; component m pairs with m + size/2, or with its neighbour when that mistake is wanted."""
    half = x.shape[-1] // 2
    angle = positions[:, None] * (theta ** (-np.arange(half) / half))[None]
    cos, sin = (f(angle).astype(x.dtype)[:, None] for f in (np.cos, np.sin))
    if neighbours:
        a, b = x[..., 0::2], x[..., 1::2]
        return np.stack([a * cos - b * sin, b * cos + a * sin], -1).reshape(x.shape)
    a, b = x[..., :half], x[..., half:]
    return np.concatenate([a * cos - b * sin, b * cos + a * sin], -1)


def attend(q, k, v, seen=None):
    """q, k, v [L, heads, size] -> [L, heads × size]; `seen` [L, L] says which keys a query may use."""
    scores = np.einsum("qhd,khd->hqk", q, k) / q.dtype.type(math.sqrt(q.shape[-1]))
    if seen is not None:
        scores = np.where(seen[None], scores, -np.inf)
    return np.einsum("hqk,khd->qhd", softmax(scores), v).reshape(len(q), -1)


def set_layer(x, w, at, heads, activation, seen=None):
    """One pre-norm encoder layer with biases and no positions."""
    h = layer_norm(x, w[at + "norm1.weight"], w[at + "norm1.bias"])
    qkv = h @ w[at + "self_attn.in_proj_weight"].T + w[at + "self_attn.in_proj_bias"]
    q, k, v = (part.reshape(len(x), heads, -1) for part in np.split(qkv, 3, -1))
    h = attend(q, k, v, seen)
    x = x + h @ w[at + "self_attn.out_proj.weight"].T + w[at + "self_attn.out_proj.bias"]
    h = layer_norm(x, w[at + "norm2.weight"], w[at + "norm2.bias"])
    h = activation(h @ w[at + "linear1.weight"].T + w[at + "linear1.bias"])
    return x + h @ w[at + "linear2.weight"].T + w[at + "linear2.bias"]


def agentjev_path(w, config, ids, wrong=None):
    """Hidden states of one path: `layer0`, ..., `final`, each [L, hidden]."""
    eps, size = config["rms_norm_eps"], config["head_dim"]
    heads, groups = config["num_attention_heads"], config["num_key_value_heads"]
    theta = config.get("rope_theta") or config["rope_parameters"]["rope_theta"]
    at = "path_encoder.backbone."
    x = w[at + "embed_tokens.weight"][ids]
    positions, causal = np.arange(len(ids)), np.tri(len(ids), dtype=bool)

    def norm(x, weight, eps):
        if wrong == "layer norm for RMS norm":
            return layer_norm(x, weight, None, eps)
        return rms_norm(x, weight, eps)

    if wrong == "every token sees every token":
        causal = np.ones_like(causal)
    made = {}
    for i in range(config["num_hidden_layers"]):
        layer = f"{at}layers.{i}."
        h = norm(x, w[layer + "input_layernorm.weight"], eps)
        q, k, v = (
            (h @ w[f"{layer}self_attn.{n}_proj.weight"].T).reshape(len(ids), -1, size)
            for n in "qkv"
        )
        norms = w[layer + "self_attn.q_norm.weight"], w[layer + "self_attn.k_norm.weight"]
        neighbours = wrong == "rope pairs neighbours"
        if wrong == "q/k norm after rope":
            q, k = (rope(part, theta, positions) for part in (q, k))
        if wrong != "no q/k norm":
            q, k = (rms_norm(part, own, eps) for part, own in zip((q, k), norms, strict=True))
        if wrong != "q/k norm after rope":
            q, k = (rope(part, theta, positions, neighbours) for part in (q, k))
        if wrong == "query head n uses key head n mod groups":
            owner = np.arange(heads) % groups
        else:
            owner = np.arange(heads) // (heads // groups)
        x = x + attend(q, k[:, owner], v[:, owner], causal) @ w[layer + "self_attn.o_proj.weight"].T
        h = norm(x, w[layer + "post_attention_layernorm.weight"], eps)
        h = silu(h @ w[layer + "mlp.gate_proj.weight"].T) * (h @ w[layer + "mlp.up_proj.weight"].T)
        x = x + h @ w[layer + "mlp.down_proj.weight"].T
        made[f"layer{i}"] = x
    made["final"] = (
        x if wrong == "vector before the final norm" else norm(x, w[at + "norm.weight"], eps)
    )
    return made


def agentjev_head(w, heads, vectors, wrong=None):
    """Logits of one question's candidates and X by stage."""
    x = vectors @ w["proj_in.weight"].T + w["proj_in.bias"]
    made = {"set_in": x}
    if wrong == "set heads halved or doubled":
        heads = heads // 2 if heads > 1 else 2
    j = 0
    while f"set_encoder.encoder.layers.{j}.norm1.weight" in w:
        at = f"set_encoder.encoder.layers.{j}."
        x = set_layer(x, w, at, heads, lambda h: gelu(h, wrong == "gelu by tanh"))
        made[f"set{j}"] = x
        j += 1
    if wrong == "a final set norm":
        x = layer_norm(x, np.ones(x.shape[-1], x.dtype))
    r = x @ w["proj_out.weight"].T + w["proj_out.bias"]
    if wrong != "residual on the set output only":
        r = vectors + r
    if wrong != "scorer without norm":
        r = rms_norm(r, w["scorer.norm.weight"], 1e-6)
    h = silu(r @ w["scorer.fc1.weight"].T + w["scorer.fc1.bias"])
    return (h @ w["scorer.fc2.weight"].T + w["scorer.fc2.bias"])[:, 0], made


def laya(w, encoder, head_layers, case, wrong=None):
    """One Laya case: `z` by slot, and the hidden states by stage, all tokens."""
    ids = np.array(case["ids"])
    layout = case["layout"] or {"position_ids": range(len(ids)), "option_ids": [0] * len(ids)}
    positions, options = np.array(layout["position_ids"]), np.array(layout["option_ids"])
    own = (options[:, None] == options[None]) | (options[:, None] == 0) | (options[None] == 0)
    reach = encoder["local_attention"] // 2
    reach += {"window one token wider": 1, "window one token narrower": -1}.get(wrong, 0)
    near = np.abs(positions[:, None] - positions[None]) <= reach
    kinds = encoder.get("layer_types") or [
        "sliding_attention" if i % encoder["global_attn_every_n_layers"] else "full_attention"
        for i in range(encoder["num_hidden_layers"])
    ]
    if wrong == "layer kinds shifted by one":
        kinds = kinds[1:] + kinds[:1]
    given = encoder.get("rope_parameters")
    thetas = {
        "full_attention": given["full_attention"]["rope_theta"]
        if given
        else encoder["global_rope_theta"],
        "sliding_attention": given["sliding_attention"]["rope_theta"]
        if given
        else encoder["local_rope_theta"],
    }
    if wrong == "one theta for all layers":
        thetas["sliding_attention"] = thetas["full_attention"]
    heads = encoder["num_attention_heads"]
    x = layer_norm(
        w["encoder.embeddings.tok_embeddings.weight"][ids], w["encoder.embeddings.norm.weight"]
    )
    made = {"embeddings": x}
    for i, kind in enumerate(kinds):
        layer = f"encoder.layers.{i}."
        h = x if i == 0 else layer_norm(x, w[layer + "attn_norm.weight"])
        qkv = h @ w[layer + "attn.Wqkv.weight"].T
        q, k, v = (part.reshape(len(ids), heads, -1) for part in np.split(qkv, 3, -1))
        q, k = (rope(p, thetas[kind], positions, wrong == "rope pairs neighbours") for p in (q, k))
        seen = own if kind == "full_attention" else own & near
        x = x + attend(q, k, v, seen) @ w[layer + "attn.Wo.weight"].T
        h = layer_norm(x, w[layer + "mlp_norm.weight"])
        a, b = np.split(h @ w[layer + "mlp.Wi.weight"].T, 2, -1)
        if wrong == "gate and activated half swapped":
            a, b = b, a
        x = x + (gelu(a, wrong == "gelu by tanh in the encoder") * b) @ w[layer + "mlp.Wo.weight"].T
        made[f"layer{i}"] = x
    x = layer_norm(x, w["encoder.final_norm.weight"])
    made["final"] = x
    kind = case["type_index"]
    if wrong == "type of another question":
        kind = (kind + 1) % 3
    if wrong != "no type vector":
        x = x + w["type_emb.weight"][kind]
    before = x
    activation = gelu if wrong == "gelu in the head" else lambda h: np.maximum(h, 0)
    seen = None
    if wrong == "state not seen by the head":
        seen = np.broadcast_to(np.arange(len(ids)) <= case["markers"][-1], (len(ids), len(ids)))
    for j in range(head_layers):
        x = set_layer(x, w, f"head.layers.{j}.", max(1, x.shape[-1] // 64), activation, seen)
        made[f"head{j}"] = x
    marks = (before if wrong == "scorer reads before the head" else x)[case["markers"]]
    made["marks"] = marks
    h = layer_norm(marks, w["scorer.0.weight"], w["scorer.0.bias"])
    h = gelu(h @ w["scorer.1.weight"].T + w["scorer.1.bias"])
    made["z"] = (h @ w["scorer.3.weight"].T + w["scorer.3.bias"])[:, 0]
    return made


def bert(w, config, ids, wrong=None, seen=None):
    """Hidden states of one row by stage, each [L, d]; `seen` [L, L] says which keys a query may use."""
    eps = config["layer_norm_eps"]
    heads = config["num_attention_heads"] // (2 if wrong == "heads halved" else 1)

    def norm(x, at):
        return layer_norm(x, w[at + "LayerNorm.weight"], w[at + "LayerNorm.bias"], eps)

    def dense(x, at):
        return x @ w[at + ".weight"].T + w[at + ".bias"]

    start = 1 if wrong == "positions from 1" else 0
    x = w["embeddings.word_embeddings.weight"][ids]
    if wrong != "no segment vector":
        x = x + w["embeddings.token_type_embeddings.weight"][0]
    x = x + w["embeddings.position_embeddings.weight"][start : start + len(ids)]
    x = norm(x, "embeddings.")
    made = {"embeddings": x}
    first = wrong == "norms before their sums"
    for i in range(config["num_hidden_layers"]):
        at = f"encoder.layer.{i}."
        h = norm(x, at + "attention.output.") if first else x
        q, k, v = (
            dense(h, f"{at}attention.self.{n}").reshape(len(ids), heads, -1)
            for n in ("query", "key", "value")
        )
        x = x + dense(attend(q, k, v, seen), at + "attention.output.dense")
        x = x if first else norm(x, at + "attention.output.")
        h = norm(x, at + "output.") if first else x
        h = gelu(dense(h, at + "intermediate.dense"), wrong == "gelu by tanh")
        x = x + dense(h, at + "output.dense")
        x = x if first else norm(x, at + "output.")
        made[f"layer{i}"] = x
    return made


def embed(w, config, case, wrong=None):
    """One case of a sentence encoder: `z` by slot, vectors, and the first row's hidden states by stage."""
    vectors, made = [], {}
    for row in case["rows"]:
        seen = None
        if wrong == "state masked from the options" and len(row["spans"]) > 1:
            is_state = np.arange(len(row["ids"])) < row["spans"][0][1]
            seen = is_state[:, None] == is_state[None]
        stages = bert(w, config, row["ids"], wrong, seen)
        made = made or stages
        hidden = list(stages.values())[-1]
        for start, end in row["spans"]:
            if wrong == "special tokens in or out of the mean":
                # Of a text on its own both ends belong to it, of one in a sequence none.
                alone = len(row["spans"]) == 1
                start, end = (start + 1, end - 1) if alone else (start, end + 1)
            v = hidden[start:end].mean(0)
            vectors.append(v if wrong == "vectors of any length" else v / np.sqrt((v * v).sum()))
    z = np.stack(vectors[1:]) @ vectors[0] * hidden.dtype.type(20)
    return {**made, "z": z, "state": vectors[0], "vectors": np.stack(vectors[1:])}
