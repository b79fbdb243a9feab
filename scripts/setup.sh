#!/usr/bin/env bash
# Makes sure that this machine can build the project: Go, and a C compiler for
# DuckDB's driver. Installs the compiler where it may; says what to do where not.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { echo "setup: $*" >&2; }

need_go=$(awk '$1 == "go" { print $2 }' go.mod)
if ! command -v go >/dev/null; then
  say "Go is missing: install Go $need_go or newer (https://go.dev/dl)"
  exit 1
fi
# An older Go (1.21 and up) fetches the one that go.mod asks for.
if ! go version >/dev/null 2>&1; then
  say "Go $need_go is needed and could not be fetched: install it (https://go.dev/dl)"
  exit 1
fi
if [ "$(go env CGO_ENABLED)" = 0 ] && [ "${CGO_ENABLED:-}" = 0 ]; then
  say "CGO_ENABLED=0 is set: DuckDB's driver needs cgo, unset it"
  exit 1
fi
if ! command -v gcc >/dev/null || ! command -v g++ >/dev/null; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    say "installing gcc and g++"
    apt-get update -qq
    apt-get install -y -qq gcc g++ >/dev/null
  else
    say "gcc and g++ are missing: install them (Debian, Ubuntu: sudo apt-get install gcc g++; Fedora: sudo dnf install gcc gcc-c++; macOS: xcode-select --install)"
    exit 1
  fi
fi
go mod download
