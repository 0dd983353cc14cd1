#!/usr/bin/env bash
# Writes locks/*.txt: every package that an environment of this project installs, with its version and SHA-256.
# Needs uv. What is locked stays where it still fits; `scripts/lock.sh --upgrade` takes the newest versions.
set -euo pipefail
cd "$(dirname "$0")/.."

lock() { # NAME, then what uv is told
  local name=$1
  shift
  uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
    --custom-compile-command "make lock" --output-file "locks/$name.txt" "$@"
}

lock all "$@" pyproject.toml locks/build.in --extra local --extra dev --extra inspect --extra docs --extra web
lock base "$@" pyproject.toml --extra local --constraint locks/all.txt
lock dev "$@" pyproject.toml locks/build.in --extra local --extra dev --constraint locks/all.txt
lock ray "$@" pyproject.toml locks/build.in --extra local --extra dev --extra ray --constraint locks/all.txt
lock bench "$@" pyproject.toml locks/build.in --extra dev --extra bench
lock torch "$@" pyproject.toml locks/build.in --extra dev --extra train --override locks/torch.override
lock audit "$@" locks/audit.in
# These two ask for older versions of what is there, and need none of them.
lock irrcac "$@" locks/irrcac.in --no-deps
lock lettucedetect "$@" locks/lettucedetect.in --no-deps
