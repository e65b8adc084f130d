"""Computes a sweep in N shards on a Ray cluster and merges them: python ray_driver.py N SWEEP OPTIONS...

The machines need posproof in their path. A shard whose worker dies is computed again: it has the same bytes.
"""

import pathlib
import subprocess
import sys

import ray


@ray.remote(max_retries=5, retry_exceptions=True)
def shard(k, n, sweep):
    command = ["env", "RAYON_NUM_THREADS=1", "posproof", "sweep", *sweep, "--shard", f"{k}/{n}", "--json"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def main():
    n, sweep = int(sys.argv[1]), sys.argv[2:]
    ray.init()
    files = [pathlib.Path(f"{sweep[0]}.{k}-of-{n}.json") for k in range(1, n + 1)]
    results = [shard.remote(k, n, sweep) for k in range(1, n + 1)]
    for file, result in zip(files, results):
        file.write_bytes(ray.get(result))
    sys.exit(subprocess.run(["posproof", "merge", *map(str, files)]).returncode)


if __name__ == "__main__":
    main()
