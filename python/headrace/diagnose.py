"""Says how starved a training loop is that takes batches from any iterable, and why.

Wraps a DataLoader, a generator, anything that gives batches:

    from headrace.diagnose import diagnose
    print(diagnose(train_loader, consumer="resnet50"))

or, without touching a script, `python -m headrace.diagnose train.py --consumer 900/s`, which is
what `headrace diagnose --python train.py` runs. Batches are taken for a while as fast as they come,
then no faster than the trainer would take them. Meanwhile the states of all threads of this process
and of those it started are looked at, as proc(5) tells them: running means that samples are being
prepared, waiting for a disk that they are being fetched. Linux only; needs no package.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import runpy
import sys
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Iterable, Iterator

PRESETS = {
    "alexnet": 38566.0,
    "resnet18": 12375.0,
    "resnet50": 4155.0,
    "mobilenetv3-small": 15140.0,
    "shufflenetv2": 12998.0,
    "squeezenet1.1": 15461.0,
    "v100-alexnet": 8508.0,
    "v100-resnet50": 1175.0,
}
"""Images a second that one accelerator trains on: as `headrace load --consumer` has them."""

NAMES = ("loader", "train_loader", "dataloader", "batches")
NO_STALL = 0.02
LOOK = 0.01


def consumer_rate(text: str | float) -> float:
    """The rate in samples a second that a text such as 4155/s, resnet50 or 4*resnet50 says."""
    spelt = str(text).strip().lower()
    match = re.fullmatch(r"(?:(\d{1,6})\*)?([a-z][a-z0-9.-]*|\d+(?:\.\d+)?(?:/s)?)", spelt)
    if match:
        word = match.group(2)
        one = PRESETS.get(word) or (float(word.removesuffix("/s")) if word[0].isdigit() else 0.0)
        rate = one * int(match.group(1) or 1)
        if rate > 0:
            return rate
    raise ValueError(
        f"consumer {text!r}: expected samples a second such as 4155/s, one of "
        f"{', '.join(PRESETS)}, or several such as 4*resnet50"
    )


def batch_size(batch: Any) -> int:
    """How many samples a batch has: the length of the first array in it."""
    if isinstance(batch, dict):
        return batch_size(next(iter(batch.values())))
    shape = getattr(batch, "shape", None)
    if shape is not None:
        return int(shape[0]) if len(shape) > 0 else 1
    if isinstance(batch, (tuple, list)) and batch:
        first = batch[0]
        plain = isinstance(first, (int, float, str, bytes))
        return len(batch) if plain else batch_size(first)
    return len(batch) if hasattr(batch, "__len__") else 1


@dataclass(frozen=True)
class Diagnosis:
    """What was found. Rates are samples a second, shares are of the trainer's time, 0 to 1."""

    ingest: float
    """The trainer's own rate."""
    free: float
    """The rate at which batches come when nothing else is done."""
    actual: float
    """The rate that the trainer has."""
    work_share: float
    """In which the trainer works."""
    prep_stall_share: float
    """In which it waits, and threads run: they decode, transform, collate."""
    fetch_stall_share: float
    """In which it waits, and threads wait for a disk."""
    other_stall_share: float
    """In which it waits, and all sleep: for the network, a lock, or each other."""
    main_share: float
    """Share of the waiting in which the training process's own thread ran."""
    first_batch_seconds: float
    """From asking for the first batch to having it: workers start then."""
    workers: int
    """Processes that prepare batches, at most at one time."""
    cores: int
    """Processors that the process may use."""
    cores_used: float
    """Processors that it and its workers kept busy while batches came freely."""
    disk_bytes_per_second: float
    """Bytes that devices delivered meanwhile."""
    bottleneck: str
    """prep, fetch, other, or none."""
    verdict: str
    """One sentence: the bottleneck, and the cheapest remedy."""

    def __str__(self) -> str:
        return (
            f"ingest: the trainer's own    {self.ingest:,.0f} samples/s\n"
            f"batches as they come         {self.free:,.0f} samples/s\n"
            f"trainer, as it is            {self.actual:,.0f} samples/s\n\n"
            f"An epoch: {100 * self.work_share:.1f} % training, "
            f"{100 * self.prep_stall_share:.1f} % prep stall, "
            f"{100 * self.fetch_stall_share:.1f} % fetch stall, "
            f"{100 * self.other_stall_share:.1f} % waiting for else\n"
            f"{self.workers} worker processes, {self.cores_used:.1f} of {self.cores} cores busy, "
            f"{self.disk_bytes_per_second / 1e6:,.1f} MB/s from disk, "
            f"first batch after {self.first_batch_seconds:.1f} s\n\n{self.verdict}"
        )


