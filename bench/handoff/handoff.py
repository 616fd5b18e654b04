#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What handing batches to Python costs: `headrace load` and the Python client, in turn.

Each run is a process of its own; the first epochs are discarded, whole ones are timed, with what is
between them, by the consumer's clock. No package is needed.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
sys.path.insert(0, os.path.join(ROOT, "python/tests"))

from plain import Plain

HEADRACE = os.environ.get("HEADRACE", os.path.join(ROOT, "headrace"))


def options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data")
    parser.add_argument("--pipeline", default="random_resized_crop=224,flip,uint8,hwc")
    parser.add_argument("--batch", default="64")
    parser.add_argument("--threads", default=str(os.cpu_count()))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--warm-up", type=int, default=5, help="epochs")
    parser.add_argument("--epochs", type=int, default=5, help="timed, of each run")
    return parser.parse_args()


def in_process(job):
    """Seconds and samples of the timed epochs of `headrace load`."""
    command = [HEADRACE, "load", job.data, "--json", "--no-digest", "--pipeline", job.pipeline]
    command += ["--batch", job.batch, "--threads", job.threads]
    command += ["--epochs", str(job.warm_up + job.epochs)]
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    reports = json.loads(subprocess.run(command, check=True, **quiet).stdout)[job.warm_up :]
    seconds = reports[-1]["began"] + reports[-1]["seconds"] - reports[0]["began"]
    return seconds, sum(r["delivered"] for r in reports)


def in_python(job):
    """The same of the client, which looks at one value of each batch, and Python's CPU seconds."""
    samples = begin = cpu = 0
    given = dict(pipeline=job.pipeline, batch=int(job.batch), threads=int(job.threads))
    with Plain(job.data, headrace=HEADRACE, **given) as loader:
        for number in range(job.warm_up + job.epochs):
            if number == job.warm_up:
                samples, begin, cpu = 0, time.perf_counter(), time.process_time()
            for batch in loader:
                samples += batch.size
                batch.images[-1]
        return time.perf_counter() - begin, samples, time.process_time() - cpu


def main():
    job = options()
    ratios, costs, used, rates = [], [], [], {"process": [], "Python": []}
    for _ in range(job.rounds):
        (near, count), (far, same, cpu) = in_process(job), in_python(job)
        assert count == same, (count, same)
        rates["process"].append(count / near)
        rates["Python"].append(same / far)
        ratios.append(near / far)
        costs.append((far - near) * 1e6 / (count / int(job.batch)))
        used.append(cpu * 1e6 / (count / int(job.batch)))
        print("in process %.0f, in Python %.0f samples/s" % (count / near, same / far), flush=True)
    medians = tuple(statistics.median(r) for r in rates.values())
    print("medians: %.0f and %.0f samples/s" % medians)
    print("ratio of the rounds, median: %.3f" % statistics.median(ratios))
    print("handing over: %.0f µs a batch, median" % statistics.median(costs))
    print("of Python's CPU time: %.0f µs a batch, median" % statistics.median(used))


if __name__ == "__main__":
    main()
