#!/bin/sh
# Runs every fuzz target for some seconds each, from the seeds and from what earlier runs have found:
#   fuzz/run.sh [SECONDS] [TARGET...]
# A crash, a hang of 10 s or too much memory ends it with an error and leaves the input in fuzz/artifacts.
#
# The stable toolchain is enough: no sanitizer, but overflow checks and debug assertions. The library has unsafe code
# in one file, crates/table/src/simd.rs, which the target `values` reaches through the reference tables.
# With the address sanitizer, for the C libraries below it:
#   SANITIZER=address RUSTUP_TOOLCHAIN=nightly fuzz/run.sh 600
set -eu
cd "$(dirname "$0")/.."
seconds="${1:-60}"
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- npy npz safetensors gguf values positions configuration axes
sanitizer="${SANITIZER:-none}"
# A sanitizer keeps freed memory for a while.
[ "$sanitizer" = none ] && megabytes=1024 || megabytes=2048
cargo fuzz build --sanitizer "$sanitizer"
for target in "$@"; do
    echo "posproof: fuzzing $target for $seconds s" >&2
    mkdir -p "fuzz/corpus/$target"
    cargo fuzz run --sanitizer "$sanitizer" "$target" "fuzz/corpus/$target" "fuzz/seeds/$target" -- \
        -max_total_time="$seconds" -timeout=10 -rss_limit_mb="$megabytes" -print_final_stats=1 -verbosity=0
done
