#!/bin/sh
# Takes a picture of a report with headless Chromium or Chrome, as for the README:
#
#   scripts/screenshot.sh REPORT.html OUT.png
#
# WIDTH, HEIGHT (CSS pixels, 1280 × 1700) and SCALE (1) may be set in the environment; DARK=1 asks
# for dark colours. `mvn -pl lab -am test` leaves a made-up report in lab/target/report.html.
set -eu

if [ $# -ne 2 ] || [ ! -r "$1" ]; then
  printf 'usage: screenshot.sh REPORT.html OUT.png\n' >&2
  exit 2
fi
page=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
picture=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")

browser=
for name in chromium chromium-browser google-chrome google-chrome-stable \
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
  if command -v "$name" >/dev/null 2>&1; then
    browser=$name
    break
  fi
done
if [ -z "$browser" ]; then
  printf 'screenshot.sh: neither chromium nor google-chrome found\n' >&2
  exit 1
fi

profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT INT TERM
set -- --headless --disable-gpu --disable-quic --no-first-run --disable-background-networking \
  --disable-component-update --disable-sync --hide-scrollbars --user-data-dir="$profile" \
  --window-size="${WIDTH:-1280},${HEIGHT:-1700}" --force-device-scale-factor="${SCALE:-1}" \
  --virtual-time-budget=5000 --screenshot="$picture"
[ "$(id -u)" -ne 0 ] || set -- "$@" --no-sandbox
[ -z "${DARK:-}" ] || set -- "$@" --blink-settings=preferredColorScheme=0
"$browser" "$@" "file://$page" >"$profile/log" 2>&1 && [ -s "$picture" ] || {
  cat "$profile/log" >&2
  exit 1
}
