#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What an engine that several jobs share gives them in total, against what it gives one job.

    bench/handoff/jobs.py DATA [--jobs 4] [--dataloader]

One job and several ones take turns, each with an engine of its own, whose first epochs are not
counted. Samples a second are added over all jobs; CPU time is the engine's and all jobs', since others
may keep the machine busy. With `--dataloader` as many DataLoaders, which share the cores and decode with
Pillow, do the same in turn; that needs PyTorch, NumPy and Pillow, and nothing else does.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
sys.path.insert(0, os.path.join(ROOT, "python/tests"))
HEADRACE = os.environ.get("HEADRACE", os.path.join(ROOT, "headrace"))
TICK = os.sysconf("SC_CLK_TCK")


def options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data")
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--pipeline", default="random_resized_crop=224,flip,uint8,hwc")
    parser.add_argument("--batch", default="64")
    parser.add_argument("--prefetch", default="12")
    parser.add_argument("--threads", default=str(os.cpu_count()))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--warm-up", type=int, default=3, help="epochs")
    parser.add_argument("--epochs", type=int, default=4, help="timed, of each job")
    parser.add_argument("--dataloader", action="store_true", help="against as many DataLoaders")
    parser.add_argument("--worker", metavar="SOCKET", help=argparse.SUPPRESS)
    return parser.parse_args()


def work(job):
    """One job, a process of its own: looks at a value of each batch."""
    from plain import Plain

    with Plain(socket=job.worker) as loader:
        samples = decoded = 0
        for number in range(job.warm_up + job.epochs):
            if number == job.warm_up:
                samples = decoded = 0
                mine, engine, begin = time.process_time(), cpu_seconds(loader.hello["pid"]), time.time()
            for batch in loader:
                samples += batch.size
                batch.images[-1]
            decoded += loader.report["decoded"]
        engine = cpu_seconds(loader.hello["pid"]) - engine
        mine = time.process_time() - mine
        print(json.dumps([begin, time.time(), samples, decoded, mine, engine]))


def dataloader(job):
    """One job with a DataLoader of its own."""
    import torch
    from torch.utils.data import DataLoader
    from transform import Pictures

    torch.set_num_threads(1)
    batches = DataLoader(
        Pictures(job.data, effect=None),
        int(job.batch),
        shuffle=True,
        num_workers=int(job.threads),
        persistent_workers=True,
    )
    samples = 0
    for number in range(job.warm_up + job.epochs):
        if number == job.warm_up:
            samples, begin = 0, time.time()
        for images, _ in batches:
            samples += len(images)
    print(json.dumps([begin, time.time(), samples]))


def dataloaders(job):
    """Samples a second of as many DataLoaders as there are jobs, which share the cores."""
    workers = max(1, int(job.threads) // job.jobs)
    command = [sys.executable, __file__, job.data, "--worker", "dataloader", "--batch", job.batch]
    command += ["--threads", str(workers), "--warm-up", "1", "--epochs", str(job.epochs)]
    started = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(job.jobs)
    ]
    found = [json.loads(process.communicate()[0]) for process in started]
    seconds = max(one[1] for one in found) - min(one[0] for one in found)
    return sum(one[2] for one in found) / seconds


def cpu_seconds(pid):
    with open("/proc/%d/stat" % pid, encoding="ascii", errors="replace") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def share(job, count):
    """Samples of all jobs by second and by second of CPU time, and how often each was decoded."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "s")
        command = [HEADRACE, "serve", job.data, "--socket", path, "--jobs", str(count)]
        command += ["--pipeline", job.pipeline, "--batch", job.batch, "--threads", job.threads]
        command += ["--prefetch", job.prefetch]
        engine = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            while not engine.stderr.readline().startswith("waiting for "):
                if engine.poll() is not None:
                    sys.exit("the engine ended: " + " ".join(command))
            worker = [sys.executable, __file__, job.data, "--worker", path]
            worker += ["--warm-up", str(job.warm_up), "--epochs", str(job.epochs)]
            pipe = subprocess.PIPE
            workers = [subprocess.Popen(worker, stdout=pipe, text=True) for _ in range(count)]
            found = [json.loads(process.communicate()[0]) for process in workers]
        finally:
            engine.terminate()
            engine.wait()
            engine.stderr.close()
    seconds = max(one[1] for one in found) - min(one[0] for one in found)
    samples = sum(one[2] for one in found)
    used = max(one[5] for one in found) + sum(one[4] for one in found)
    return samples / seconds, samples / used, found[0][3] / found[0][2]


def main():
    job = options()
    if job.worker:
        (dataloader if job.worker == "dataloader" else work)(job)
        return
    rates, costs, others = [], [], []
    for _ in range(job.rounds):
        one, several = share(job, 1), share(job, job.jobs)
        rates.append(several[0] / one[0])
        costs.append(several[1] / one[1])
        print(
            "one job %.0f samples/s, %.0f a second of CPU; %d jobs %.0f and %.0f; decoded %.2f times"
            % (one[0], one[1], job.jobs, several[0], several[1], several[2]),
            flush=True,
        )
        if job.dataloader:
            others.append(several[0] / dataloaders(job))
            print("%d jobs take %.0f %% less time than as many DataLoaders" % (job.jobs, 100 - 100 / others[-1]))
    if others:
        print("less time, median: %.0f %%" % (100 - 100 / statistics.median(others)))
    print("all jobs against one, median: %.2f by time" % statistics.median(rates))
    print("by CPU time, median: %.2f" % statistics.median(costs))


if __name__ == "__main__":
    main()
