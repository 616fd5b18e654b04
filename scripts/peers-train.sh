# The training part of the peers suite: the examples, each for a few steps, and the event files of
# headrace train. Sourced by peers.sh.

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
      echo "pass  no $package in $python: pip install $package, and its checks run too"
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
  check "the example for ImageNet" example '"epoch": 0' examples/imagenet/train.py "$work/train" \
    "$work/val" --model resnet18 $small --out "$work/imagenet"
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

if has_packages tensorboard; then
  # TensorBoard reads what headrace train wrote: every epoch's numbers are those of runs.jsonl.
  check "headrace train writes events" ./headrace train "$work/train" --validation "$work/val" \
    --model mobilenet_v3_small --width 0.25 --small --size 32 --epochs 2 --batch 8 --out "$work/run"
  check "TensorBoard reads them" "$python" -B - "$work/run" <<'PY'
import json, math, sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

run = sys.argv[1]
events = EventAccumulator(run + "/events", size_guidance={"scalars": 0})
events.Reload()
epochs = [json.loads(line) for line in open(run + "/runs.jsonl")]
assert len(epochs) == 2, epochs
compared = 0
for name in epochs[0]:
    if name == "epoch" or not isinstance(epochs[0][name], (int, float)):
        continue
    read = [(event.step, event.value) for event in events.Scalars("epoch/" + name)]
    assert [step for step, _ in read] == [0, 1], (name, read)
    for epoch, (_, value) in zip(epochs, read):
        assert math.isclose(epoch[name], value, rel_tol=1e-6, abs_tol=1e-30), (name, read)
        compared += 1
assert compared >= 20, compared
steps = events.Scalars("step/loss")
assert [event.step for event in steps] == list(range(1, 9)), steps
assert all(math.isfinite(event.value) for event in steps)
PY
fi
