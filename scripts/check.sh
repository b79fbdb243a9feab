#!/usr/bin/env bash
# Looks at the code without running it: format, vet, staticcheck, and that the
# module files are tidy. The tools are pinned in scripts/tools/go.mod.
set -euo pipefail
cd "$(dirname "$0")/.."
tool() { go tool -modfile=scripts/tools/go.mod "$@"; }
failed=0

unformatted=$(git ls-files -z '*.go' | xargs -0 -r go tool -modfile=scripts/tools/go.mod gofumpt -l)
if [ -n "$unformatted" ]; then
  echo "not formatted (go tool -modfile=scripts/tools/go.mod gofumpt -w FILE):" >&2
  echo "$unformatted" >&2
  failed=1
fi
go vet ./... || failed=1
tool staticcheck ./... || failed=1
go mod tidy -diff || failed=1
exit $failed
