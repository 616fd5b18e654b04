#!/bin/sh
# The headrace command where it is installed with its Java and its C libraries. It is in
# bin/headrace, and everything else beside that folder.
set -eu
self=$0
while [ -L "$self" ]; do
  link=$(readlink "$self")
  case $link in
    /*) self=$link ;;
    *) self=${self%/*}/$link ;;
  esac
done
case $self in
  */*) ;;
  *) self=./$self ;;
esac
HEADRACE_HOME=$(cd "${self%/*}/.." && pwd -P)
export HEADRACE_HOME
. "$HEADRACE_HOME/locale.sh"
use_utf8
case "${1:-} ${2:-}" in
  "train -h" | "train --help") ;;
  train\ *)
    echo "headrace train: needs a checkout of Headrace (./headrace train): the deep-learning library" \
      "that it trains with is not installed with the command" >&2
    exit 1
    ;;
esac
cache=$HEADRACE_HOME/headrace.aot
[ -f "$cache" ] && [ -z "${HEADRACE_JAVA_OPTS:-}" ] || cache=
# A cache that does not fit is passed over in silence. The options of vectors are those that the
# JVM sets itself when it loads their module, which it does not where the cache has loaded it.
# shellcheck disable=SC2086 # HEADRACE_JAVA_OPTS is the user's own list
exec "$HEADRACE_HOME/bin/java" -XX:+UseSerialGC -XX:Tier3DelayOn=1000 \
  "-XX:CompileCommandFile=$HEADRACE_HOME/vectors.jit" -XX:+UnlockExperimentalVMOptions \
  -XX:+EnableVectorSupport -XX:+EnableVectorReboxing -XX:+EnableVectorAggressiveReboxing \
  --enable-native-access=io.headrace "-Dheadrace.natives=$HEADRACE_HOME/natives" \
  ${cache:+"-XX:AOTCache=$cache" "-Xlog:aot*=off" "-Xlog:cds*=off"} ${HEADRACE_JAVA_OPTS:-} \
  -m io.headrace/io.headrace.cli.Main "$@"
