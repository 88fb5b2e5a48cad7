"""An engine of your own for `flipside suite run --model 'exec:python3 examples/suite_adapter.py'`: write `predict`, leave the rest.

The engine here reads words and nothing else, so that it shows what a suite does; put a call to your own in its place.
"""
import json, re, sys


def predict(state, questions):
    """Answers the one question of a row.

    `questions` is the row's own, such as {"q": {"type": "choice", "instructions": "…", "criteria": {"A2": "…", "A1": "…"}}}:
    criteria in the row's order, an object for a choice, a list of levels for a score, and none for a noul question.

    Returns a key of a choice as shown, the place of a level in the list as shown (from 0), True or False; or a dict of
    probabilities by those. None declines.
    """
    (question,) = questions.values()
    said = words(state)
    if question["type"] == "choice":
        shared = {key: 1 + len(said & words(text)) for key, text in question["criteria"].items()}
        total = sum(shared.values())
        return {key: n / total for key, n in shared.items()}
    if question["type"] == "score":
        # The level that shares most words; of equal ones the first by name, so that no place is preferred.
        levels = list(enumerate(question["criteria"]))
        return max(levels, key=lambda level: (len(said & words(level[1])), level[1]))[0]
    return not said & {"delete", "wipe", "production", "irreversible", "without", "payment"}


def words(text):
    return set(re.findall(r"[a-z]{4,}", json.dumps(text).lower()))


def asked(ask):
    """The questions of a row, from a line of flipside."""
    question = {k: ask["question"][k] for k in ("type", "instructions") if k in ask["question"]}
    if question["type"] == "choice":
        question["criteria"] = {option["key"]: option.get("text") for option in ask["options"]}
    elif question["type"] == "score":
        question["criteria"] = [option.get("text", option["key"]) for option in ask["options"]]
    return {ask["question"]["name"]: question}


def answered(answer):
    """What flipside reads: levels are called by their places, and sides `true` and `false`."""
    name = lambda key: json.dumps(key) if isinstance(key, bool) else str(key)
    if answer is None:
        return {"abstention": True}
    if isinstance(answer, dict):
        return {"probabilities": {name(key): p for key, p in answer.items()}}
    return {"choice": name(answer)}


for line in sys.stdin:
    ask = json.loads(line)
    try:
        reply = answered(predict(ask["state"], asked(ask)))
    except Exception as error:
        reply = {"error": str(error)}
    print(json.dumps({"id": ask["id"], **reply}), flush=True)
