#!/bin/sh
# Decodes whole JPEGs, and the same pictures packed, to planes, and reads their coefficients alone:
# libjpeg-turbo, our decoder of baseline JPEGs and that of packed ones, picture by picture in turn.
#
# Usage: bench/packed.sh FOLDER [ROUNDS [IMAGES [FORM]]]
#
# Compiles bench/src/main/c/jpeg_coefficients.c and calls it from the same process. FORM is `avx512`
# (what the CPU has; the default), `avx2` (vectors of 256 bits) or `plain` (no vectors). Says medians
# over ROUNDS (default 11) of CPU time for IMAGES photos (default 40), evenly spread over FOLDER.
#
# Needs cc, the header of libjpeg (Debian: libjpeg62-turbo-dev), JDK 25, and the benchmark jar:
#   mvn -B -pl bench -am package -DskipTests
set -eu

folder=${1:?usage: packed.sh FOLDER [ROUNDS [IMAGES [FORM]]]}
rounds=${2:-11}
images=${3:-40}
here=$(cd "$(dirname "$0")" && pwd)
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
jar=$here/target/headrace-bench-0.1.0-SNAPSHOT.jar
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

case ${4:-avx512} in
  avx512) vm='--add-modules jdk.incubator.vector' ;;
  avx2) vm='--add-modules jdk.incubator.vector -XX:UseAVX=2' ;;
  plain) vm= ;;
  *) echo "packed.sh: $4: expected avx512, avx2 or plain" >&2; exit 2 ;;
esac
[ -f "$jar" ] || { echo "no $jar: build it first (see the top of this file)" >&2; exit 1; }
${CC:-cc} -O2 -shared -fPIC -o "$work/libcoefficients.so" "$here/src/main/c/jpeg_coefficients.c" -ljpeg
# shellcheck disable=SC2086
"$java" --enable-native-access=ALL-UNNAMED $vm -XX:+UseSerialGC -cp "$jar" \
  io.headrace.bench.PackedLoop "$folder" "$work/libcoefficients.so" "$rounds" "$images" \
  2> "$work/err" || { cat "$work/err" >&2; exit 1; }
