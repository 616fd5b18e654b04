# The tar part of the peers suite: shards of the webdataset and wids packages, both ways.
# Sourced by peers.sh.

. "$root/scripts/setup.sh"
find_jdk || exit 1
peer_tar=python/tools/peers_tar.py
if ! "$python" -c 'import webdataset, importlib.util as u; u.find_spec("wids") or 1 / 0' \
  >/dev/null 2>&1; then
  if [ -n "${PEERS_PYTHON:-}" ]; then
    echo "peers: $python has no webdataset with wids" >&2
    exit 1
  fi
  "$python" -m pip install -q -r python/tools/requirements-peers.txt
fi

ours_tar() { # DATASETS: a line for each of their samples
  "$JAVA_HOME/bin/java" $jvm_flags -cp "$jar" python/tools/PeersTar.java "$@"
}

same_samples() { # FILE FILE: descriptions that are not empty
  [ -s "$1" ] && cmp "$1" "$2"
}

describe() { # FILE COMMAND...
  into=$1
  shift
  "$@" >"$into"
}

folder_lines() { # what the image folder $1 holds
  ours_tar "$1"
}

folder_lines $photos >"$work/photos.txt"
for compression in none gzip bzip2 xz lzma lzop zstd; do
  ours=$work/tar-$compression
  check "we write shards, $compression" describe "$work/convert.txt" \
    ./headrace convert $photos "$ours" --format tar --compression $compression --shards 3 \
    --name photos
  urls=$(ls "$ours"/photos-*.tar* | grep -v '\.index$')
  case $compression in
    lzma | lzop | zstd) # webdataset reads these through a pipe
      if ! command -v $compression >/dev/null; then
        echo "pass  no command $compression: apt-get install it, and its tars are read too"
        continue
      fi
      check "GNU tar lists our shards, $compression" \
        describe "$work/list.txt" tar --$compression -tvf "$ours/photos-00001-of-00003.tar"*
      urls=$(for file in $urls; do echo "pipe:$compression\${IFS}-dc\${IFS}$file"; done)
      ;;
  esac
  check "webdataset reads our shards, $compression" \
    describe "$work/theirs.txt" "$python" $peer_tar read $urls
  check "and finds every photo with its label, $compression" \
    same_samples "$work/photos.txt" "$work/theirs.txt"
  if [ $compression = none ]; then
    check "wids reads our shards by our index" \
      describe "$work/wids.txt" "$python" $peer_tar wids "$ours/index.json"
    check "and finds every photo with its label" same_samples "$work/photos.txt" "$work/wids.txt"
    check "tar lists our shards" describe "$work/list.txt" tar -tvf "$ours/photos-00001-of-00003.tar"
  fi
  if [ "${urls#pipe:}" = "$urls" ]; then
    check "Python's tarfile reads our shards, $compression" \
      describe "$work/list.txt" "$python" $peer_tar list $urls
    check "and finds every photo with its label, $compression" \
      same_samples "$work/photos.txt" "$work/list.txt"
  fi
done

mkdir -p "$work/shards"
"$python" $peer_tar write "$work/shards/p-%06d.tar" 4 $photos
check "we read what webdataset's ShardWriter wrote" \
  describe "$work/ours.txt" ours_tar "$work/shards"
check "and find every photo with its label" same_samples "$work/photos.txt" "$work/ours.txt"
for extension in tar.gz tar.bz2 tar.xz tar.lzma tar.lzo; do
  case $extension in
    tar.lzma | tar.lzo)
      command=lzma
      [ $extension = tar.lzma ] || command=lzop
      command -v $command >/dev/null || continue
      gunzip -c "$work/theirs.tar.gz" | $command -c >"$work/theirs.$extension"
      ;;
    *) "$python" $peer_tar write "$work/theirs.$extension" 1 $photos ;;
  esac
  check "we read what webdataset's TarWriter wrote, $extension" \
    describe "$work/ours.txt" ours_tar "$work/theirs.$extension"
  check "and find every photo with its label, $extension" \
    same_samples "$work/photos.txt" "$work/ours.txt"
done
