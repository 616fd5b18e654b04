#!/usr/bin/env python3
"""What a process loads in its first seconds, before a change and after it, in turn.

    bench/first-seconds.py BEFORE AFTER DATASET PAIRS SECONDS

BEFORE and AFTER are roots of two built checkouts. Prints medians and the median of the pairs'
ratios: samples/s of the first epoch; samples/s from the start of the process to 5 s and to the
end; when a second first had 70 % of the best two seconds of the pair; and, since others may keep a
process waiting, samples per second of its CPU time until it had used 5 and 10 s, and in its last 4.
"""

import json
import os
import statistics
import subprocess
import sys
import threading
import time

TICK = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def watch(pid, begin, clock, done):
    while not done.wait(0.05):
        try:
            clock.append((time.time() - begin, cpu_seconds(pid)))
        except (FileNotFoundError, ProcessLookupError):
            return


def loaded(epochs, until):
    """Samples delivered by then, in seconds from the start of the process."""
    return sum(n * min(1, max(0, (until - a) / (b - a))) for a, b, n in epochs)


def when(clock, used):
    """When the process had used so much CPU time."""
    return next((t for t, cpu in clock if cpu >= used), float("nan"))


def run(root, dataset, seconds):
    command = [root + "/headrace", "load", dataset, "--seconds", seconds, "--no-digest", "--json"]
    begin = time.time()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    clock, done = [], threading.Event()
    watcher = threading.Thread(target=watch, args=(process.pid, begin, clock, done))
    watcher.start()
    reports = json.loads(process.communicate()[0])
    end = time.time() - begin
    done.set()
    watcher.join()
    first = end - reports[-1]["began"] - reports[-1]["seconds"]
    epochs = [
        (first + r["began"], first + r["began"] + r["seconds"], r["delivered"]) for r in reports
    ]
    used = clock[-1][1]
    tail = when(clock, used - 4)
    figures = {
        "first epoch": epochs[0][2] / (epochs[0][1] - epochs[0][0]),
        "to 5 s": loaded(epochs, 5) / 5,
        "to the end": loaded(epochs, end) / end,
    }
    for cpu in (5, 10):
        figures[f"to {cpu} s of CPU"] = loaded(epochs, when(clock, cpu)) / cpu
    figures["last 4 s of CPU"] = (loaded(epochs, end) - loaded(epochs, tail)) / 4
    return epochs, figures


def main():
    if len(sys.argv) != 6:
        sys.exit("usage: bench/first-seconds.py BEFORE AFTER DATASET PAIRS SECONDS")
    before, after, dataset, pairs, seconds = sys.argv[1:]
    runs = {before: [], after: []}
    for pair in range(int(pairs)):
        both = [before, after] if pair % 2 == 0 else [after, before]
        results = {root: run(root, dataset, seconds) for root in both}
        steps = range(0, 4 * int(float(seconds)))
        best = max(
            (loaded(e, t / 4 + 2) - loaded(e, t / 4)) / 2
            for e, _ in results.values()
            for t in steps
        )
        for root, (epochs, figures) in results.items():
            rates = [(t / 4, loaded(epochs, t / 4 + 1) - loaded(epochs, t / 4)) for t in steps]
            fast = (t for t, rate in rates if rate >= 0.7 * best)
            figures["70 % after"] = next(fast, float("inf"))
            runs[root].append(figures)
    for name in runs[before][0]:
        old = [figures[name] for figures in runs[before]]
        new = [figures[name] for figures in runs[after]]
        ratio = statistics.median(n / o if o else float("nan") for o, n in zip(old, new))
        medians = statistics.median(old), statistics.median(new)
        print(f"{name:18s} {medians[0]:9.1f} {medians[1]:9.1f}  {ratio:.2f}")


if __name__ == "__main__":
    main()
