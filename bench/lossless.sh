#!/bin/sh
# Races lossless image encodings, ours against PNG (libspng), lossless WebP (libwebp) and QOI: bytes,
# decode and encode speed of one thread by CPU time.
#
# Usage: bench/lossless.sh FOLDER... [-- ROUNDS [IMAGES]]
#
# Each folder holds images of any format that Headrace reads; at most IMAGES (default 120) of them are
# taken, evenly. All contenders decode every image in turn, ROUNDS times (default 7) after a warm-up,
# so that a busy machine slows all alike; ratios are medians of the rounds' ratios. Where all files
# are PNG, they are the base as they are; else it is what libspng makes at level 6.
#
# Needs JDK 25, the C libraries that scripts/setup.sh names, and the benchmark jar:
#   mvn -B -pl bench -am package -DskipTests
set -eu

folders=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  folders="$folders
$1"
  shift
done
[ $# -gt 0 ] && shift
[ -n "$folders" ] || { echo "usage: lossless.sh FOLDER... [-- ROUNDS [IMAGES]]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
jar=$here/target/headrace-bench-0.1.0-SNAPSHOT.jar
[ -f "$jar" ] || { echo "no $jar: build it first (see the top of this file)" >&2; exit 1; }

echo "$folders" | sed 1d | while IFS= read -r folder; do
  "$java" --enable-native-access=ALL-UNNAMED -XX:+UseSerialGC -cp "$jar" \
    io.headrace.bench.LosslessBench "$folder" "$@"
done
