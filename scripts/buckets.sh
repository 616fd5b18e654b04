#!/bin/sh
# Does README's job on object storage, against a real S3 server on this machine, and compares each
# result with the same job on disk. Called by ./test --buckets.
#
# The server is SeaweedFS: WEED names its program, else it is on PATH, else Go builds it once (some
# ten minutes) into .headrace/seaweed. HEADRACE may name another headrace command.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
headrace=${HEADRACE:-$root/headrace}
version=v0.0.0-20261109003541-7506e5f91cd6
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
say() { printf 'buckets: %s\n' "$*"; }

weed=${WEED:-$(command -v weed || true)}
if [ -z "$weed" ]; then
  weed=$root/.headrace/seaweed/weed
  if [ ! -x "$weed" ]; then
    command -v go >/dev/null || { say "no SeaweedFS and no Go to build it with"; exit 1; }
    say "building SeaweedFS (once) …"
    mkdir -p "$work/build"
    printf 'module build\n\ngo 1.26\n' >"$work/build/go.mod"
    printf 'package main\n\nimport _ "github.com/seaweedfs/seaweedfs/weed/command"\n\nfunc main() {}\n' \
      >"$work/build/main.go"
    (cd "$work/build" && go get "github.com/seaweedfs/seaweedfs@$version" &&
      go build -mod=mod -o "$weed" github.com/seaweedfs/seaweedfs/weed) >"$work/log" 2>&1 || {
      tail -5 "$work/log"
      exit 1
    }
  fi
fi

export AWS_ACCESS_KEY_ID=headrace AWS_SECRET_ACCESS_KEY=headrace-secret AWS_REGION=us-east-1
port=${PORT:-18433}
AWS_ENDPOINT_URL_S3=http://127.0.0.1:$port
export AWS_ENDPOINT_URL_S3
printf '{"identities":[{"name":"t","credentials":[{"accessKey":"%s","secretKey":"%s"}],"actions":["Admin","Read","Write","List","Tagging"]}]}\n' \
  "$AWS_ACCESS_KEY_ID" "$AWS_SECRET_ACCESS_KEY" >"$work/s3.json"
mkdir "$work/server"
"$weed" server -ip 127.0.0.1 -ip.bind 127.0.0.1 -dir "$work/server" -master.port 19333 \
  -volume.port 18080 -filer.port 18888 -master.volumeSizeLimitMB 256 -volume.max 40 \
  -s3 -s3.port "$port" -s3.config "$work/s3.json" >"$work/server.log" 2>&1 &
server=$!
s3() {
  curl -sS --fail --aws-sigv4 "aws:amz:us-east-1:s3" -H 'x-amz-content-sha256: UNSIGNED-PAYLOAD' \
    --user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" "$@" >/dev/null
}
tries=0
until s3 -X PUT "$AWS_ENDPOINT_URL_S3/test" 2>/dev/null; do
  tries=$((tries + 1))
  [ "$tries" -lt 60 ] || { grep -iE "^F|fatal|in use" "$work/server.log" | head -5; say "the server does not start"; exit 1; }
  sleep 1
done

say "uploading samples/photos"
photos=$root/samples/photos
(cd "$photos" && find . -type f | sed 's|^\./||') | while read -r file; do
  s3 -T "$photos/$file" "$AWS_ENDPOINT_URL_S3/test/photos/$file"
done

# What a command prints, without the places it names and the times it took.
facts() {
  "$headrace" "$@" --json | sed "s|s3://test/|$work/|g; s|$root/samples/|$work/|g"
}
# The values of some fields of JSON text.
values() { grep -oE "\"($1)\" *: *(\"[^\"]*\"|[0-9.]+|true|false)"; }
same() {
  diff "$work/a" "$work/b" >"$work/diff" || { cat "$work/diff"; say "FAILED: $1 differs"; exit 1; }
  [ -s "$work/a" ] || { say "FAILED: $1 says nothing"; exit 1; }
  say "$1: as on disk"
}

facts inspect "$photos" | values 'samples|set_digest|label_digest|mean' >"$work/a"
facts inspect s3://test/photos | values 'samples|set_digest|label_digest|mean' >"$work/b"
same inspect
for format in ${FORMATS:-race:keep race:progressive tfrecord:keep folder:keep}; do
  container=${format%:*}
  name=$container-${format#*:}
  "$headrace" convert "$photos" "$work/$name" --format "$container" --encoding "${format#*:}" \
    --shards 4 >/dev/null
  "$headrace" convert s3://test/photos "s3://test/$name" --format "$container" \
    --encoding "${format#*:}" --shards 4 >/dev/null
  (cd "$work/$name" && find . -type f | sort | xargs cksum) >"$work/a"
  (cd "$work/$name" && find . -type f | sort) | while read -r file; do
    curl -sS --fail --aws-sigv4 "aws:amz:us-east-1:s3" \
      --user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" \
      "$AWS_ENDPOINT_URL_S3/test/$name/${file#./}" | cksum | sed "s|$| $file|"
  done >"$work/b"
  grep -v dataset.json "$work/a" >"$work/a2" && mv "$work/a2" "$work/a"
  grep -v dataset.json "$work/b" >"$work/b2" && mv "$work/b2" "$work/b"
  same "convert to $name"
  "$headrace" verify --deep "s3://test/$name" >"$work/verify" 2>&1 || {
    cat "$work/verify"
    say "FAILED: verify $name"
    exit 1
  }
  facts load "$work/$name" --epochs 2 | values 'epoch|delivered|digest|set_digest|verified' >"$work/a"
  facts load "s3://test/$name" --epochs 2 --readers 16 >"$work/load"
  values 'epoch|delivered|digest|set_digest|verified' <"$work/load" >"$work/b"
  same "two epochs of $name"
done
if [ -f "$root"/spark/target/headrace-spark-*-all.jar ]; then
  "$headrace" convert "$photos" "$work/spark" --encoding packed --shards 4 >/dev/null
  jars=$(echo "$root"/cloud/target/headrace-cloud-*-SNAPSHOT.jar "$root"/cloud/target/lib/*.jar | tr ' ' ,)
  HEADRACE_JAVA_OPTS="-Dspark.jars=$jars" "$headrace" convert s3://test/photos s3://test/spark \
    --encoding packed --shards 4 --spark "${SPARK_MASTER:-local[2]}" >/dev/null
  for set in "$work/spark" s3://test/spark; do
    facts load "$set" | values 'delivered|digest|set_digest|verified' >"$work/a"
    [ "$set" = s3://test/spark ] || mv "$work/a" "$work/b"
  done
  same "convert on Spark"
else
  say "convert on Spark: passed over, its jar is not there (./test --spark makes it)"
fi
"$headrace" load s3://test/race-progressive --fidelity 2 --json | values 'bytes_read|network_bytes'
"$headrace" load s3://test/race-progressive --json | values 'bytes_read|network_bytes'
"$headrace" tune s3://test/photos --consumer 2000/s --samples 32 --budget 20s --repeats 1 --seconds 0.2 --candidate 'race none keep' \
  --out "$work/plan.json" >"$work/tune" 2>&1 || { cat "$work/tune"; say "FAILED: tune"; exit 1; }
grep -q pipeline "$work/plan.json"
say "tune: a plan"
say "all is well"
