#!/bin/sh
# Runs every fuzz target for some seconds each, from the seeds and from what earlier runs have found, as many at once as there
# are cores:
#   fuzz/run.sh [SECONDS] [TARGET...]
# The target onnx is in Python, and run where it is named: by the interpreter PYTHON, or the one that scripts/python made.
# A crash, a hang of 10 s or too much memory ends with an error, with the output of that target, and leaves the input in
# fuzz/artifacts.
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
python="${PYTHON:-${CARGO_TARGET_DIR:-target}/python/bin/python}"
[ "$*" = onnx ] || cargo fuzz build --sanitizer "$sanitizer"
logs="$(mktemp -d)"
trap 'rm -rf "$logs"' EXIT
# What runs in the background does not hear an interruption by itself.
trap 'trap "" TERM; kill -TERM 0; exit 130' INT TERM
cores="$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)"
failed=""
pids=""
running=""

# Waits for those that run, and tells how each ended.
collect() {
    for target in $running; do
        pid="${pids%% *}"
        pids="${pids#* }"
        if wait "$pid"; then
            grep -h "stat::number_of_executed_units" "$logs/$target" >&2 || true
            echo "posproof: fuzzed $target for $seconds s" >&2
        else
            cat "$logs/$target" >&2
            failed="$failed $target"
        fi
    done
    running=""
    pids=""
}

for target in "$@"; do
    mkdir -p "fuzz/corpus/$target" "fuzz/artifacts/$target"
    if [ "$target" = onnx ]; then
        set -- "$python" fuzz/fuzz_targets/onnx_graphs.py -artifact_prefix=fuzz/artifacts/onnx/ fuzz/corpus/onnx fuzz/seeds/onnx
    else
        set -- cargo fuzz run --sanitizer "$sanitizer" "$target" "fuzz/corpus/$target" "fuzz/seeds/$target" --
    fi
    "$@" -max_total_time="$seconds" -timeout=10 -rss_limit_mb="$megabytes" -print_final_stats=1 -verbosity=0 \
        >"$logs/$target" 2>&1 &
    pids="$pids$! "
    running="$running $target"
    [ "$(echo "$running" | wc -w)" -lt "$cores" ] || collect
done
collect
if [ -n "$failed" ]; then
    echo "posproof: fuzzing found failures in:$failed" >&2
    exit 1
fi
