#!/bin/sh
# CPU time a sample with every sample in a cache: encoded, and decoded as far as the steps are the same
# in every epoch. The cases take turns; medians over the runs.
#
#   bench/decoded-cache.sh FOLDER SIZE RUNS     for example:  bench/decoded-cache.sh samples/photos 1GiB 5
#
# SIZE must hold all samples decoded. Each run loads four epochs, of which the first fills the cache and
# the second warms up. Needs python3.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tail="normalize=imagenet,float32,chw"
for run in $(seq "$3"); do
  for kind in none minio minio-decoded lru-decoded; do
    for pipeline in "random_resized_crop=224,flip" "resize_shorter=256,random_crop=224,flip"; do
      case $kind in
        none) cache=none ;;
        *-decoded) cache="${kind%-decoded}:$2:decoded" ;;
        *) cache="$kind:$2" ;;
      esac
      "$root/headrace" load "$1" --exact --epochs 4 --batch 32 --cache "$cache" --memory-budget 4GiB \
        --pipeline "$pipeline,$tail" --no-digest --json > "$work/$kind+$pipeline+$run.json"
    done
  done
done
python3 - "$work" <<'PY'
import glob, json, os, statistics, sys
runs = {}
for path in glob.glob(sys.argv[1] + "/*.json"):
    kind, pipeline, _ = os.path.basename(path)[:-5].split("+")
    epochs = json.load(open(path))[2:]
    assert all(e["verified"] for e in epochs)
    assert kind == "none" or all(e["cache"]["misses"] == 0 for e in epochs), "SIZE is too small"
    cpu = {
        stage: 1e6 * sum(e["stages"][stage]["cpu_seconds"] for e in epochs)
        / sum(e["delivered"] for e in epochs)
        for stage in ("read", "decode", "transform")
    }
    runs.setdefault((pipeline, kind), []).append((cpu, epochs[0]["cache"]["used_bytes"]))
print("| steps | kept | read, decode, transform: CPU microseconds a sample | in all | of no cache | MB |")
print("|---|---|---|---|---|---|")
for pipeline in sorted({p for p, _ in runs}):
    base = None
    for kind in ("none", "minio", "minio-decoded", "lru-decoded"):
        taken = runs[pipeline, kind]
        stages = [statistics.median(c[s] for c, _ in taken) for s in ("read", "decode", "transform")]
        total = statistics.median(sum(c.values()) for c, _ in taken)
        base = base or total
        print("| `%s` | %s | %.0f, %.0f, %.0f | %.0f | %.2f | %.0f |" % (
            pipeline, kind, *stages, total, total / base, taken[0][1] / 1e6))
PY
