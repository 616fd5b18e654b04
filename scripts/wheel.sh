#!/bin/sh
# Makes what a user installs, complete with Java and the C libraries, from this checkout:
#
#   scripts/wheel.sh [OUT]      OUT is out/dist if not given
#
#   OUT/headrace-VERSION-py3-none-manylinux_*_x86_64.whl   pip install it: the command, the loader
#   OUT/headrace-linux-x64.tar.zst                         the command for machines without Python
#
# Runs on Debian or Ubuntu on x86-64, since the C libraries are copied from the system's packages,
# with a JDK that can link from its run-time image (such as Temurin 25), Python 3.11 or newer,
# binutils and zstd. The name of the wheel says which glibc it needs.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
. "$root/scripts/setup.sh"

if [ "$(uname -s) $(uname -m)" != "Linux x86_64" ]; then
  say "a wheel can be made on Linux x86-64 only, and this is $(uname -s) $(uname -m)"
  exit 1
fi
for tool in objdump ldd dpkg python3 zstd; do
  if ! command -v $tool >/dev/null; then
    say "no $tool: the wheel is made on Debian or Ubuntu; sudo apt-get install binutils python3 zstd"
    exit 1
  fi
done
find_jdk || exit 1
use_utf8
if ! "$JAVA_HOME/bin/jlink" --help | grep -qi 'run-time image enabled'; then
  say "the JDK in $JAVA_HOME cannot link from its run-time image: Eclipse Temurin 25 can"
  exit 1
fi
# WHEEL_JARS: a folder of all jars, built already; without those of cloud the wheel is some 27 MB
# smaller, and reads no buckets.
if [ -z "${WHEEL_JARS:-}" ]; then
  ! needs_build || build || exit 1
  build_cloud || exit 1
fi

out=${1:-$root/out/dist}
mkdir -p "$out"
out=$(cd "$out" && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
engine=$work/headrace
jars=${WHEEL_JARS:-$work/jars}
if [ -z "${WHEEL_JARS:-}" ]; then # the same file name is the same library
  mkdir "$jars"
  cp "$root"/cli/target/*.jar "$jars" # by itself: cp refuses two files of one name
  cp "$cloud_jar" "$cloud_lib"/*.jar "$jars"
fi

say "1. one module of all jars"
modules=$(python3 -B "$root/scripts/image.py" module "$JAVA_HOME" "$work/module" "$jars"/headrace-*.jar \
  $(ls "$jars"/*.jar | grep -v '/headrace-[a-z]*-[0-9]'))
"$JAVA_HOME/bin/java" "$root/scripts/ClassFiles.java" "$work/module/io.headrace.jar"

say "2. a Java runtime with $modules"
python3 -B "$root/scripts/image.py" jdk "$JAVA_HOME" "$work/jdk"
"$work/jdk/bin/jlink" --module-path "$work/module/io.headrace.jar" --add-modules io.headrace \
  --output "$engine" --no-header-files --no-man-pages >"$work/log" 2>&1 || {
  cat "$work/log" >&2
  exit 1
}
find "$engine/legal" -type l -delete # of other modules, to the same texts
cp "$root/scripts/launch.sh" "$engine/bin/headrace"
chmod 755 "$engine/bin/headrace"
cp "$root/scripts/locale.sh" "$root/scripts/vectors.jit" "$root/LICENSE" "$root/NOTICE" "$engine"
mv "$work/module/licences" "$engine/licences"
cp "$root/scripts/wheel-licences.md" "$engine/licences/README.md"
cp "$root/scripts/wheel-notices.txt" "$engine/licences/NOTICES.txt"
mkdir "$engine/samples" "$engine/python" # for diagnose --python
(cd "$root/python" && tar --exclude __pycache__ -cf - headrace) | tar -C "$engine/python" -xf -
cp -R "$root/samples/photos" "$root/samples/LICENSES" "$root/samples/README.md" \
  "$root/samples/SOURCES.tsv" "$engine/samples"

say "3. the C libraries"
HEADRACE_JAVA_OPTS=-Dheadrace.natives= "$engine/bin/headrace" doctor --json >"$work/doctor" || true
glibc=$(python3 -B "$root/scripts/natives.py" "$engine/natives" "$engine/bin" "$engine/lib" \
  "$work/module/classes" <"$work/doctor")

say "4. the start-up cache"
HEADRACE_JAVA_OPTS="-XX:AOTCacheOutput=$engine/headrace.aot" "$engine/bin/headrace" --warm-up \
  >"$work/log" 2>&1 || true
if [ ! -s "$engine/headrace.aot" ]; then
  cat "$work/log" >&2
  say "no start-up cache was made"
  exit 1
fi

say "5. man page, completion, archive and wheel for glibc $glibc"
mkdir -p "$engine/share/man/man1" "$engine/share/bash-completion/completions"
COLUMNS=80 python3 -B "$root/scripts/manual.py" "$engine/bin/headrace" \
  "$engine/share/man/man1/headrace.1"
"$engine/bin/java" -m io.headrace/picocli.AutoComplete -n headrace \
  -o "$engine/share/bash-completion/completions/headrace" io.headrace.cli.Main
rm -f "$out"/headrace-*.whl "$out/headrace-linux-x64.tar.zst"
tar -C "$work" --owner=0 --group=0 --sort=name -cf - headrace |
  zstd -q -9 -o "$out/headrace-linux-x64.tar.zst"
(cd "$root/python" && HEADRACE_ENGINE=$engine HEADRACE_GLIBC=$glibc python3 -B -c \
  'import sys; sys.path.insert(0, "tools"); import headrace_build as b; b.build_wheel(sys.argv[1])' \
  "$out")
ls -l "$out" | awk 'NR > 1 {printf "%.1f MB  %s\n", $5 / 1e6, $9}'