def _stat(path: str) -> tuple[str, int, float] | None:
    """State, parent and CPU seconds of a process or a thread; None if it has ended."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            words = file.read().rpartition(")")[2].split()
    except OSError:
        return None
    return words[0], int(words[1]), (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def _descendants() -> list[int]:
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            stat = _stat(f"/proc/{name}/stat")
            if stat and stat[0] != "Z":
                parents[int(name)] = stat[1]
    found = [os.getpid()]
    for one in found:
        found.extend(pid for pid, parent in parents.items() if parent == one)
    return found[1:]


def _read_bytes(pids: Iterable[int]) -> int:
    total = 0
    for pid in pids:
        try:
            text = Path(f"/proc/{pid}/io").read_text(encoding="utf-8")
            total += int(re.search(r"^read_bytes: (\d+)", text, re.M).group(1))
        except (OSError, AttributeError):
            continue  # it has ended
    return total


class _Watch(threading.Thread):
    """Looks at the states of threads for as long as the trainer waits."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.main = threading.get_native_id()
        self.waiting = False
        self.over = threading.Event()
        self.prep = self.fetch = self.other = self.own = 0.0
        self.workers = 0
        self.children: list[int] = []

    def run(self) -> None:
        own = threading.get_native_id()
        looked = 0
        while not self.over.wait(LOOK):
            if looked % 10 == 0:
                self.children = _descendants()
                self.workers = max(self.workers, len(self.children))
            looked += 1
            if self.waiting:
                self.look(own)

    def look(self, own: int) -> None:
        running = disk = 0
        for pid in [os.getpid(), *self.children]:
            try:
                threads = os.listdir(f"/proc/{pid}/task")
            except OSError:
                continue  # it has ended
            for thread in threads:
                stat = None if int(thread) == own else _stat(f"/proc/{pid}/task/{thread}/stat")
                running += stat is not None and stat[0] == "R"
                disk += stat is not None and stat[0] == "D"
                self.own += stat is not None and int(thread) == self.main and stat[0] == "R"
        if not self.waiting:
            return  # it ended while this looked
        if running + disk == 0:
            self.other += 1
        else:
            self.prep += running / (running + disk)
            self.fetch += disk / (running + disk)


def _cpu(pids: Iterable[int]) -> float:
    stats = [_stat(f"/proc/{pid}/stat") for pid in pids]
    ended = os.times()
    return sum(s[2] for s in stats if s) + ended.children_user + ended.children_system


class _Batches:
    """An iterable begun again whenever it ends."""

    def __init__(self, batches: Iterable[Any]) -> None:
        self.batches = batches
        self.iterator: Iterator[Any] = iter(batches)

    def next(self) -> Any:
        for _ in range(2):
            try:
                return next(self.iterator)
            except StopIteration:
                self.iterator = iter(self.batches)
        raise ValueError(
            "the iterable has no batches, or can be gone through only once: give one that begins"
            " anew, such as a DataLoader, or a function that makes it"
        )


def diagnose(
    batches: Iterable[Any], consumer: str | float, seconds: float = 6.0, samples: int | None = None
) -> Diagnosis:
    """Takes batches for some seconds, and says what a trainer would wait for.

    batches: anything that can be gone through again and again
    consumer: the trainer's own rate, as `headrace load --consumer` takes it
    seconds: to take batches for in all, half of them as fast as they come
    samples: in a batch; told from the batches if not given
    """
    ingest = consumer_rate(consumer)
    if not os.path.isdir("/proc/self/task"):
        raise OSError("the states of threads are read from /proc, which is not here: needs Linux")
    watch = _Watch()
    begin = time.perf_counter()
    source = _Batches(batches)
    first = source.next()
    first_seconds = time.perf_counter() - begin
    size = samples or batch_size(first)
    watch.start()
    try:
        pids = [os.getpid(), *_descendants()]
        cpu, read = _cpu(pids), _read_bytes(pids)
        free, free_seconds = 0, 0.0
        start = time.perf_counter()
        while free_seconds < seconds / 2:
            free += samples or batch_size(source.next())
            free_seconds = time.perf_counter() - start
        pids = [os.getpid(), *_descendants()]
        cores_used = max(0.0, _cpu(pids) - cpu) / free_seconds
        disk = max(0, _read_bytes(pids) - read) / free_seconds
        taken, waited = 0, 0.0
        start = ready = time.perf_counter()
        while ready - start < seconds / 2:
            asked = time.perf_counter()
            watch.waiting = True
            got = samples or batch_size(source.next())
            watch.waiting = False
            arrived = time.perf_counter()
            waited += arrived - asked
            taken += got
            ready = max(ready, arrived - max(0.0, min(asked - ready, LOOK))) + got / ingest
            time.sleep(max(0.0, ready - time.perf_counter()))
    finally:
        watch.over.set()
        watch.join()
    worked = taken / ingest
    return _conclude(ingest, free / free_seconds, taken / (waited + worked), worked, waited, watch,
                     first_seconds, cores_used, disk, size)


