# SPDX-License-Identifier: Apache-2.0
"""Headrace: `headrace load`, epochs in one process, its own clock. The first epochs are discarded.

PEERS_HEADRACE_OPTIONS are options of `load`; with PEERS_HEADRACE_CONVERSION it reads what
`headrace convert` makes of the files with these options.
"""

import json
import math
import os
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))
sys.path.insert(0, os.path.join(ROOT, "bench/peers"))

from measure import BANDS, DETECTION_EDGE, EDGE, FFT, HOP, JITTER, RATE, SECONDS, arguments

TRAIN = "random_resized_crop=224,flip"
EVAL = "resize_shorter=256,center_crop=224"
VALUES = "normalize=imagenet,float32,chw"
PIPELINES = {
    "simclr": "views=2,%s,color_jitter=%s:p=0.8,grayscale=0.2,gaussian_blur=23:sigma=0.1-2:p=0.5"
    % (TRAIN, ":".join(map(str, JITTER))),
    "detection": "random_iou_crop,resize=%dx%d,flip" % (DETECTION_EDGE, DETECTION_EDGE),
    "recipe": TRAIN + ",trivial_augment",
}
PAIR = "%s=instances.json"
FIELDS = "bbox:boxes-xywh,category"


def steps(job):
    """The pipeline of a job."""
    if job.sound:
        length = "random_crop=%d" if job.train else "pad_or_trim=%d"
        mel = "log_mel=torchaudio:n_fft=%d:hop_length=%d:n_mels=%d" % (FFT, HOP, BANDS)
        return "mono,resample=%d,%s,%s" % (RATE, length % SECONDS, mel)
    tail = ",%s" % VALUES if job.float else ",uint8,hwc"
    tail += ",random_erasing" if job.work == "recipe" else ""
    return PIPELINES.get(job.work, TRAIN if job.train else EVAL) + tail


OPTIONS = os.environ.get("PEERS_HEADRACE_OPTIONS", "").split()
CONVERSION = os.environ.get("PEERS_HEADRACE_CONVERSION", "").split()


def headrace(*arguments):
    """What the command prints."""
    command = [os.path.join(ROOT, "headrace"), *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def dataset(job):
    """What is loaded: the files, or what a conversion makes of them the first time.

    Until all is written the target is not a dataset, and the same command takes a conversion that was
    cut off up again.
    """
    if job.work == "detection":
        return os.path.dirname(job.data)
    if not CONVERSION:
        return job.data
    target = os.path.join(job.prepared, "race")
    if not os.path.exists(os.path.join(target, "dataset.json")):
        os.makedirs(job.prepared, exist_ok=True)
        headrace("convert", job.data, target, *CONVERSION)
    return target


def fields(job):
    """Options for what comes beside the pictures."""
    if job.work != "detection":
        return ()
    return ("--pair", PAIR % os.path.basename(job.data), "--fields", FIELDS)


def load(job, *how_long):
    """The epochs' reports."""
    return json.loads(
        headrace(
            "load",
            dataset(job),
            "--json",
            "--no-digest",
            *how_long,
            *("--batch", str(job.batch)),
            *("--threads", str(job.workers)),
            *("--pipeline", steps(job)),
            *fields(job),
            *OPTIONS,
        )
    )


def rates(reports):
    """For consecutive epochs, with what is between them: one may begin before another ends."""
    samples = sum(r["delivered"] for r in reports)
    seconds = reports[-1]["began"] + reports[-1]["seconds"] - reports[0]["began"]
    cpu = sum(stage["cpu_seconds"] for r in reports for stage in r["stages"].values())
    return {
        "samples": samples,
        "seconds": round(seconds, 3),
        "samples_per_second": round(samples / seconds, 2),
        "cpu_ms_per_sample": round(cpu * 1e3 / samples, 3),
    }


def timed(job):
    """Epochs that began after the warm-up, and after the first one, in one process."""
    reports = load(job, "--seconds", str(job.warm_up + job.seconds))
    warm = [r for r in reports[1:] if r["began"] - reports[0]["began"] >= job.warm_up]
    return rates(warm or reports[-1:])


def first(job):
    return rates(load(job, "--epochs", "1"))


def pixel_mean(job):
    """Channel means of the centre crops of what Headrace's decoder and resampler make.

    `headrace load` prints no pixels, so these go through `headrace convert` to PPM files; of random
    crops there is no mean.
    """
    totals, count = [0, 0, 0], 0
    with tempfile.TemporaryDirectory() as work:
        target = os.path.join(work, "ppm")
        resize = ("--encoding", "ppm", "--resize", "shortest=256")
        headrace("convert", job.data, target, "--format", "folder", *resize)
        for folder, _, names in os.walk(target):
            for name in (n for n in names if n.endswith(".ppm")):
                with open(os.path.join(folder, name), "rb") as file:
                    magic, width, height, top = (file.read(2), *_numbers(file, 3))
                    pixels = file.read()
                assert magic == b"P6" and top == 255, name
                y, x = round((height - EDGE) / 2), round((width - EDGE) / 2)
                for row in range(y, y + EDGE):
                    line = pixels[3 * (row * width + x) : 3 * (row * width + x + EDGE)]
                    totals = [t + sum(line[c::3]) for c, t in enumerate(totals)]
                count += 1
    return [round(t / (count * EDGE * EDGE), 3) for t in totals]


def _numbers(file, how_many):
    """Decimal numbers of a PPM's header, up to the one blank after the last."""
    found, word = [], b""
    while len(found) < how_many:
        byte = file.read(1)
        if byte.isspace():
            found += [int(word)] if word else []
            word = b""
        elif byte == b"#":
            file.readline()
        else:
            word += byte
    return found


def check(job):
    """Counts as the engine verified them, shape by the bytes that left the last stage."""
    report = load(job, "--epochs", "1")[0]
    each = report["stages"]["transform"]["bytes"] / report["delivered"]
    unseen = job.train or job.sound or "--exact" not in OPTIONS
    edge = DETECTION_EDGE if job.work == "detection" else EDGE
    shape = [1 + RATE * SECONDS // HOP, BANDS] if job.sound else [edge, edge, 3]
    if job.float and not job.sound:
        shape = [3, edge, edge]
    numbers = (2 if job.work == "simclr" else 1) * math.prod(shape)
    dtype = {numbers: "uint8", 4 * numbers: "float32"}.get(each)
    return {
        "samples": report["delivered"],
        "distinct": report["delivered"] if report["verified"] else 0,
        "shape": shape if dtype else [each],
        "dtype": dtype,
        "mean": None if unseen else pixel_mean(job),
        "mean_by": "none: load prints no pixels" if unseen else "headrace convert, not load",
    }


if __name__ == "__main__":
    job = arguments(__doc__)
    dataset(job)
    result = {} if job.prepare else (check if job.check else first if job.first else timed)(job)
    result["versions"] = {"headrace": headrace("--version").split()[-1]}
    print(json.dumps(result))
