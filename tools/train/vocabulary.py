"""The vocabulary, the tokenizer and the first embedding of both models.

Words come from the training texts, from `texts/words.txt` and from the WordPiece list of all-MiniLM-L6-v2 (Apache-2.0); the
first embedding of a word is that model's sentence vector of the word alone, reduced by PCA.
"""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import torch
from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers
from transformers import BertModel

LAYA_SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
AGENTJEV_SPECIALS = ["[PAD]", "[UNK]", "[STATE]", "[QUESTION]", "[CANDIDATE]"]
FIRST_WORD = 1996
PUNCTUATION = list("!#$%&'()*+,-./:;<=>?@|~€£")
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


def words_of(text: str) -> list[str]:
    """Lower-case words as the tokenizer cuts them."""
    return re.findall(r"[a-z]+|\d+", text.lower())


def word_list(texts: list[str], minilm: Path, size: int) -> list[str]:
    """`size` pieces without the special ones: characters, endings, words of the texts, then MiniLM's own by its order."""
    theirs = (minilm / "vocab.txt").read_text().splitlines()[FIRST_WORD:]
    pieces = PUNCTUATION + list(LETTERS) + ["##" + c for c in LETTERS]
    pieces += [p for p in theirs if re.fullmatch(r"##[a-z]{2,}", p)][:450]
    counts = Counter(word for text in texts for word in words_of(text) if word.isalpha())
    pieces += words_of((Path(__file__).parent / "texts" / "words.txt").read_text())
    pieces += [
        word
        for word, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        if count > 1
    ]
    pieces += [p for p in theirs if re.fullmatch(r"[a-z]{2,}", p)]
    return list(dict.fromkeys(pieces))[:size]


def tokenizer(words: list[str], specials: list[str]) -> Tokenizer:
    """WordPiece over lower-case text; braces, brackets, double quotes and underscores only separate."""
    vocabulary = {piece: number for number, piece in enumerate(specials + words)}
    built = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
    built.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.BertNormalizer(lowercase=True)]
    )
    built.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(r'["{}\[\]_]'), "removed"), pre_tokenizers.BertPreTokenizer()]
    )
    built.add_special_tokens(
        [AddedToken(piece, normalized=False, special=True) for piece in specials]
    )
    return built


@torch.no_grad()
def vectors(words: list[str], minilm: Path) -> np.ndarray:
    """MiniLM's normalised sentence vector of each piece, the mean piece taken off: [words, 384]."""
    theirs = Tokenizer.from_file(str(minilm / "tokenizer.json"))
    theirs.no_truncation()
    theirs.no_padding()
    model = BertModel.from_pretrained(minilm, add_pooling_layer=False).eval()
    rows = []
    for word in words:
        number = theirs.token_to_id(word)
        rows.append([101, number, 102] if number is not None else theirs.encode(word).ids)
    out = np.zeros((len(words), 384), np.float32)
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    for start in range(0, len(order), 256):
        part = order[start : start + 256]
        longest = max(len(rows[i]) for i in part)
        ids = torch.tensor([rows[i] + [0] * (longest - len(rows[i])) for i in part])
        mask = (torch.arange(longest) < torch.tensor([[len(rows[i])] for i in part])).float()
        hidden = model(ids, attention_mask=mask).last_hidden_state
        mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        out[part] = torch.nn.functional.normalize(mean, dim=-1).numpy()
    return out - out.mean(0)


def reduced(rows: np.ndarray, width: int) -> np.ndarray:
    """The first `width` principal components, scaled to a mean square of one, damped so that late ones keep a voice."""
    _, sizes, basis = np.linalg.svd(rows, full_matrices=False)
    signs = np.sign(basis[np.arange(width), np.abs(basis[:width]).argmax(1)])
    part = rows @ (basis[:width] * signs[:, None]).T / np.sqrt(sizes[:width])
    return part / np.sqrt((part**2).mean())


def neighbours(rows: np.ndarray, words: list[str], count: int) -> tuple[np.ndarray, np.ndarray]:
    """The `count` nearest whole words of each word, and their cosines; a piece that is no whole word has itself."""
    whole = np.array([word.isalpha() and len(word) > 2 for word in words])
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    near = np.tile(np.arange(len(words))[:, None], (1, count))
    close = np.ones((len(words), count), np.float32)
    places = np.flatnonzero(whole)
    cosines = unit[places] @ unit[places].T
    np.fill_diagonal(cosines, -1)
    for i, row in zip(places, cosines):
        best = np.argpartition(-row, count)[:count]
        best = best[np.argsort(-row[best], kind="stable")]
        near[i], close[i] = places[best], row[best]
    return near, close
