#!/bin/sh
# Races Headrace's tiled JPEG decoder against libjpeg-turbo's own region decode in C: windows of
# random resized crops to 224 x 224, decode only, one thread each.
#
# Usage: bench/jpeg-tiled.sh FOLDER... [-- PAIRS [WARM_UP [ROUNDS]]]
#
# For each folder of JPEGs: windows are drawn as torchvision draws them (seed 1, two for each
# picture); both programs decode the same ones, in turn, PAIRS times (default 5), each WARM_UP times
# (default 12: the JIT needs them) untimed and ROUNDS times (default 7) timed. Figures are medians of
# CPU time; ratios are medians over the pairs, so trust those on a busy machine. That both decode the
# same pixels is checked.
#
# Needs cc, the header of libjpeg (Debian: libjpeg62-turbo-dev), JDK 25, and the benchmark jar:
#   mvn -B -pl bench -am package -DskipTests
set -eu

folders=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  folders="$folders
$1"
  shift
done
[ $# -gt 0 ] && shift
[ -n "$folders" ] || { echo "usage: jpeg-tiled.sh FOLDER... [-- PAIRS [WARM_UP [ROUNDS]]]" >&2; exit 2; }
pairs=${1:-5}
warm_up=${2:-12}
rounds=${3:-7}
here=$(cd "$(dirname "$0")" && pwd)
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
jar=$here/target/headrace-bench-0.1.0-SNAPSHOT.jar
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[ -f "$jar" ] || { echo "no $jar: build it first (see the top of this file)" >&2; exit 1; }
${CC:-cc} -O2 -o "$work/jpeg_roi" "$here/src/main/c/jpeg_roi.c" -ljpeg

headrace() {
  main=$1
  shift
  "$java" --enable-native-access=ALL-UNNAMED -XX:+UseSerialGC -cp "$jar" "io.headrace.bench.$main" "$@"
}
run_c() { "$work/jpeg_roi" "$work/windows" 224 "$warm_up" "$rounds" > "$work/c.$1"; }
run_java() { headrace JpegTiledLoop "$work/windows" 224 "$warm_up" "$rounds" > "$work/java.$1"; }
median() { sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
time_of() { awk -v way="$2" '$1 == way { print $2 }' "$1"; }
hash_of() { awk -v way="$2" '$1 == way { print $3 }' "$work/$1.0"; }
column() { # program way: median over the pairs
  p=0
  while [ "$p" -lt "$pairs" ]; do time_of "$work/$1.$p" "$2"; p=$((p + 1)); done | median
}
ratio() { # C's way, Java's way: median of the pairs' ratios
  p=0
  while [ "$p" -lt "$pairs" ]; do
    echo "$(time_of "$work/c.$p" "$1") $(time_of "$work/java.$p" "$2")" | awk '{ print $1 / $2 }'
    p=$((p + 1))
  done | median
}

echo "$folders" | while read -r folder; do
  [ -n "$folder" ] || continue
  headrace RandomWindows "$folder" 2 1 "$work/windows"
  pair=0
  while [ "$pair" -lt "$pairs" ]; do
    if [ $((pair % 2)) -eq 0 ]; then run_c $pair; run_java $pair; else run_java $pair; run_c $pair; fi
    pair=$((pair + 1))
    echo "pair $pair done" >&2
  done
  echo "$folder: $(wc -l < "$work/windows") windows, $pairs pairs of $rounds rounds, one thread"
  awk '$1 == "bytes"' "$work/java.0"
  for ways in "full whole" "region tiled" "region tiled+scan" "region+pow2 tiled+pow2"; do
    set -- $ways
    [ "$(hash_of c "$1")" = "$(hash_of java "$2")" ] || echo "PIXELS DIFFER: $1 in C, $2 in Java"
  done
  printf '%-24s %12s\n' 'decode' 'us/window'
  for way in full full+pow2 region region+pow2; do
    printf '%-24s %12.0f\n' "C $way" "$(column c $way)"
  done
  for way in whole tiled tiled+pow2 tiled+scan; do
    printf '%-24s %12.0f\n' "Headrace $way" "$(column java $way)"
  done
  for way in tiled tiled+pow2 tiled+scan; do
    printf '%-24s' "$way is faster by"
    for other in full full+pow2 region region+pow2; do
      printf '  %s %.2fx' "$other" "$(ratio $other $way)"
    done
    echo
  done
done
