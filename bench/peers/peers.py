#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs Headrace and the field's other loaders on the same files and cores, in turn.

docs/bench.md says what is fair and how to read the result. Needs Python 3.10 or newer, nothing
else; the libraries go to environments of their own, made the first time.
"""

import argparse
import json
import os
import platform
import shlex
import shutil
import signal
import subprocess
import sys
import time

import environments
import measure
import report
import sets
from contenders import ALL_RECORDS, FAMILIES, IMAGES, RECORDS, SINGLE, SOUNDS, WRITERS

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "../.."))


def say(text):
    print("peers: " + text, file=sys.stderr, flush=True)


def numbers(text):
    """"1,2,4" or "0-3" as a list."""
    found = []
    for part in text.split(","):
        low, _, high = part.partition("-")
        found += range(int(low), int(high or low) + 1)
    return found


def options():
    parser = argparse.ArgumentParser(prog="./benchmark peers", description=__doc__)
    parser.add_argument("--data", metavar="DIR", help="folder of your own, images or sounds: ROOT/CLASS/NAME.ext")
    parser.add_argument(
        "--sets",
        default=None,
        help="what is loaded: data (--data), photos (samples/photos), made ones: %s; families of "
        "training pipelines: %s; TFRecords of photos, read or written: records-X, write-X, where X "
        "is %s. Default: data if given, else photos"
        % (
            ", ".join([*sets.KINDS, *sets.SOUNDS]),
            ", ".join(sets.FAMILIES),
            ", ".join(ALL_RECORDS),
        ),
    )
    parser.add_argument("--only", help="names of contenders, commas between; --list shows them")
    parser.add_argument("--dtype", default="uint8,float32")
    parser.add_argument("--task", choices=("train", "eval"), default="train")
    parser.add_argument("--batch", type=int, help="256, or less where a made set is small")
    parser.add_argument("--workers", default="1,2,4", help="tried once each, the best is kept")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10, help="timed of each run")
    parser.add_argument("--warm-up", type=float, default=3, help="seconds at least, whole epochs")
    parser.add_argument("--cores", help="such as 0-1; all if not given")
    parser.add_argument("--cold", action="store_true", help="first epochs, page cache dropped")
    parser.add_argument("--check", action="store_true", help="only the self-check")
    parser.add_argument("--no-check", action="store_true", help="leave the self-check out")
    parser.add_argument("--work", default=os.path.join(ROOT, ".headrace/peers-bench"))
    parser.add_argument("--pip", default="", help="more arguments for pip, such as an index")
    parser.add_argument("--out", metavar="DIR", help="for peers.json and peers.md; WORK/result")
    parser.add_argument("--list", action="store_true", help="the contenders, and leave")
    return parser.parse_args()


class Bench:
    """One invocation: where things are, who takes part, what was measured."""

    def __init__(self, given):
        self.given = given
        self.work = os.path.abspath(given.work)
        pip = shlex.split(given.pip)
        self.environments = environments.Environments(os.path.join(self.work, "envs"), pip, log=say)
        self.cores = numbers(given.cores) if given.cores else sorted(os.sched_getaffinity(0))
        self.only = given.only.split(",") if given.only else None
        self.skipped, self.versions, self.labels = {}, {}, {}

    # Who and what

    def contenders(self, all_of, name):
        """Those asked for that can run here; the others are skipped, each with a line."""
        ready = []
        for contender in all_of:
            if name in FAMILIES and contender.name not in FAMILIES[name]:
                continue
            if self.only and contender.name not in self.only:
                continue
            if contender.sets and name not in contender.sets:
                continue
            try:
                self.environments.python(contender.environment)
            except environments.Missing as missing:
                self.skip(contender.name, str(missing))
                continue
            if contender.program is None:
                self.skip(contender.name, "has a wheel by now, but no program here")
                continue
            self.labels[contender.name] = contender.label
            ready.append(contender)
        return ready

    def skip(self, name, why):
        if name not in self.skipped:
            say("skipped %s: %s" % (name, why))
        self.skipped[name] = why

    def folder(self, name):
        """The folder of a set, made if it is not there."""
        if name in sets.FAMILIES:
            of_data = self.given.data and name in ("simclr", "recipe")
            return self.folder("data" if of_data else sets.FAMILIES[name][0])
        if name == "data":
            if not self.given.data:
                sys.exit("peers: set data: say which with --data DIR")
            return os.path.abspath(self.given.data)
        if name == "photos":
            return os.path.join(ROOT, "samples/photos")
        if name not in (*sets.KINDS, *sets.SOUNDS, "boxes"):
            sys.exit("peers: set %s: expected data, photos, records-…, write-… or %s"
                     % (name, ", ".join([*sets.KINDS, *sets.SOUNDS, *sets.FAMILIES])))
        target = os.path.join(self.work, "sets", name)
        if name in sets.SOUNDS:
            if not os.path.isdir(target):
                say("making set %s …" % name)
                sets.sounds(name, os.path.join(ROOT, "headrace"), target)
            return target
        if not os.path.isdir(target):
            say("making set %s …" % name)
            python = self.environments.python("sets")
            source = self.folder("data" if name == "boxes" and self.given.data else "photos")
            program = os.path.join(HERE, "sets.py")
            subprocess.run([python, program, name, source, target], check=True)
        return os.path.join(target, "photos") if name == "boxes" else target

    def records(self, compression):
        """TFRecord shards of the photos (or of --data), made by `headrace convert`."""
        source = self.folder("data" if self.given.data else "photos")
        name = "records-%s-%s" % (os.path.basename(source.rstrip("/")), compression)
        target = os.path.join(self.work, "sets", name)
        if not os.path.isdir(target):
            say("making TFRecord shards, %s …" % compression)
            command = [os.path.join(ROOT, "headrace"), "convert", source, target]
            command += ["--compression", compression, "--shards", "8"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return target

    def batch(self, name):
        made = {**sets.KINDS, **sets.SOUNDS, **sets.FAMILIES}
        return self.given.batch or (made[name][-1] if name in made else 256)

    @staticmethod
    def work_of(name):
        return name if name in FAMILIES else "images"

    # One run

    def run(self, contender, arguments, limit):
        """The JSON line of one process on the cores, or None with a line about why."""
        command = [self.environments.python(contender.environment)]
        command += [os.path.join(HERE, contender.program), *arguments]
        environment = dict(os.environ)
        environment["PEERS_HEADRACE_OPTIONS"] = " ".join(contender.options)
        environment["PEERS_HEADRACE_CONVERSION"] = " ".join(contender.conversion)
        environment["PYTHONPATH"] = os.pathsep.join(
            (HERE, os.path.join(HERE, os.path.dirname(contender.program)))
        )
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            start_new_session=True,
            preexec_fn=lambda: os.sched_setaffinity(0, self.cores),
        )
        try:
            out, err = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            out, err = "", "took more than %d s" % limit
        finally:
            # Workers that outlive their parent must not slow the next run.
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        lines = [line for line in out.splitlines() if line.startswith("{")]
        if not lines:
            said = (err.strip().splitlines() or ["no output"])[-1]
            say("%s %s: %s" % (contender.name, " ".join(arguments), said[:300]))
            return None
        result = json.loads(lines[-1])
        self.versions.update(result.pop("versions", {}))
        return result

    def arguments(self, contender, name, data, dtype, workers, seconds):
        found = ["--data", data, "--batch", str(self.batch(name)), "--dtype", dtype]
        found += ["--task", self.given.task, "--workers", str(workers), "--work", self.work_of(name)]
        found += ["--seconds", str(seconds), "--warm-up", str(self.given.warm_up)]
        if contender.container:
            prepared = os.path.join(self.work, "prepared", contender.name, self.mark(name, data))
            found += ["--prepared", prepared]
        return found

    @staticmethod
    def mark(name, data):
        """A folder's name that says which files, so that other files get another container."""
        import hashlib

        files = measure.files(data)
        text = "\n".join("%s %d" % (f, os.path.getsize(f)) for f in files)
        return name + "-" + hashlib.sha256(text.encode()).hexdigest()[:12]

    def limit(self, seconds):
        return 120 + 20 * (seconds + self.given.warm_up)

    # A set

    def images(self, name):
        """Checks, sweeps, then measures all contenders on one image folder."""
        data = self.folder(name)
        files = measure.files(data)
        size = sum(os.path.getsize(f) for f in files)
        say("%s: %d files, %.0f KB each" % (name, len(files), size / len(files) / 1e3))
        sound = files[0].lower().endswith(measure.SOUNDS)
        ready = self.contenders(SOUNDS if sound else IMAGES, name)
        for contender in [c for c in ready if c.container]:
            self.run(contender, [*self.arguments(contender, name, data, "uint8", 1, 1), "--prepare"], 900)
        if not self.given.no_check:
            ready = self.checked(ready, name, data, len(files), sound)
        if self.given.check:
            return []
        seconds = self.given.seconds
        if not self.given.cold:
            for path in files:
                with open(path, "rb") as file:
                    file.read()
        dtypes = self.dtypes(name, sound)

        def run(contender, dtype, workers, seconds):
            found = self.arguments(contender, name, data, dtype, workers, seconds)
            if self.given.cold:
                drop_pages([data, os.path.join(self.work, "prepared", contender.name)])
                found.append("--first")
            return self.run(contender, found, self.limit(seconds))

        workers = self.sweep(ready, lambda c, w, s: run(c, dtypes[0], w, s))
        cells = []
        for dtype in dtypes:
            runs = self.rounds(
                [c for c in ready if c.name in workers],
                lambda c: run(c, dtype, workers[c.name], seconds),
            )
            title = "%s (%d files, %.0f KB each), %s, %s, batch %d%s" % (
                os.path.basename(data.rstrip("/")) if name == "data" else name,
                len(files),
                size / len(files) / 1e3,
                self.given.task,
                "log-mel float32" if sound else "float32 CHW" if dtype == "float32" else "uint8 HWC",
                self.batch(name),
                ", first epoch, cold" if self.given.cold else "",
            )
            cells.append(self.cell("images", title, runs, workers))
        return cells

    def dtypes(self, name, sound):
        return ["float32"] if sound or name in FAMILIES else self.given.dtype.split(",")

    def checked(self, ready, name, data, count, sound):
        """The contenders that deliver what they should; the others are skipped."""
        edge = measure.DETECTION_EDGE if name == "detection" else measure.EDGE
        shape = {"uint8": [edge, edge, 3], "float32": [3, edge, edge]}
        if sound:
            columns = 1 + measure.RATE * measure.SECONDS // measure.HOP
            shape = {"float32": [columns, measure.BANDS]}
        for dtype in self.dtypes(name, sound):
            # Means of the whole centre agree; those of random crops scatter. Those of sounds are in
            # decibels. A family has no evaluation of its own.
            tasks = {"eval": 0.02 if sound else 2.0, "train": 8.0}
            for task in [t for t in tasks if t == "train" or name not in FAMILIES]:
                checks = {}
                for contender in ready:
                    found = self.arguments(contender, name, data, dtype, 2, 1)
                    found[found.index("--task") + 1] = task
                    checks[contender.name] = self.run(contender, [*found, "--check"], 900)
                expected = {"samples": count, "shape": shape[dtype], "dtype": dtype}
                faults = report.check_faults(checks, expected, tasks[task])
                for contender in ready:
                    got = checks[contender.name] or {}
                    wrong = "; ".join(faults[contender.name])
                    line = wrong or "%d samples, %s %s" % (count, dtype, got["shape"])
                    if got.get("mean"):
                        line += ", mean " + " ".join("%.1f" % m for m in got["mean"])
                    if got.get("boxes"):
                        line += ", %.2f boxes on %.0f %% each" % tuple(got["boxes"])
                    if "mean_by" in got:
                        line += " (mean by %s)" % got["mean_by"]
                    say("check %s %s %s: %s" % (contender.name, task, dtype, line))
                    if wrong:
                        self.skip(contender.name, "failed the check: " + wrong)
                ready = [c for c in ready if not faults[c.name]]
        return ready

    def records_of(self, name):
        """Measures the readers or the writers of one compression's records.

        With several numbers of --workers there is a table for each; what has one thread only stands
        in all of them.
        """
        what, _, compression = name.partition("-")
        if compression not in ALL_RECORDS:
            sys.exit("peers: set %s: expected one of %s" % (name, ", ".join(ALL_RECORDS)))
        write = what == "write"
        data = self.records("none" if write else compression)
        known = WRITERS if write else RECORDS
        ready = [c for c in self.contenders(known, name) if compression in c.compressions]

        def run(contender, workers, seconds):
            found = ["--data", data, "--compression", compression, "--workers", str(workers)]
            found += ["--seconds", str(seconds), "--warm-up", str(self.given.warm_up)]
            if write:
                target = os.path.join(self.work, "written", contender.name)
                shutil.rmtree(target, ignore_errors=True)
                found += ["--target", target]
            return self.run(contender, found, self.limit(seconds))

        # Builds the class outside of anything that is timed.
        subprocess.run([os.path.join(ROOT, "benchmark"), "RecordLoop"], check=True)
        cells = []
        for number in numbers(self.given.workers):
            single = set() if write else {c.name for c in ready if c.program in SINGLE}
            workers = {c.name: 1 if c.name in single else number for c in ready}
            runs = self.rounds(ready, lambda c: run(c, workers[c.name], self.given.seconds))
            good = [r for each in runs.values() for r in each if r]
            counts = sorted({r["pass"] for r in good})
            if len(counts) > 1:
                say("%s: they disagree on the number of records: %s" % (name, counts))
            title = "TFRecord, %s, %s records %s, %d worker%s" % (
                compression,
                ", ".join(str(c) for c in counts),
                "written" if write else "read, nothing decoded",
                number,
                "" if number == 1 else "s",
            )
            if write:
                stored = {n: r[0]["stored_bytes"] for n, r in runs.items() if r and r[0]}
                say("%s: bytes of the files: %s" % (name, stored))
            cells.append(self.cell("records", title, runs, workers))
        shutil.rmtree(os.path.join(self.work, "written"), ignore_errors=True)
        return cells

    # Measuring

    def sweep(self, ready, run):
        """The best number of workers of each, by one short run each."""
        best, choices = {}, numbers(self.given.workers)
        if len(choices) == 1:
            return {c.name: choices[0] for c in ready}
        rates = {}
        for workers in choices:
            for contender in ready:
                result = run(contender, workers, self.given.seconds / 2)
                if result:
                    rates.setdefault(contender.name, {})[workers] = result["samples_per_second"]
        for name, found in rates.items():
            best[name] = max(found, key=found.get)
            tried = ", ".join("%d: %s" % (w, report.figure(r)) for w, r in found.items())
            say("%s: workers %s; %d kept" % (name, tried, best[name]))
        return best

    def rounds(self, ready, run):
        """All in turn, as often as there are rounds; who begins moves on by one each."""
        runs = {c.name: [] for c in ready}
        for number in range(self.given.rounds):
            at = number % max(len(ready), 1)
            for contender in ready[at:] + ready[:at]:
                result = run(contender)
                runs[contender.name].append(result)
                rate = report.figure(result["samples_per_second"]) if result else "failed"
                say("round %d: %s %s/s" % (number + 1, contender.name, rate))
        return runs

    def cell(self, kind, title, runs, workers):
        cell = {"kind": kind, "title": title, "workers": workers, "runs": runs}
        cell["summary"] = report.summary(runs)
        heads, lines = report.rows_of(cell, self.labels, kind == "records")
        print(title + "\n" + report.table(heads, lines) + "\n", flush=True)
        return cell


