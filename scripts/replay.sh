#!/usr/bin/env bash
# Sets up what is missing, builds the command where it is not up to date, and runs it.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
"$root/scripts/setup.sh"
(cd "$root" && go build -o bin/replay ./cmd/replay)
exec "$root/bin/replay" "$@"
