#!/bin/sh
# Computes a sweep in N shards with GNU parallel and merges them.
#
#   parallel.sh N SWEEP OPTIONS...     e.g. parallel.sh 64 admissible-bases --dim 128 --length 131072 --bases 1e3..1e9
#
# Options of parallel stand in $PARALLEL: PARALLEL='--sshloginfile hosts' uses the machines of that file, which need posproof in
# their path; their results are brought here. Run again after whatever stopped it: only what is missing is computed.
set -eu
if [ "$#" -lt 2 ]; then
    echo "parallel.sh: expected N SWEEP OPTIONS..." >&2
    exit 2
fi
shards=$1
shift
posproof sweep "$@" --list "$shards" >/dev/null
seq "$shards" | parallel --joblog "$1.joblog" --resume-failed --cleanup --return "$1.{}-of-$shards.json" \
    env RAYON_NUM_THREADS=1 posproof sweep "$@" --shard "{}/$shards" --out "$1.{}-of-$shards.json" '>' /dev/null
posproof merge "$1".*-of-"$shards".json --out "$1.json"