def drop_pages(folders):
    """Asks the kernel to forget the pages of all files below the folders."""
    for folder in folders:
        for at, _, names in os.walk(folder):
            for name in names:
                with open(os.path.join(at, name), "rb") as file:
                    os.fsync(file.fileno())
                    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def machine(cores):
    def line(path, key):
        try:
            with open(path) as file:
                return next(x.partition(":")[2].strip() for x in file if x.startswith(key))
        except (OSError, StopIteration):
            return "unknown"

    return {
        "cpu": line("/proc/cpuinfo", "model name"),
        "cpus": os.cpu_count(),
        "cores": ",".join(str(c) for c in cores),
        "memory": "%.0f GiB" % (os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "load_before": os.getloadavg()[0],
    }


def commit():
    command = ["git", "-C", ROOT, "describe", "--always", "--dirty"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.stdout.strip() or "an unknown commit"


def main():
    given = options()
    if given.list:
        for what, all_of in (("images", IMAGES), ("sounds", SOUNDS), ("records", RECORDS), ("writers", WRITERS)):
            for c in all_of:
                print("%-8s %-13s %s" % (what, c.name, c.label))
        return
    bench = Bench(given)
    about = machine(bench.cores)
    if about["load_before"] > 1:
        say("load is %.1f: others use this machine, so trust ratios alone" % about["load_before"])
    # Builds it once, outside of anything that is timed.
    headrace = os.path.join(ROOT, "headrace")
    subprocess.run([headrace, "--version"], check=True, stdout=subprocess.DEVNULL)
    cells = []
    for name in (given.sets or ("data" if given.data else "photos")).split(","):
        of_records = name.startswith(("records-", "write-"))
        cells += bench.records_of(name) if of_records else bench.images(name)
    if given.check:
        sys.exit(1 if any("failed the check" in why for why in bench.skipped.values()) else 0)
    about["load_after"] = os.getloadavg()[0]
    result = {
        "date": time.strftime("%Y-%m-%d"),
        "command": "./benchmark peers " + " ".join(map(shlex.quote, sys.argv[1:])),
        "commit": commit(),
        "machine": about,
        "versions": bench.versions,
        "labels": bench.labels,
        "skipped": bench.skipped,
        "cells": cells,
    }
    text, mark = report.document(result)
    out = given.out or os.path.join(bench.work, "result")
    os.makedirs(out, exist_ok=True)
    with open(os.path.join(out, "peers.json"), "w") as file:
        json.dump(result, file, indent=1)
    with open(os.path.join(out, "peers.md"), "w") as file:
        file.write(mark)
    print(text)
    say("written: %s/peers.json, peers.md" % out)


if __name__ == "__main__":
    main()
