#!/bin/sh
# How much sooner two workers of one thread each finish a sweep than one: sh speed-up.sh [SWEEP OPTIONS...]
# It prints the seconds of both and their quotient. The machine should have two idle cores.
set -eu
[ $# -gt 0 ] || set -- admissible-bases --dim 128 --length 16384 --bases 1e3..1e7
export RAYON_NUM_THREADS=1
shards=16

# The shards K = $1, $1 + $2, $1 + 2*$2, ... of a sweep, one after the other.
work() {
    k=$1 step=$2
    shift 2
    while [ "$k" -le "$shards" ]; do
        posproof sweep "$@" --shard "$k/$shards" --json >/dev/null
        k=$((k + step))
    done
}

now() { date +%s.%N; }

start=$(now)
work 1 1 "$@"
middle=$(now)
work 1 2 "$@" &
first=$!
work 2 2 "$@"
wait "$first"
end=$(now)
echo "$start $middle $end" | awk '{ one = $2 - $1; two = $3 - $2
    printf "one worker %.2f s, two workers %.2f s: %.2f times as fast\n", one, two, one / two }'
