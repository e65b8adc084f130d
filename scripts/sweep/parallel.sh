#!/bin/sh
# Computes a sweep in N shards with GNU parallel, and merges them into FOLDER/whole.json.
#
#   parallel.sh FOLDER N SWEEP OPTIONS...
#   parallel.sh million 256 admissible-bases --dim 128 --length 1048576 --bases 1e7..9e9
#
# Options of parallel stand in $PARALLEL: PARALLEL='--sshloginfile hosts' uses the machines of that file, which need nothing but
# posproof in their path: results come back as standard output. Run again after whatever stopped it: shards that are done stay.
set -eu
if [ "$#" -lt 3 ]; then
    echo "parallel.sh: expected FOLDER N SWEEP OPTIONS..." >&2
    exit 2
fi
folder=$1
shards=$2
shift
mkdir -p "$folder"
if [ -e "$folder/sweep" ] && [ "$(cat "$folder/sweep")" != "$*" ]; then
    echo "parallel.sh: $folder has shards of: $(cat "$folder/sweep"); expected the same, or a new folder" >&2
    exit 2
fi
shift
posproof sweep "$@" --list "$shards" >/dev/null
echo "$shards $*" >"$folder/sweep"
# Without it parallel guesses the shell of whoever called it, which cron and nologin accounts do not have.
export PARALLEL_SHELL="${PARALLEL_SHELL:-/bin/sh}"
seq "$shards" | parallel --joblog "$folder/joblog" --resume-failed --results "$folder/{}.stdout" \
    env RAYON_NUM_THREADS=1 posproof sweep "$@" --shard "{}/$shards" --json >/dev/null
posproof merge "$folder"/*.stdout --out "$folder/whole.json" --force
