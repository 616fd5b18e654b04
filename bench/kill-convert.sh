#!/bin/sh
# Kills a conversion at random moments and finishes it, over and over: the bytes must always be
# those of an undisturbed run, and nothing may stand under a final name before the end.
#
# Usage: bench/kill-convert.sh DATASET [ROUNDS [CONVERT OPTIONS...]]
#
# DATASET may be anything that convert takes; OPTIONS are convert's, such as --format race.
# Each round kills up to three runs of the same conversion (SIGKILL), then lets one finish.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
dataset=${1:?usage: kill-convert.sh DATASET [ROUNDS [CONVERT OPTIONS...]]}
rounds=${2:-10}
[ $# -le 2 ] && set -- "$dataset" "$rounds" --encoding jpeg:60 --compression zstd --shards 16
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

start=$(date +%s%N)
"$root/headrace" convert "$dataset" "$work/whole" "$@" >/dev/null 2>&1
millis=$((($(date +%s%N) - start) / 1000000))
echo "undisturbed: $millis ms, $(ls "$work/whole" | wc -l) files"

random() { od -An -N4 -tu4 /dev/urandom | tr -d ' '; }

# A folder has no manifest: it is complete once there is no work left in it.
complete() { [ -d "$target" ] && [ ! -d "$target/.headrace-convert" ] && [ -n "$(ls -A "$target")" ]; }

round=0
while [ "$round" -lt "$rounds" ]; do
  round=$((round + 1))
  target=$work/killed
  rm -rf "$target"
  kills=0
  tries=$((1 + $(random) % 3))
  moments=
  while [ "$kills" -lt "$tries" ]; do
    after=$(($(random) % (millis + 100)))
    "$root/headrace" convert "$dataset" "$target" "$@" >/dev/null 2>&1 &
    pid=$!
    sleep "$(printf '%d.%03d' $((after / 1000)) $((after % 1000)))"
    kill -9 "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
    kills=$((kills + 1))
    moments="$moments $after"
    if complete; then
      break # it was done before the blow
    fi
  done
  staged=0
  [ -d "$target/.headrace-convert" ] && staged=$(find "$target/.headrace-convert" -name 'shard-*.json' | wc -l)
  if complete; then
    state='complete before the kill'
  else
    "$root/headrace" convert "$dataset" "$target" "$@" >"$work/log" 2>&1 || {
      cat "$work/log"
      exit 1
    }
    state="$staged shards were finished"
  fi
  if ! diff -r "$work/whole" "$target" >"$work/diff"; then
    echo "round $round: DIFFERENT after kills at$moments ms"
    head -5 "$work/diff"
    exit 1
  fi
  echo "round $round: same bytes after kills at$moments ms ($state)"
done
echo "$rounds passed, 0 failed"