def _conclude(
    ingest: float,
    free: float,
    actual: float,
    worked: float,
    waited: float,
    watch: _Watch,
    first_seconds: float,
    cores_used: float,
    disk: float,
    size: int,
) -> Diagnosis:
    stall = waited / (waited + worked)
    looks = watch.prep + watch.fetch + watch.other
    shares = {
        "prep": stall * watch.prep / looks if looks else stall,
        "fetch": stall * watch.fetch / looks if looks else 0.0,
        "other": stall * watch.other / looks if looks else 0.0,
    }
    main = watch.own / looks if looks else 0.0
    bottleneck = "none" if stall < NO_STALL else max(shares, key=shares.__getitem__)
    cores = len(os.sched_getaffinity(0))
    verdict = _verdict(bottleneck, stall, ingest, free, main, watch.workers, cores, cores_used, size)
    return Diagnosis(
        ingest=ingest,
        free=free,
        actual=actual,
        work_share=1 - stall,
        prep_stall_share=shares["prep"],
        fetch_stall_share=shares["fetch"],
        other_stall_share=shares["other"],
        main_share=main,
        first_batch_seconds=first_seconds,
        workers=watch.workers,
        cores=cores,
        cores_used=cores_used,
        disk_bytes_per_second=disk,
        bottleneck=bottleneck,
        verdict=verdict,
    )


def _verdict(
    bottleneck: str,
    stall: float,
    ingest: float,
    free: float,
    main: float,
    workers: int,
    cores: int,
    cores_used: float,
    size: int,
) -> str:
    if bottleneck == "none":
        return (
            f"The trainer itself ({ingest:,.0f} samples/s) is the bottleneck: it works "
            f"{100 * (1 - stall):.0f} % of the time, so change nothing."
        )
    waits = f"The trainer ({ingest:,.0f} samples/s) waits {100 * stall:.0f} % of the time, and "
    if bottleneck == "fetch":
        return waits + (
            "reading from disk is the bottleneck; keep the data in memory, or make them smaller: "
            "`headrace diagnose DATASET --consumer …` says which cache or encoding suffices."
        )
    if bottleneck == "other":
        return waits + (
            "nobody computes meanwhile: workers wait for the network, a lock or a sleep; ask for "
            f"more at one time (num_workers={2 * max(1, workers)}, prefetch_factor=4)."
        )
    if workers == 0:
        return waits + (
            f"preparing samples in the training process itself is the bottleneck "
            f"({free:,.0f} samples/s); the cheapest remedy is num_workers={cores}."
        )
    if main > 0.5 and cores_used < 0.8 * cores:
        return waits + (
            "the training process's own thread is the bottleneck: it collates, copies or unpickles "
            f"batches of {size}; let workers make whole batches, and take arrays, not lists."
        )
    if workers < cores and cores_used < 0.8 * cores:
        return waits + (
            f"preparing samples is the bottleneck ({free:,.0f} samples/s, {cores_used:.1f} of "
            f"{cores} cores busy); the cheapest remedy is num_workers={cores}, now {workers}."
        )
    return waits + (
        f"preparing samples is the bottleneck ({free:,.0f} samples/s with {cores_used:.1f} of "
        f"{cores} cores busy); make samples cheaper to decode: `headrace tune DATASET "
        f"--consumer {ingest:.0f}` says how."
    )


def _iterable(names: dict[str, Any], wanted: str | None, script: str) -> Iterable[Any]:
    for name in (wanted,) if wanted else NAMES:
        found = names.get(name)
        if found is not None:
            return found() if callable(found) and not hasattr(found, "__iter__") else found
    raise ValueError(
        f"{script} has no {wanted or ', '.join(NAMES)}: expected an iterable of batches of that "
        "name, or a function that makes it; --iterable NAME says another"
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m headrace.diagnose", description=__doc__.split("\n")[0])
    parser.add_argument("script", help="a Python file that makes the iterable when it is run")
    parser.add_argument("--consumer", required=True, help="4155/s, resnet50, 4*resnet50")
    parser.add_argument("--iterable", help=f"its name; {', '.join(NAMES)} if not given")
    parser.add_argument("--seconds", type=float, default=6.0, help="to take batches for (6)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args(arguments)
    try:
        consumer_rate(options.consumer)
        sys.argv = [options.script]
        sys.path.insert(0, str(Path(options.script).resolve().parent))
        names = runpy.run_path(options.script, run_name="__diagnosed__")
        batches = _iterable(names, options.iterable, options.script)
        found = diagnose(batches, options.consumer, options.seconds)
    except (OSError, ValueError) as error:
        print(f"headrace diagnose: {error}", file=sys.stderr)
        return 2 if isinstance(error, ValueError) else 1
    print(json.dumps(asdict(found), indent=2) if options.json else found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
