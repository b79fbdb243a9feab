#!/usr/bin/env bash
# Sets up what is missing and runs all tests. Arguments go to go test.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh
# The default limit of ten minutes a package is too short for a busy machine.
go test -timeout 30m "${@:-./...}"
