#!/usr/bin/env bash
# The order axis on real inputs: three files, controls in process, and stand-ins over HTTP. Prints Markdown.
# Run from the repository's root: docs/results/order-probe.sh > docs/results/order-probe.md
set -euo pipefail
cargo build --release --locked -q -p flipside -p flipside-standin
bin=$PWD/target/release
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT

echo "# Order probe on real inputs"
echo
echo "Date: $(date -u +%Y-%m-%d). flipside $("$bin/flipside" --version | cut -d' ' -f2). Written by \`docs/results/order-probe.sh\`."
echo
echo "Rates are flips of pairs. The stand-ins speak System One over loopback HTTP with the policy in the table; the controls run in process."
for file in data/ticket_router_probe.jsonl builtin:ticket-router data/banking77-77way.jsonl; do
  echo
  echo "## \`$file\`"
  echo
  echo "    flipside probe $file --model MODEL --order reverse,rotate:1,random:2,same:1"
  echo
  echo "| model | fit | reverse | rotate:1 | random:1 | random:2 | same | order gate | exit |"
  echo "|---|---|---|---|---|---|---|---|---|"
  for model in overlap first last slot:2 random noisy:0.1 http:first http:content http:overlap http:noisy:0.1 http:sorted-order http:truncating:12; do
    spec=$model
    if [[ $model == http:* ]]; then
      "$bin/flipside-standin" --policy "${model#http:}" --no-record >"$work/url" &
      server=$!
      until [ -s "$work/url" ]; do sleep 0.05; done
      spec=systemone:$(head -1 "$work/url")
    fi
    code=0
    "$bin/flipside" probe "$file" --model "$spec" --order reverse,rotate:1,random:2,same:1 --out "$work/run" --json "$work/s.json" >/dev/null 2>&1 || code=$?
    python3 - "$work/s.json" "$model" "$code" <<'PY'
import json, sys
path, model, code = sys.argv[1:]
s = json.load(open(path))
share = lambda f: f"{f['flips']}/{f['pairs']}" + (f" ({f['tie_flips']} ties)" if f['tie_flips'] else "")
order = s['axes']['order']
gate = [g for g in s['gates'] if g['subject'] == 'order'][0]
cells = [f"`{model}`", f"{s['fit']['right']}/{s['fit']['pairs']}"]
cells += [share(order[name]) for name in ('reverse', 'rotate:1', 'random:1', 'random:2')]
cells += [share(s['control']), gate['verdict'], code]
print("| " + " | ".join(map(str, cells)) + " |")
PY
    rm -rf "$work/run"
    if [[ $model == http:* ]]; then kill "$server"; wait "$server" 2>/dev/null || true; rm -f "$work/url"; fi
  done
done
