#!/usr/bin/env bash
# The capability table on what is in this repository: controls in process, stand-ins over HTTP, recorded sets. Writes docs/capabilities.md.
# Run from the repository's root: docs/capabilities.sh
set -euo pipefail
export CARGO_PROFILE_RELEASE_LTO=${CARGO_PROFILE_RELEASE_LTO:-thin}
profile=${FLIPSIDE_PROFILE:-release}
flags=--release
if [[ $profile == debug ]]; then flags=; fi
# shellcheck disable=SC2086 # no flags at all for the debug profile
cargo build $flags --locked -q -p flipside -p flipside-standin
bin=$PWD/target/$profile
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT

# probe FOLDER FILE MODEL ORDERS MORE..: a run in $work/FOLDER. 0 and 1 are verdicts, 2 and 3 are not.
probe() {
  local folder=$1 file=$2 model=$3 orders=$4 code=0
  shift 4
  "$bin/flipside" probe "$file" --model "$model" --order "$orders" --no-confirm --out "$work/$folder" "$@" >/dev/null 2>"$work/errors" || code=$?
  if [ "$code" -gt 1 ]; then cat "$work/errors" >&2; exit "$code"; fi
}

# serve POLICY FOLDER FILE ORDERS: the same, answered by a stand-in over loopback HTTP.
serve() {
  "$bin/flipside-standin" --policy "$1" --no-record >"$work/url" &
  server=$!
  until [ -s "$work/url" ]; do sleep 0.05; done
  probe "$2" "$3" "systemone:$(head -1 "$work/url")" "$4" --hardware "stand-in, policy $1, on loopback"
  kill "$server"
  wait "$server" 2>/dev/null || true
  server=
  rm -f "$work/url"
}

# table TITLE RUN..: the section of one set of cases.
table() {
  printf '\n## %s\n\n' "$1"
  shift
  "$bin/flipside" report "$@" --table capability --format markdown |
    # Where a stand-in listens differs from run to run, and with it the order of rows; so does where this script works.
    sed -E 's#systemone:http\\://127\.0\.0\.1:[0-9]+#systemone:http\\://127.0.0.1#g; s#/[^ |]*/recorded/##g' |
    awk -v sort='LC_ALL=C sort' '/^\| (model|---) /{print; fflush(); next} /^\|/{print | sort; next} {close(sort); print; fflush()}'
}

for model in first last slot:2 overlap random noisy:0.1 tiny-laya tiny-agentjev; do
  probe "router/$model" builtin:ticket-router "$model" check --axis keys,whitespace,letter-case,drop,decoy
  probe "examples/$model" data/ticket_router_probe.jsonl "$model" check --axis keys
  # Every row of the suite is asked as a case of its own here; rows that ask the same are one case.
  probe "fragility/$model" builtin:fragility "$model" reverse,same:1
done
for policy in first content noisy:0.1; do
  serve "$policy" "router/served-${policy%%:*}" builtin:ticket-router check
  serve "$policy" "examples/served-${policy%%:*}" data/ticket_router_probe.jsonl check
done

# recorded NAME COMPARED..: the summary of answers that others recorded, in $work/recorded.
recorded() {
  local name=$1 code=0
  shift
  "$bin/flipside" compare "$@" --json "$work/recorded/$name.json" >/dev/null 2>"$work/errors" || code=$?
  if [ "$code" -gt 1 ]; then cat "$work/errors" >&2; exit "$code"; fi
}
mkdir "$work/recorded"
sets=crates/flipside/tests/data/sys1-eval
for model in laya jev; do
  recorded "pilot-$model" "$sets/$model.jsonl" "$sets/$model-flip.jsonl" --cases "$sets/cases.jsonl" --variant-cases "$sets/cases-flip.jsonl"
  recorded "table-$model" "$sets/order-table.csv" --where "backend=$model"
done
recorded laya-router-400 "$sets/laya-router-400.csv"

{
  echo "# What models show, axis by axis"
  echo
  echo "Written by \`docs/capabilities.sh\` on $(date -u +%Y-%m-%d) with flipside $("$bin/flipside" --version | cut -d' ' -f2); do not edit. Every"
  echo "table is what \`flipside report RUNS --table capability --format markdown\` prints of run folders that the same script recorded with"
  echo "\`flipside probe\`. These models are controls with a known answer and test servers, so that each row can be checked by eye: \`first\`"
  echo "follows the position in every reversal, \`overlap\` never does, \`random\` is noise in every column; \`tiny-laya\` and \`tiny-agentjev\`"
  echo "are the small trained models inside the program, which have seen none of these cases (their cards say what they know of the kinds)."
  table "Ticket router: \`builtin:ticket-router\`, 30 cases" "$work/router"
  table "Twelve tickets: \`data/ticket_router_probe.jsonl\`" "$work/examples"
  table "Formatting-fragility rows: \`builtin:fragility\`, 480 rows, each different one a case" "$work/fragility"
  table "Recorded answers: \`$sets/\`, of which \`flipside compare\` makes summaries" "$work"/recorded/*.json
  echo
  echo "The recorded sets are two pilot runs (28 cases that say what was shown, and 32 that do not), the published table of orders by system, and"
  echo "400 routing decisions of one model; their README says where each comes from. Nothing was asked for these rows."
} >docs/capabilities.md
