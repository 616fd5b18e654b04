#!/bin/sh
# Hit rates, measured and predicted, and bytes read an epoch, for each cache at shares of a dataset.
#
#   bench/caches.sh FOLDER "SHARES" EPOCHS     for example:  bench/caches.sh samples/photos "0.1 0.5 0.9" 5
#
# The first epoch, which fills the cache, is left out. Needs python3.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
source=$1
shares=$2
epochs=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$root/headrace" convert "$source" "$work/data" --shards 4 --json > "$work/convert.json" 2> /dev/null
bytes=$(find "$work/data" -name '*.tfrecord' -exec wc -c {} + | awk '/total/ { print $1 }')
echo "| cache | order | share | hit rate | predicted | read, of the dataset |"
echo "|---|---|---|---|---|---|"
for share in $shares; do
  size=$(python3 -c "print(int($bytes * $share))")
  for kind in "lru full" "lru buffer:256" "minio full" "two-region two-region"; do
    set -- $kind
    "$root/headrace" load "$work/data" --epochs "$epochs" --batch 32 --cache "$1:$size" --order "$2" \
      --pipeline center_crop=32,uint8,hwc --no-digest --json > "$work/load.json"
    python3 - "$work/load.json" "$1" "$2" "$share" "$bytes" <<'PY'
import json, sys
epochs = json.load(open(sys.argv[1]))[1:]
mean = lambda xs: sum(xs) / len(xs)
assert all(e["verified"] for e in epochs)
print("| %s | %s | %s | %.3f | %.3f | %.3f |" % (
    sys.argv[2], sys.argv[3], sys.argv[4],
    mean([e["cache"]["hit_rate"] for e in epochs]),
    mean([e["cache"]["predicted_hit_rate"] for e in epochs]),
    mean([e["bytes_read"] for e in epochs]) / float(sys.argv[5])))
PY
  done
done
