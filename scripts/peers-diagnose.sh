# The diagnosing part of the peers suite: beside py-spy on a DataLoader. Sourced by peers.sh.

if has_packages torch PIL; then
  if PATH=$(dirname "$python"):$PATH command -v py-spy >/dev/null; then
    check "diagnose names the bottleneck that py-spy shows, four ways" \
      env PATH="$(dirname "$python"):$PATH" "$python" -B python/tools/peers_diagnose.py $photos
  else
    echo "pass  no py-spy beside $python: pip install py-spy, and diagnose is compared with it"
  fi
fi
