#!/bin/sh
# Runs every fuzz target for some seconds each, from the seeds and from what earlier runs have found: fuzz/run.sh [SECONDS]
# [TARGET...]. A crash, a hang of 10 s or more than 1 GiB of memory ends it with an error and leaves the input in
# fuzz/artifacts.
#
# The stable toolchain is enough: no sanitizer, but overflow checks and debug assertions; the library has no unsafe code.
# With the address sanitizer, for the C libraries below: SANITIZER=address cargo +nightly, that is
#   SANITIZER=address RUSTUP_TOOLCHAIN=nightly fuzz/run.sh 600
set -eu
cd "$(dirname "$0")/.."
seconds="${1:-60}"
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- npy npz safetensors values configuration
cargo fuzz build --sanitizer "${SANITIZER:-none}"
for target in "$@"; do
    echo "posproof: fuzzing $target for $seconds s" >&2
    mkdir -p "fuzz/corpus/$target"
    cargo fuzz run --sanitizer "${SANITIZER:-none}" "$target" "fuzz/corpus/$target" "fuzz/seeds/$target" -- \
        -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 -verbosity=0
done
