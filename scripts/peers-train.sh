# The training part of the peers suite: the examples, each for a few steps. Sourced by peers.sh.

mkdir -p "$work/train" "$work/val"
for class in bird plant; do
  mkdir "$work/train/$class" "$work/val/$class"
  cp $(ls $photos/$class/*.jpg | head -16) "$work/train/$class"
  cp $(ls $photos/$class/*.jpg | tail -3) "$work/val/$class"
done

example() { # WANTED NAME ARGUMENTS...: its output has a line that matches WANTED
  wanted=$1
  shift
  HEADRACE=$root/headrace PYTHONPATH=$root/python "$python" -B "$@" >"$work/said" 2>&1 || {
    cat "$work/said"
    return 1
  }
  grep -q "$wanted" "$work/said" || {
    cat "$work/said"
    return 1
  }
}

has_packages() { # NAME...: says which are missing
  for package in "$@"; do
    if ! "$python" -c "import $package" >/dev/null 2>&1; then
      echo "pass  no $package in $python: pip install $package, and its example runs too"
      return 1
    fi
  done
}

small="--epochs 1 --size 64 --batch 8 --workers 1"
if has_packages torch torchvision; then
  for loader in headrace dataloader; do
    check "ResNet-18 trains, $loader" example '"samples_and_rank": 32' \
      examples/train_torch.py "$work/train" "$work/val" --loader $loader $small
  done
  check "DistributedDataParallel by torchrun, two ranks over gloo" example '"samples_and_rank": 16' \
    -m torch.distributed.run --nproc-per-node 2 \
    examples/train_torch.py "$work/train" "$work/val" $small
  if has_packages pytorch_lightning; then
    check "Lightning" example "^steps 1, accuracy" \
      examples/train_lightning.py "$work/train" "$work/val" 1 64
  fi
  if has_packages accelerate; then
    check "accelerate" example "^rank 0 of 1: steps 1, loss" \
      examples/train_accelerate.py "$work/train" 1 64
    if has_packages transformers; then
      check "the Trainer of transformers" example "^steps 2, loss" \
        examples/train_transformers.py "$work/train" 1
    fi
  fi
fi
