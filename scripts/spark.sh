#!/bin/sh
# Tests the module for Spark, and its jar as a cluster runs it: `./test --spark`.
#
# Fetches Spark (290 MB) by Maven the first time. The jar goes through spark-submit to two executors
# that have nothing but it and Spark's own libraries; the result is compared with that of one process.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
cd "$root"
. scripts/setup.sh
find_jdk || exit 1
use_utf8
find_maven
say() { printf 'spark: %s\n' "$*"; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$MVN" -B -Pspark -pl spark -am verify -Dtest='io/headrace/spark/*Test' \
  -Dsurefire.failIfNoSpecifiedTests=false -Dheadrace.no-training

# what a machine of a cluster has: libraries, and a note of the release
SPARK_HOME=$root/.headrace/spark
SPARK_SCALA_VERSION=2.13
export SPARK_HOME SPARK_SCALA_VERSION
version=$(sed -n 's|.*<dep.spark>\(.*\)</dep.spark>.*|\1|p' pom.xml)
if [ "$(cat "$SPARK_HOME/RELEASE" 2>/dev/null)" != "Spark $version" ]; then
  rm -rf "$SPARK_HOME"
  mkdir -p "$SPARK_HOME"
  cat >"$SPARK_HOME/pom.xml" <<POM
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>none</groupId>
  <artifactId>spark</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.spark</groupId>
      <artifactId>spark-sql_2.13</artifactId>
      <version>$version</version>
    </dependency>
  </dependencies>
</project>
POM
  (cd "$SPARK_HOME" && "$MVN" -B -q dependency:copy-dependencies -DoutputDirectory=jars)
  echo "Spark $version" >"$SPARK_HOME/RELEASE"
fi

photos=${PHOTOS:-$root/samples/photos}
./headrace convert "$photos" "$work/local" --encoding packed --shards 12 >/dev/null
# shellcheck disable=SC2086 # flags are words
(cd "$work" && "$JAVA_HOME/bin/java" $jvm_flags $flight_flags -cp "$SPARK_HOME/jars/*" \
  org.apache.spark.deploy.SparkSubmit --master 'local-cluster[2,1,1024]' \
  "$spark_all" convert "$photos" "$work/submitted" --encoding packed --shards 12 --spark submit)
diff -r "$work/local" "$work/submitted"
./headrace convert "$photos" "$work/two" --encoding packed --shards 12 --spark 'local[2]'
diff -r "$work/local" "$work/two"
./headrace verify "$work/submitted"
say "as one process would have written it"
