#!/bin/sh
# Reads and writes the same files as TensorFlow does: `./test --peers`.
#
# Makes a Python environment of its own under .headrace/peers the first time (about 1 GB; set
# PEERS_PYTHON to a Python that has the packages of python/tools/requirements-peers.txt to use
# that one). Ends with the number of checks that passed and failed.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
cd "$root"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
photos=samples/photos
peer=python/tools/peers_tfrecord.py

python=${PEERS_PYTHON:-.headrace/peers/bin/python}
if ! "$python" -c 'import tensorflow' >/dev/null 2>&1; then
  if [ -n "${PEERS_PYTHON:-}" ]; then
    echo "peers: $python has no TensorFlow" >&2
    exit 1
  fi
  echo "peers: making a Python environment with TensorFlow in .headrace/peers …" >&2
  python3 -m venv .headrace/peers
  .headrace/peers/bin/pip install -q -r python/tools/requirements-peers.txt
fi

passed=0
failed=0
check() { # NAME COMMAND...
  name=$1
  shift
  if "$@" >"$work/log" 2>&1; then
    passed=$((passed + 1))
    echo "ok    $name"
  else
    failed=$((failed + 1))
    echo "FAIL  $name"
    sed 's/^/      /' "$work/log" | head -20
  fi
}

digest() { # what the epoch that headrace loads from $1 holds
  ./headrace load "$1" --order stored --pipeline resize=64x64 --json |
    sed -n 's/.*"digest" : "\(.*\)".*/\1/p'
}

same_digest() {
  first=$(digest "$1")
  [ -n "$first" ] && [ "$first" = "$(digest "$2")" ]
}

for compression in none zlib gzip; do
  upper=$(echo "$compression" | tr a-z A-Z)
  ours=$work/$compression
  theirs=$work/tf-$compression.tfrecord
  ./headrace convert $photos "$ours" --compression $compression --shards 1 >/dev/null
  shard=$ours/data-00000-of-00001.tfrecord
  check "TensorFlow writes the photos, $compression" \
    "$python" $peer write --compression "$upper" --out "$theirs" --json "$work/written.json" \
    --filename relative $photos
  check "TensorFlow reads ours, $compression" \
    "$python" $peer read --compression "$upper" --json "$work/read.json" "$shard"
  check "every record that TensorFlow reads from ours is the one it writes, $compression" \
    "$python" $peer compare "$work/read.json" "$work/written.json"
  check "our file is TensorFlow's, byte for byte, $compression" cmp "$shard" "$theirs"
  check "we find no fault in TensorFlow's, $compression" ./headrace verify --deep "$theirs"
  check "we load the same epoch from both, $compression" same_digest "$shard" "$theirs"
  ./headrace convert $photos "$work/sharded-$compression" --compression $compression --shards 5 \
    --name photos >/dev/null
  check "TensorFlow reads our 5 shards, $compression" \
    "$python" $peer read --compression "$upper" --json "$work/shards.json" \
    "$work/sharded-$compression"/photos-*.tfrecord
done

keeping() { # in NumPy, and in PyTorch where the Python has it
  (cd python/tests && HEADRACE=$root/headrace "$python" -B -m unittest "$@")
}

case $python in
  /*) ;;
  */*) python=$root/$python ;; # some of it runs elsewhere
esac
check "what a loop keeps stays as it is, in NumPy" keeping test_arrays.Numpy
if "$python" -c 'import torch' 2>/dev/null; then
  check "what a loop keeps stays as it is, in PyTorch" keeping test_arrays.Torch
  check "devices, ranks, callables and states in PyTorch" keeping test_familiar.Torch
else
  echo "pass  no PyTorch in $python: pip install torch, and its tests run too"
fi
for framework in Tensorflow Jax; do
  if "$python" -c "import $(echo $framework | tr '[:upper:]' '[:lower:]')" 2>/dev/null; then
    check "the same batches in $framework" keeping test_frameworks.$framework
  else
    echo "pass  no $framework in $python, so that its batches are not compared"
  fi
done

. scripts/peers-steps.sh
. scripts/peers-tar.sh
. scripts/peers-beton.sh
. scripts/peers-train.sh
. scripts/peers-diagnose.sh

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
