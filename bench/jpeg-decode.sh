#!/bin/sh
# Races Headrace's JPEG decoder against a C loop over the same libturbojpeg, one thread each.
#
# Usage: bench/jpeg-decode.sh FOLDER [PAIRS [WARM_UP [ROUNDS]]]
#
# Runs the two programs in turn, PAIRS times (default 7). Each reads the folder's .jpg and .jpeg
# files into memory, decodes all of them WARM_UP times (default 5) untimed and ROUNDS times (default
# 9) timed, and prints the medians of its rounds. Then come the medians over the pairs and the
# median of the pairs' ratios, by the clock and by CPU time: on a busy machine trust the latter.
#
# Needs cc, the header of libturbojpeg (Debian: libturbojpeg0-dev), JDK 25, and the benchmark jar:
#   mvn -B -pl bench -am package -DskipTests
set -eu

folder=${1:?usage: jpeg-decode.sh FOLDER [PAIRS [WARM_UP [ROUNDS]]]}
pairs=${2:-7}
warm_up=${3:-5}
rounds=${4:-9}
here=$(cd "$(dirname "$0")" && pwd)
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
jar=$here/target/headrace-bench-0.1.0-SNAPSHOT.jar
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[ -f "$jar" ] || { echo "no $jar: build it first (see the top of this file)" >&2; exit 1; }
${CC:-cc} -O2 -o "$work/jpeg_decode" "$here/src/main/c/jpeg_decode.c" -lturbojpeg
find -L "$folder" -type f \( -iname '*.jpg' -o -iname '*.jpeg' \) | LC_ALL=C sort > "$work/files"

run_c() { "$work/jpeg_decode" "$warm_up" "$rounds" < "$work/files" >> "$work/c"; }
run_java() {
  "$java" --enable-native-access=ALL-UNNAMED -XX:+UseSerialGC -cp "$jar" \
    io.headrace.bench.JpegDecodeLoop "$folder" "$warm_up" "$rounds" >> "$work/java"
}

pair=0
while [ "$pair" -lt "$pairs" ]; do
  if [ $((pair % 2)) -eq 0 ]; then run_c; run_java; else run_java; run_c; fi
  pair=$((pair + 1))
  echo "pair $pair: C $(tail -n 1 "$work/c")  Java $(tail -n 1 "$work/java")" >&2
done

median() { sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
column() { awk -v n="$2" '{ print $n }' "$work/$1" | median; }
ratio() { paste -d ' ' "$work/c" "$work/java" | awk -v n="$1" '{ print $(n + 3) / $n }' | median; }

echo "$(wc -l < "$work/files") files, $pairs pairs of $rounds rounds, one thread"
printf '%-6s %14s %18s %12s\n' '' 'images/s clock' 'images/s CPU time' 'MB/s clock'
for who in c java; do
  printf '%-6s %14.1f %18.1f %12.1f\n' "$who" "$(column $who 1)" "$(column $who 2)" "$(column $who 3)"
done
printf 'Java/C %14.3f %18.3f\n' "$(ratio 1)" "$(ratio 2)"
