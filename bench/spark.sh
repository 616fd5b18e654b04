#!/bin/sh
# Converts to packed with one Spark executor and with two, and compares their rates.
#
# Usage: bench/spark.sh FOLDER [COPIES [WORK]]
#
# FOLDER is an image folder, whose pictures are linked COPIES times (default 8) and twice as often
# under WORK (default out/spark), so that the time to start does not count: the rate is what the
# additional pictures take. Executors have one core each and are processes of this machine. Prints
# seconds and rates. Needs Spark's libraries, which `./test --spark` fetches.
set -eu

[ $# -ge 1 ] && [ -d "$1" ] || { echo "usage: spark.sh FOLDER [COPIES [WORK]]" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd -P)
folder=$(cd "$1" && pwd -P)
copies=${2:-8}
mkdir -p "${3:-out/spark}"
work=$(mktemp -d "$(cd "${3:-out/spark}" && pwd -P)/XXXXXX")
trap 'rm -rf "$work"' EXIT
SPARK_HOME=$root/.headrace/spark
SPARK_SCALA_VERSION=2.13
export SPARK_HOME SPARK_SCALA_VERSION
[ -f "$SPARK_HOME/RELEASE" ] || { echo "spark.sh: run ./test --spark first" >&2; exit 1; }

# links COPIES TO
links() {
  for class in "$folder"/*/; do
    mkdir -p "$2/$(basename "$class")"
    i=0
    while [ $i -lt "$1" ]; do
      for file in "$class"*; do
        ln -sf "$file" "$2/$(basename "$class")/$i-${file##*/}"
      done
      i=$((i + 1))
    done
  done
}

# seconds that a conversion of DATASET takes on N executors, as it says
took() {
  rm -rf "$work/made"
  "$root/headrace" convert "$1" "$work/made" --encoding packed --shards 32 \
    --spark "local-cluster[$2,1,1536]" >"$work/said" 2>"$work/log" || { tail -3 "$work/log" >&2; return 1; }
  sed -n 's/.*, \([0-9.]*\) s$/\1/p' "$work/said"
}

links "$copies" "$work/few"
links $((2 * copies)) "$work/many"
photos=$(find "$work/few" -type l | wc -l)
for n in 1 2; do
  few=$(took "$work/few" $n)
  many=$(took "$work/many" $n)
  echo "$n executors: $photos pictures $few s, twice as many $many s"
  echo "$photos $few $many" >>"$work/rates"
done
awk '{ rate[NR] = $1 / ($3 - $2) }
  END { printf "%.0f and %.0f a second, %.2f times\n", rate[1], rate[2], rate[2] / rate[1] }' \
  "$work/rates"
