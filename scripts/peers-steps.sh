# The part of the peers suite about steps done ahead: PRESTO's four pipelines, cut at every place.
# Sourced by peers.sh.

peer_steps=python/tools/peers_steps.py

cut_everywhere() { # SOURCE, RATE of sounds
  HEADRACE=$root/headrace "$python" -B $peer_steps cut "$@"
}

few=$work/few
for class in bird plant; do
  mkdir -p "$few/$class"
  cp $(ls $photos/$class/*.jpg | head -2) "$few/$class"
done
./headrace convert "$few" "$work/few-png" --encoding png >/dev/null
check "TensorFlow reads PRESTO's image pipeline at every cut, JPEG" \
  cut_everywhere "$few"
check "TensorFlow reads PRESTO's image pipeline at every cut, PNG" \
  cut_everywhere "$work/few-png"
for sound in flac:5@16000 mp3:64@48000; do
  encoding=${sound%@*}
  "$python" $peer_steps sounds "$work/wav-$encoding" "${sound#*@}"
  ./headrace convert "$work/wav-$encoding" "$work/$encoding" --encoding "$encoding" >/dev/null
  check "TensorFlow reads PRESTO's audio pipeline at every cut, ${encoding%:*}" \
    cut_everywhere "$work/$encoding" "${sound#*@}"
done
