"""Asks a Decisions server by OpenAI's own client: openai_client.py BASE_URL KEY.

Prints one line of JSON: the version, and what the client made of the answers. Exits with 3 where the package is missing or older
than decisions.
"""

import json
import sys

try:
    import openai
    from openai import OpenAI

    OpenAI.decisions
except (ImportError, AttributeError):
    sys.exit(3)

base_url, key = sys.argv[1:]
client = OpenAI(api_key=key, base_url=base_url)
VALUES = ["zeta", "10", True, "true", "é"]


def ask(values):
    return client.decisions.create(
        model="gpt-6-luna",
        input=[{"role": "user", "content": [{"type": "input_json", "data": {"note": "late"}}]}],
        questions=[
            {
                "type": "choice",
                "name": "queue",
                "instructions": "Which?",
                "choices": [{"value": value, "description": f"text of {value!r}"} for value in values],
            },
            {"type": "predicate", "instructions": "The writer is angry."},
            {
                "type": "score",
                "name": "soon",
                "instructions": "How soon?",
                "levels": [{"label": "later"}, {"label": "now"}],
            },
        ],
    )


picks = []
for values in (VALUES, VALUES[::-1], VALUES[2:] + VALUES[:2], VALUES[3:] + VALUES[:3]):
    decision = ask(values)
    picks.append(decision.answers[0].choice)
try:
    ask([f"k{n}" for n in range(256)])
    refused = None
except openai.APIStatusError as error:
    refused = [error.status_code, error.code]

choice, predicate, score = decision.answers
print(
    json.dumps(
        {
            "sdk": openai.__version__,
            "picks": picks,
            "names": [answer.name for answer in decision.answers],
            "probability": predicate.probability,
            "score": score.score,
            "levels": [[level.value, level.label] for level in score.probabilities],
            "input_tokens": decision.usage.input_tokens,
            "refused": refused,
        }
    )
)
