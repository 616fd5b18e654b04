#!/bin/sh
# Races resizing and normalising against the same work in C: planes to 224 x 224, one thread each.
#
# Usage: bench/kernels.sh FOLDER [ROUNDS [IMAGES]]
#
# Compiles bench/src/main/c/resize.c with $CFLAGS (default: -O3 -mavx2) and calls it from the same
# process in turn with ours, crop by crop: four random resized crops of each of IMAGES photos
# (default 40) whose chrominance has half the resolution, evenly spread over FOLDER. First with
# the JDK's vector module, then without it. Says how far the two results are from each other, and
# medians over ROUNDS (default 15) of CPU time, by how much the crop is reduced.
#
# Needs cc, JDK 25, and the benchmark jar: mvn -B -pl bench -am package -DskipTests
set -eu

folder=${1:?usage: kernels.sh FOLDER [ROUNDS [IMAGES]]}
rounds=${2:-15}
images=${3:-40}
here=$(cd "$(dirname "$0")" && pwd)
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
jar=$here/target/headrace-bench-0.1.0-SNAPSHOT.jar
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[ -f "$jar" ] || { echo "no $jar: build it first (see the top of this file)" >&2; exit 1; }
# shellcheck disable=SC2086 # flags are words
${CC:-cc} ${CFLAGS:--O3 -mavx2} -shared -fPIC -o "$work/libresize.so" "$here/src/main/c/resize.c" -lm
for modules in "--add-modules jdk.incubator.vector" ""; do
  # shellcheck disable=SC2086
  "$java" --enable-native-access=ALL-UNNAMED $modules -XX:+UseSerialGC -cp "$jar" \
    io.headrace.bench.KernelLoop "$folder" "$work/libresize.so" "$rounds" "$images" 2> "$work/err" \
    || { cat "$work/err" >&2; exit 1; }
done
