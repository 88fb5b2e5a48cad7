"""A model of your own, as `exec:python3 examples/exec_adapter.py`: picks the option that shares most words with the state."""
import json, re, sys

def words(value):
    return set(re.findall(r"[a-z]{3,}", json.dumps(value, ensure_ascii=False).lower()))

for line in sys.stdin:
    ask = json.loads(line)
    shared = {o["key"]: 1 + 9 * len(words(ask["state"]) & words([o["key"], o.get("text")])) for o in ask["options"]}
    p = {key: n / sum(shared.values()) for key, n in shared.items()}
    print(json.dumps({"id": ask["id"], "choice": max(p, key=lambda k: (p[k], k)), "probabilities": p}), flush=True)
