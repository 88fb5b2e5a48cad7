"""Answers that have all counts of the published formatting-fragility card at once, one set per model of the card.

No row of the card is public, only its figures. Which rows were right or flipped is invented here; that all figures of one
model fit one set of 480 answers is not, and the counts are. Found by simulated annealing from a fixed seed:

    python3 fragility-card.py > fragility-card.json      # needs mpmath for the intervals

An answer is a digit: how far the chosen identity lies from the accepted one, modulo the options; 0 is right. Rows stand by
base case (ten of news_topic, support_department, urgency with four options each, then ten of safety_gate with two), then
phrasing, then order (forward, reversed), then keys (semantic, abstract; or first and second question).

`intervals` are Korn and Graubard's over base cases, two-sided 95 %, of the order flips without noul pairs, of the key-rename
flips and of the overall accuracy: Clopper-Pearson on the effective number of rows, no upper end under that of no hit in as
many base cases, no lower end over that of nothing but hits.
"""
import json, math, random

import mpmath

# Counts of the card: overall, baseline slice, order flips, accuracy forward and reversed, key-rename flips, accuracy
# semantic and abstract, phrasing flips p0-p1. Their denominators: 480, 40, 240, 240, 240, 180, 180, 180, 160.
CARD = {
    "laya 0.3.5": [349, 30, 54, 164, 185, 59, 133, 116, 24],
    "AgentJev-0.6B": [348, 33, 0, 174, 174, 36, 128, 126, 38],
    "jev-1.13.0": [433, 38, 7, 218, 215, 15, 169, 156, 6],
}
OPTIONS = [4] * 30 + [2] * 10


def counts(options, answers):
    """The counts of one base case's twelve answers."""
    n = [0] * 9
    at = lambda p, o, k: answers[p * 4 + o * 2 + k]
    for p in range(3):
        for k in range(2):
            n[2] += at(p, 0, k) != at(p, 1, k)
            for o in range(2):
                right = at(p, o, k) == 0
                n[0] += right
                n[3 + o] += right
                n[1] += right and (p, o, k) == (0, 0, 0)
                n[6 + k] += right and options == 4
                n[8] += p == 0 and at(0, o, k) != at(1, o, k)
        for o in range(2):
            n[5] += options == 4 and at(p, o, 0) != at(p, o, 1)
    return n


def total(bases):
    return [sum(column) for column in zip(*bases)]


def found(target, draws):
    answers = [[0] * 12 for _ in OPTIONS]
    each = [counts(options, twelve) for options, twelve in zip(OPTIONS, answers)]
    now = total(each)
    off = lambda n: sum(abs(a - b) for a, b in zip(n, target))
    step = 0
    while off(now):
        base, place = draws.randrange(40), draws.randrange(12)
        twelve = list(answers[base])
        value = draws.randrange(OPTIONS[base])
        # A reversed noul row is its forward row, and a model without an order flip answers both alike.
        for p in [place, place ^ 2] if OPTIONS[base] == 2 or target[2] == 0 else [place]:
            twelve[p] = value
        new = counts(OPTIONS[base], twelve)
        then = [a - b + c for a, b, c in zip(now, each[base], new)]
        heat = max(0.3, 4.0 * 0.9999**step)
        if draws.random() < math.exp(min(0.0, (off(now) - off(then)) / heat)):
            answers[base], each[base], now = twelve, new, then
        step += 1
    assert total(map(counts, OPTIONS, answers)) == target
    return "".join(str(value) for twelve in answers for value in twelve)


def root(f, low, high):
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) < 0 else (low, middle)
    return (low + high) / 2


def beta(share, a, b):
    return root(lambda x: mpmath.betainc(a, b, 0, x, regularized=True) - share, mpmath.mpf(0), mpmath.mpf(1))


def student(share, freedom):
    # P(T > t) for t > 0, through the incomplete beta function.
    upper = lambda t: mpmath.betainc(freedom / 2, 0.5, 0, freedom / (freedom + t * t), regularized=True) / 2
    return root(lambda t: share - upper(t), mpmath.mpf(0), mpmath.mpf(100))


def interval(bases):
    """Of (hits, rows) per base case."""
    tail, hits, n, count = mpmath.mpf("0.025"), sum(h for h, _ in bases), sum(m for _, m in bases), len(bases)
    none, all_ = 1 - tail ** (mpmath.mpf(1) / count), tail ** (mpmath.mpf(1) / count)
    if hits in (0, n):
        return [0, none] if hits == 0 else [all_, 1]
    rate = mpmath.mpf(hits) / n
    variance = sum((h - m * rate) ** 2 for h, m in bases) / n**2 * count / (count - 1)
    design = variance / (rate * (1 - rate) / n)
    effective = min(n, n / design * (student(tail, mpmath.mpf(n - 1)) / student(tail, mpmath.mpf(count - 1))) ** 2)
    x = rate * effective
    return [min(beta(tail, x, effective - x + 1), all_), max(beta(1 - tail, x + 1, effective - x), none)]


def intervals(answers):
    flips, renames, right = [], [], []
    for base, options in enumerate(OPTIONS):
        n = counts(options, [int(digit) for digit in answers[base * 12 : base * 12 + 12]])
        right.append((n[0], 12))
        if options == 4:
            flips.append((n[2], 6))
            renames.append((n[5], 6))
    return [[round(float(end), 12) for end in interval(bases)] for bases in (flips, renames, right)]


if __name__ == "__main__":
    draws = random.Random(17)
    models = {name: (target, found(target, draws)) for name, target in CARD.items()}
    entry = lambda name, counts, answers: (
        f'{json.dumps(name)}: {{"counts": {counts},\n  "intervals": {intervals(answers)},\n  "answers": "{answers}"}}'
    )
    print("{\n" + ",\n".join(entry(name, *model) for name, model in models.items()) + "\n}")
