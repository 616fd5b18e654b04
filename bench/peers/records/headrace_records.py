# SPDX-License-Identifier: Apache-2.0
"""Headrace's record reader and writer: the bench module's RecordLoop, workers are threads.

The JVM is started with the flags of ./headrace; `./benchmark` builds the class if it is needed.
"""

import json
import os
import subprocess

import record_loop

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))


def printed(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def main():
    job = record_loop.arguments(__doc__)
    what = ["read", job.data]
    if job.target:
        deflate = job.compression in ("gzip", "zlib")
        level = ":level=%d" % record_loop.ZLIB_LEVEL if deflate else ""
        what = ["write", job.data, job.compression + level, job.target]
    numbers = [str(x) for x in (job.workers, job.seconds, job.warm_up)]
    line = json.loads(printed(os.path.join(ROOT, "benchmark"), "RecordLoop", *what, *numbers))
    version = printed(os.path.join(ROOT, "headrace"), "--version").split()[-1]
    line["versions"] = {"headrace": version}
    print(json.dumps(line))


if __name__ == "__main__":
    main()
