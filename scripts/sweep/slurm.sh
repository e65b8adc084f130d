#!/bin/sh
#SBATCH --array=1-64
# A shard of a sweep as a task of a Slurm array; the array's size is the number of shards.
#
#   sbatch slurm.sh admissible-bases --dim 128 --length 131072 --bases 1e3..1e9
#   posproof merge admissible-bases.*.json
set -eu
exec posproof sweep "$@" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
    --out "$1.$SLURM_ARRAY_TASK_ID-of-$SLURM_ARRAY_TASK_COUNT.json"
