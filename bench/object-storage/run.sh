#!/bin/sh
# CPU time of reading from an S3 server with each library that was tried. Needs a server (see
# scripts/buckets.sh), AWS_* in the environment, and ./headrace run once with an s3:// address.
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)
root=$(cd "$here/../.." && pwd -P)
exec "${JAVA_HOME:?}/bin/java" --enable-native-access=ALL-UNNAMED -Xmx2g -XX:+UseSerialGC \
  -cp "$root/cloud/target/lib/*" "$here/ObjectLibraries.java" "$@"
