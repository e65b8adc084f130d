#!/bin/sh
# How much sooner two workers of one thread each finish a sweep than one: sh speed-up.sh [SWEEP OPTIONS...]
# Whoever is free takes the next shard. It prints the seconds of both and their quotient. The machine should have two idle cores.
set -eu
[ $# -gt 0 ] || set -- admissible-bases --dim 128 --length 16384 --bases 1e3..1e7
export RAYON_NUM_THREADS=1
shards=16

# All shards of a sweep by $1 workers.
work() {
    workers=$1
    shift
    seq "$shards" | xargs -P "$workers" -I '{}' posproof sweep "$@" --shard "{}/$shards" --json >/dev/null
}

now() { date +%s.%N; }

start=$(now)
work 1 "$@"
middle=$(now)
work 2 "$@"
end=$(now)
echo "$start $middle $end" | awk '{ one = $2 - $1; two = $3 - $2
    printf "one worker %.2f s, two workers %.2f s: %.2f times as fast\n", one, two, one / two }'
