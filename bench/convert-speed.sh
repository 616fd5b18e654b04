#!/bin/sh
# How fast a conversion is, against what it cannot be faster than:
#   re-encoding  `headrace convert --encoding jpeg:Q` against a C loop over the same libturbojpeg
#                that decodes and encodes the same files, in memory, on as many cores;
#   copying      `headrace convert --format race` against `cp -r` of the same folder, then `sync`.
#
# Usage: bench/convert-speed.sh FOLDER [COPIES [PAIRS [QUALITY]]]
#
# FOLDER is an image folder of JPEGs, taken COPIES times (default 10) so that starting up does not
# count for much. Runs in turn, PAIRS times (default 5); prints medians and the median ratio. The
# rates of headrace are those of the whole process, start-up and writing to disk included.
set -eu
folder=${1:?usage: convert-speed.sh FOLDER [COPIES [PAIRS [QUALITY]]]}
copies=${2:-10}
pairs=${3:-5}
quality=${4:-60}
root=$(cd "$(dirname "$0")/.." && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
${CC:-cc} -O2 -o "$work/jpeg_recode" "$root/bench/src/main/c/jpeg_recode.c" -lturbojpeg
mkdir "$work/source"
copy=0
while [ "$copy" -lt "$copies" ]; do
  copy=$((copy + 1))
  for class in "$folder"/*/; do
    cp -r "$class" "$work/source/$(basename "$class")-$copy"
  done
done
find "$work/source" -type f | LC_ALL=C sort > "$work/files"
images=$(wc -l < "$work/files")
cores=$(nproc)

seconds() { # runs a command, prints how long it took
  begin=$(date +%s%N)
  "$@" > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
  echo "$begin $(date +%s%N)" | awk '{ printf "%.3f\n", ($2 - $1) / 1e9 }'
}
recode_c() { "$work/jpeg_recode" "$quality" "$cores" < "$work/files" >> "$work/c"; }
recode_java() {
  rm -rf "$work/out"
  seconds "$root/headrace" convert "$work/source" "$work/out" --encoding "jpeg:$quality" \
    | awk -v n="$images" '{ print n / $1 }' >> "$work/java"
}
copy_cp() {
  rm -rf "$work/out"
  seconds sh -c "cp -r '$work/source' '$work/out' && sync" >> "$work/cp"
}
copy_java() {
  rm -rf "$work/out"
  seconds sh -c "'$root/headrace' convert '$work/source' '$work/out' --format race && sync" \
    >> "$work/race"
}

sync
pair=0
while [ "$pair" -lt "$pairs" ]; do
  if [ $((pair % 2)) -eq 0 ]; then
    recode_c; recode_java; copy_cp; copy_java
  else
    recode_java; recode_c; copy_java; copy_cp
  fi
  pair=$((pair + 1))
  echo "pair $pair: C $(tail -n 1 "$work/c") images/s, headrace $(tail -n 1 "$work/java");" \
    "cp $(tail -n 1 "$work/cp") s, headrace $(tail -n 1 "$work/race") s" >&2
done

median() { sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
echo "$images images, $(du -sm "$work/source" | cut -f 1) MB, $cores cores, $pairs pairs"
echo "re-encoding at $quality: C $(median < "$work/c") images/s, headrace $(median < "$work/java")," \
  "headrace/C $(paste "$work/c" "$work/java" | awk '{ print $2 / $1 }' | median)"
echo "copying: cp $(median < "$work/cp") s, headrace $(median < "$work/race") s," \
  "rate headrace/cp $(paste "$work/cp" "$work/race" | awk '{ print $1 / $2 }' | median)"
