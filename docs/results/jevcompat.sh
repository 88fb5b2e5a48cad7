#!/usr/bin/env bash
# Peers' suites and clients: jevcompat against our stand-in, jevcompat's own server under our probe, and the clients of TypeSafe and
# OpenAI against our stand-in. Prints Markdown. Needs python3 with venv and a network for pip.
# Run from the repository's root: docs/results/jevcompat.sh > docs/results/jevcompat.md
# BIN names a folder with flipside and flipside-standin; without it they are built. PYTHON names an interpreter that has the packages.
set -euo pipefail
if [ -z "${BIN:-}" ]; then
  cargo build --release --locked -q -p flipside -p flipside-standin
  BIN=$PWD/target/release
fi
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
if [ -z "${PYTHON:-}" ]; then
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install -q jevcompat==0.1.1 typesafe-sdk==0.7.5 backports.zstd openai==3.57.0
  PYTHON=$work/venv/bin/python
fi
jevcompat="$(dirname "$PYTHON")/jevcompat"

# Starts the stand-in with these flags; its URL is in $url, its root in $root.
serve() {
  rm -f "$work/url"
  "$BIN/flipside-standin" "$@" >"$work/url" &
  server=$!
  until [ -s "$work/url" ]; do sleep 0.05; done
  url=$(head -1 "$work/url")
  root=${url%/v1/systemone}
  root=${root%/v1/decisions}
}
stop() { kill "$server"; wait "$server" 2>/dev/null || true; }

echo "# Suites and clients of others"
echo
echo "Date: $(date -u +%Y-%m-%d). flipside $("$BIN/flipside" --version | cut -d' ' -f2). Written by \`docs/results/jevcompat.sh\`."
echo "$("$jevcompat" --version), $("$PYTHON" -c 'import importlib.metadata as m; print(", ".join(f"{p} {m.version(p)}" for p in ("typesafe-sdk", "backports.zstd", "openai")))'), $("$PYTHON" --version)."
echo
echo "## jevcompat against our stand-in"
echo
echo "    flipside-standin --policy POLICY --dialect DIALECT [--key KEY]"
echo "    jevcompat test ROOT [--key KEY]"
echo
echo "The specification has 33 MUST. The line on a stray header applies without a key and the one on bearer keys with one, so that a run has 32 of"
echo "them and the first two rows have all 33. A dialect that is not TypeSafe's own fails where the server that it stands for does."
echo
echo "| dialect | policy | key | MUST | SHOULD | verdict | MUST that fail | SHOULD that fail |"
echo "|---|---|---|---|---|---|---|---|"
while read -r dialect policy key; do
  words=()
  [ "$key" = yes ] && words=(--key sesame-1)
  serve --no-record --policy "$policy" --dialect "$dialect" "${words[@]}"
  "$jevcompat" test "$root" "${words[@]}" --json "$work/report.json" >"$work/said" 2>&1 || true
  stop
  "$PYTHON" - "$work/report.json" "$dialect" "$policy" "$key" <<'PY'
import json, sys
path, dialect, policy, key = sys.argv[1:]
report = json.load(open(path))
checks = report["results"]
def of(level):
    found = [c for c in checks if c["level"] == level and c["status"] in ("pass", "fail")]
    failed = [f"`{c['id']}`" for c in found if c["status"] == "fail"]
    return f"{len(found) - len(failed)}/{len(found)}", ", ".join(failed) or "–"
verdict = report["summary"]["verdict"]
(must, must_failed), (should, should_failed) = of("MUST"), of("SHOULD")
print(f"| `{dialect}` | `{policy}` | {key} | {must} | {should} | {verdict} | {must_failed} | {should_failed} |")
PY
done <<'ROWS'
typesafe content no
typesafe content yes
typesafe first no
typesafe uniform no
vercel content no
laya-pkg content no
laya content no
clm content no
kev content no
ollama-s1 content no
ROWS

echo
echo "## jevcompat's own server under our probe"
echo
echo "    jevcompat mock"
echo "    flipside probe data/ticket_router_probe.jsonl --model systemone:http://127.0.0.1:PORT/v1/systemone --order reverse,rotate:1,random:2,same:1 --gate none:fit"
echo
echo "Its scores are a hash of state, instructions and option, so that it is blind to order: no order may flip anything."
echo
"$jevcompat" mock --port 0 >"$work/mock" 2>&1 &
mock=$!
for _ in $(seq 100); do grep -q 'http://' "$work/mock" && break; sleep 0.1; done
port=$(grep -oE 'http://[^ ]*:[0-9]+' "$work/mock" | head -1 | sed 's/.*://')
code=0
"$BIN/flipside" probe data/ticket_router_probe.jsonl --model "systemone:http://127.0.0.1:$port/v1/systemone" \
  --order reverse,rotate:1,random:2,same:1 --gate none:fit --json "$work/summary.json" >/dev/null 2>"$work/err" || code=$?
kill "$mock"; wait "$mock" 2>/dev/null || true
"$PYTHON" - "$work/summary.json" "$code" <<'PY'
import json, sys
path, code = sys.argv[1:]
summary = json.load(open(path))
lines = list(summary["axes"]["order"].items()) + [("same", summary["control"])]
print("| order | flips | pairs | missing |")
print("|---|---|---|---|")
for name, line in lines:
    print(f"| `{name}` | {line['flips']} | {line['pairs']} | {line['missing']} |")
counts = summary["counts"]
print()
print(f"{counts['cases']} cases, {counts['answered']} answers, {counts['failed']} failed, exit {code}.")
PY

echo
echo "## Clients that others wrote, against our stand-in"
echo
echo "\`crates/flipside/tests/data/typesafe_client.py\` and \`openai_client.py\`; the same scripts are run by the program tests \`peers\` where Python has the packages."
echo "TypeSafe's client compresses bodies of 1,024 bytes and more with zstd where it has a codec; the second three of its six requests are that long. Each list of picks is what"
echo "stood first in each request: three orders, short and long, for the one; four orders of strings and a boolean for the other. \`refused\` is what became of 256 options."
for client in typesafe openai; do
  dialect=typesafe
  [ "$client" = openai ] && dialect=openai-decisions
  serve --policy first --dialect "$dialect" --key sesame-1
  at=$root
  [ "$client" = openai ] && at=$root/v1
  echo
  echo "    flipside-standin --policy first --dialect $dialect --key sesame-1"
  echo "    python ${client}_client.py $( [ "$client" = openai ] && echo ROOT/v1 || echo ROOT ) sesame-1"
  echo
  echo '```json'
  "$PYTHON" "crates/flipside/tests/data/${client}_client.py" "$at" sesame-1
  echo '```'
  stop
done
