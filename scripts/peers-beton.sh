# The part of the peers suite about .beton files: FFCV's own writer and reader. Sourced by peers.sh.

peer_beton=python/tools/peers_beton.py

labels_and_images() { # FILE: a description without the keys
  cut -f 2- "$1"
}

if ! "$python" -c 'import ffcv' >/dev/null 2>&1 && [ -z "${FFCV:-}" ]; then
  echo "pass  no ffcv in $python: install it, or let FFCV name the folder of its source"
else
  ./headrace convert $photos "$work/beton" --format beton --shards 1 --name photos >/dev/null
  ours=$work/beton/photos-00000-of-00001.beton
  check "FFCV reads our pictures" describe "$work/theirs.txt" "$python" -B $peer_beton read "$ours"
  check "and finds every photo with its label" same_samples "$work/photos.txt" "$work/theirs.txt"
  "$python" -B $peer_beton photos "$work/theirs.beton" $photos >/dev/null 2>&1
  check "we read what FFCV's writer wrote" describe "$work/ours.txt" ours_tar "$work/theirs.beton"
  check "FFCV reads its own" \
    describe "$work/theirs.txt" "$python" -B $peer_beton read "$work/theirs.beton"
  labels_and_images "$work/ours.txt" >"$work/ours.values"
  labels_and_images "$work/theirs.txt" >"$work/theirs.values"
  check "and both find the same" same_samples "$work/ours.values" "$work/theirs.values"
fi
