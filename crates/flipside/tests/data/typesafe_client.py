"""Asks a System One server by TypeSafe's own client: typesafe_client.py ORIGIN KEY.

Prints one line of JSON: the versions, and what the client made of the answers. Exits with 3 where the package is missing.
"""

import json
import sys

try:
    import typesafe_sdk
    from typesafe_sdk import Choice, Noul, Score, TypeSafeClient, TypeSafeError
except ImportError:
    sys.exit(3)

try:
    from compression import zstd
except ImportError:
    try:
        from backports import zstd
    except ImportError:
        zstd = None

origin, key = sys.argv[1:]
KEYS = ["zeta", "10", "2", "alpha", "Ab", "é"]
LONG = "the parcels from the couriers are late " * 40

with TypeSafeClient(api_key=key, base_url=origin) as client:

    def ask(keys, state):
        return client.system_one(
            state=state,
            questions={
                "queue": Choice(instructions="Which?", criteria={key: f"text of {key}" for key in keys}),
                "soon": Score(instructions="How soon?", criteria=["later", "today", "now"]),
                "angry": Noul(instructions="The writer is angry."),
            },
        )

    picks, sums = [], []
    for state in ({"note": "short"}, {"note": LONG}):
        for keys in (KEYS, KEYS[::-1], KEYS[1:] + KEYS[:1]):
            response = ask(keys, state)
            choice = response.choices["queue"]
            picks.append(choice.choice)
            sums.append(round(sum(choice.probabilities.values()), 9))
    score, noul = response.scores["soon"], response.nouls["angry"]
    models = [model.name for model in client.models.list().models]
    try:
        ask([f"k{n}" for n in range(256)], "s")
        refused = None
    except TypeSafeError as error:
        refused = type(error).__name__

print(
    json.dumps(
        {
            "sdk": typesafe_sdk.__version__,
            "zstd": zstd is not None,
            "picks": picks,
            "sums": sums,
            "score": score.score,
            "legend": score.legend,
            "noul": noul.noul,
            "model": response.model,
            "models": models,
            "input_tokens": response.usage.input_tokens,
            "refused": refused,
        },
        ensure_ascii=True,
    )
)
