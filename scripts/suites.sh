#!/bin/sh
# Decodes public test files and compares them with other decoders: `./test --suites`.
#
# Fetches them the first time into .headrace/suites, by the clients of the package registries: source
# packages of Debian (apt-get; its sources are those of this machine), and crates (cargo). Two more
# sets are made by `flac` and `avifenc`. Needs a Python with pip, apt-get, cargo, flac and avifenc;
# 550 MB. Prints counts by suite; the exit code is 1 if any file is wrong or a suite has none.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
cd "$root"
. scripts/setup.sh
find_jdk || exit 1
! needs_build || build || exit 1
home=$root/.headrace/suites
files=$home/files
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for tool in apt-get cargo flac avifenc; do
  if ! command -v "$tool" >/dev/null 2>&1; then
    say "no $tool on PATH: on Debian, apt-get install apt cargo flac libavif-bin brings all"
    exit 1
  fi
done

python=$home/python/bin/python
if ! "$python" -c 'import av, numpy, PIL' >/dev/null 2>&1; then
  say "making a Python environment with Pillow and PyAV in .headrace/suites …"
  python3 -m venv "$home/python"
  "$home/python/bin/pip" install -q -r python/tools/requirements-suites.txt
fi

# Source packages: libpng has PngSuite, Pillow bmpsuite, APNG and EXIF's orientations.
apt=$home/apt
aptget() {
  apt-get -q -o Dir::Etc::sourcelist="$apt/none.list" -o Dir::Etc::sourceparts="$apt/sources" \
    -o Dir::State::lists="$apt/lists" -o Dir::Cache="$apt/cache" -o APT::Sandbox::User=root "$@"
}
fetch_sources() { # PACKAGE...
  mkdir -p "$apt/sources" "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/packages"
  : >"$apt/none.list"
  for list in /etc/apt/sources.list.d/*.sources; do # only Debian's own
    if grep -q 'debian-archive-keyring' "$list" 2>/dev/null; then
      sed 's/^Types:.*/Types: deb-src/' "$list" >"$apt/sources/${list##*/}"
    fi
  done
  if [ -f /etc/apt/sources.list ]; then
    sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >"$apt/sources/main.list"
  fi
  aptget update >"$apt/log" 2>&1
  for package in "$@"; do
    [ ! -d "$files/$package" ] || continue
    say "fetching the source of $package …"
    # Patches and signatures, which may be gone, are not needed: the archive is what counts.
    (cd "$apt/packages" && aptget source --download-only "$package") >>"$apt/log" 2>&1 || true
    archive=$(ls "$apt/packages/${package}_"*.orig.tar.?z* 2>/dev/null | grep -v '\.asc$' | head -1)
    if [ -z "$archive" ]; then
      say "no source of $package; see $apt/log"
      continue
    fi
    mkdir -p "$work/$package"
    tar -xf "$archive" -C "$work/$package"
    mkdir -p "$files"
    mv "$work/$package" "$files/"
  done
}
fetch_sources libpng1.6 pillow libjpeg-turbo libwebp netpbm-free golang-golang-x-image \
  flac taglib mpg123 sox

CARGO_HOME=$home/cargo
export CARGO_HOME
fetch_crates() { # NAME=VERSION...
  mkdir -p "$work/crates/src"
  : >"$work/crates/src/lib.rs"
  printf '[package]\nname = "suites"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n' \
    >"$work/crates/Cargo.toml"
  for crate in "$@"; do
    printf '%s = "=%s"\n' "${crate%=*}" "${crate#*=}" >>"$work/crates/Cargo.toml"
  done
  (cd "$work/crates" && cargo fetch -q)
  for crate in "$@"; do
    mkdir -p "$files/${crate%=*}"
    tar -xzf "$CARGO_HOME"/registry/cache/*/"${crate%=*}-${crate#*=}.crate" \
      -C "$files/${crate%=*}"
  done
}
if [ ! -d "$files/libavif-sys" ]; then
  say "fetching crates that carry test files …"
  fetch_crates claxon=0.4.3 hound=3.5.1 jpeg-decoder=0.3.2 libavif-sys=0.17.0+libavif.1.0.4
fi

if [ ! -f "$home/made" ]; then
  say "making FLAC and AVIF files …"
  "$python" python/tools/suites.py make "$files" samples/photos
  touch "$home/made"
fi

"$python" python/tools/suites.py list "$files" "$work/list"
mkdir "$work/raw"
# shellcheck disable=SC2086 # flags are words
"$JAVA_HOME/bin/java" $jvm_flags -cp "$jar" python/tools/Suites.java "$work/list" "$work/raw" \
  >"$work/lines"
"$python" -W ignore python/tools/suites.py compare "$work/list" "$work/lines" "$work/raw" \
  "$home/counts.json"
