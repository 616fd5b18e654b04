"""Measures a trainer's own rate: samples a second when data never make it wait.

`python -m headrace.consumer train.py ARGUMENTS…` runs a training script as it is, except that the
first batches of its DataLoader come again and again, so that nothing is read or prepared meanwhile.
When it has trained on them for a while, the rate is printed as one JSON document, and the script
ends. `headrace diagnose --consumer "python train.py ARGUMENTS…"` and `tune` run this. What is done
under torch.no_grad, such as validation, does not count.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import runpy
import sys
import time
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator

from .diagnose import batch_size

KEPT = 8
"""Batches that come again and again."""

WARM_UP = 3.0
"""Seconds of training that do not count, at most."""


class Rate:
    """Samples a second, over the time that a loop takes between one batch and the next."""

    def __init__(self, seconds: float, done: Callable[[float], None]) -> None:
        self.seconds, self.done = seconds, done
        self.left = min(WARM_UP, seconds)
        self.warm = True
        self.taken, self.spent = 0, 0.0

    def add(self, samples: int, seconds: float) -> None:
        self.taken += samples
        self.spent += seconds
        if self.spent >= self.left:
            if not self.warm:
                self.done(self.taken / self.spent)
            self.warm, self.left, self.taken, self.spent = False, self.seconds, 0, 0.0


def replayed(kept: list[Any], batches: Iterable[Any], length: int, rate: Rate,
             counts: Callable[[], bool] = lambda: True) -> Iterator[Any]:
    """Gives the first batches again and again, as many in all as there would be.

    kept: gets the first batches, in the first epoch
    length: batches of an epoch
    counts: whether a batch is trained on, not validated
    """
    if not kept:
        kept.extend(itertools.islice(batches, KEPT))
    for batch in itertools.islice(itertools.cycle(kept), length):
        start = time.perf_counter()
        yield batch
        if counts():
            rate.add(batch_size(batch), time.perf_counter() - start)


def _say(rate: float) -> None:
    print(json.dumps({"samples_per_second": rate}), file=sys.__stdout__, flush=True)
    os._exit(0)  # workers and other ranks are of no use any more


def _patch(seconds: float) -> None:
    import torch
    from torch.utils.data import DataLoader

    def training() -> bool:
        if torch.cuda.is_available():
            torch.cuda.synchronize()  # the step is not over before
        return torch.is_grad_enabled()

    original, rate = DataLoader.__iter__, Rate(seconds, _say)

    def replay(self: DataLoader) -> Iterator[Any]:
        kept = self.__dict__.setdefault("_headrace_kept", [])
        try:
            length = len(self)
        except TypeError:  # a stream
            length = sys.maxsize
        return replayed(kept, () if kept else original(self), length, rate, training)

    DataLoader.__iter__ = replay


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m headrace.consumer", description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=5.0, help="to train for after warming up (5)")
    parser.add_argument("script", help="the training script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="its arguments")
    options = parser.parse_args()
    sys.argv = [options.script, *options.arguments]
    sys.path.insert(0, str(Path(options.script).resolve().parent))
    try:
        _patch(options.seconds)
    except ImportError as error:
        print(f"headrace.consumer: {error}: expected a script that trains with PyTorch", file=sys.stderr)
        return 2
    runpy.run_path(options.script, run_name="__main__")
    print(
        f"headrace.consumer: {options.script} ended before it had trained for "
        f"{options.seconds + WARM_UP:.0f} s on batches of a DataLoader: give it more epochs",
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
