"""Answers that have all counts of the published formatting-fragility card at once, one set per model of the card.

No row of the card is public, only its figures. Which rows were right or flipped is invented here; that all figures of one
model fit one set of 480 answers is not, and the counts are. Found by simulated annealing from a fixed seed:

    python3 fragility-card.py > fragility-card.json

An answer is a digit: how far the chosen identity lies from the accepted one, modulo the options; 0 is right. Rows stand by
base case (ten of news_topic, support_department, urgency with four options each, then ten of safety_gate with two), then
phrasing, then order (forward, reversed), then keys (semantic, abstract; or first and second question).
"""
import json, math, random

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


if __name__ == "__main__":
    draws = random.Random(17)
    models = {name: {"counts": target, "answers": found(target, draws)} for name, target in CARD.items()}
    entry = lambda name: f'{json.dumps(name)}: {{"counts": {models[name]["counts"]},\n  "answers": "{models[name]["answers"]}"}}'
    print("{\n" + ",\n".join(map(entry, models)) + "\n}")
