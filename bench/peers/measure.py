# SPDX-License-Identifier: Apache-2.0
"""What all loaders of bench/peers share: command line, files, timing, self-check, the JSON line.

A loader is a function `batches(job)`, an endless iterator over (images, keys): images is one array
[n, 224, 224, 3] uint8 or [n, 3, 224, 224] float32, keys name its samples. Work that gives more than
that has a tuple of arrays there: two views; pictures, boxes (left, top, right, bottom), classes and
how many. With `job.once` it ends after one epoch, short last batch included.
`run(batches, versions)` does the rest.
"""

import argparse
import json
import os
import random
import sys
import time

EDGE = 224
SHORTER = 256
MEAN = (0.485, 0.456, 0.406)
STD = (0.229, 0.224, 0.225)
SUFFIXES = (".jpg", ".jpeg", ".png")
SOUNDS = (".wav", ".flac", ".mp3")

# What is done to samples, other than to train on pictures or to evaluate: how a set of that name is
# loaded. "sound" is what is done to all sounds.
WORK = ("images", "simclr", "detection", "recipe", "sound")

# Of SimCLR: changes of brightness, contrast, saturation and hue.
JITTER = (0.8, 0.8, 0.8, 0.2)

# Of SSD: height and width.
DETECTION_EDGE = 300

# What becomes of a sound: two seconds at 16 kHz, 80 mel bands in decibels, [columns, bands].
RATE = 16000
SECONDS = 2
FFT = 400
HOP = 160
BANDS = 80


def arguments(description):
    """The command line of every loader."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", required=True, help="images or sounds, ROOT/CLASS/NAME.ext")
    parser.add_argument("--prepared", help="folder for the loader's own container, made if missing")
    parser.add_argument("--work", choices=WORK, default="images")
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--dtype", choices=("uint8", "float32"), default="uint8")
    parser.add_argument("--task", choices=("train", "eval"), default="train")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=10, help="timed, after the warm-up")
    parser.add_argument("--warm-up", type=float, default=3, help="seconds at least, whole epochs")
    parser.add_argument("--prepare", action="store_true", help="only make the container")
    parser.add_argument("--check", action="store_true", help="one epoch: count, shape, dtype, mean")
    parser.add_argument("--first", action="store_true", help="time the first epoch, start included")
    job = parser.parse_args()
    job.once = job.check or job.first
    job.train = job.task == "train"
    job.float = job.dtype == "float32"
    job.files = files(job.data)
    if not job.files:
        sys.exit("%s: no JPEG or PNG in a folder of class folders, and no sound" % job.data)
    job.sound = job.files[0].lower().endswith(SOUNDS)
    job.work = "sound" if job.sound else job.work
    return job


def annotations(job):
    """{path: ([[left, top, right, bottom]], [class])} of the file instances.json beside the folder."""
    with open(os.path.join(os.path.dirname(job.data), "instances.json")) as file:
        given = json.load(file)
    paths = {p["id"]: os.path.join(job.data, p["file_name"]) for p in given["images"]}
    found = {path: ([], []) for path in paths.values()}
    for each in given["annotations"]:
        left, top, width, height = each["bbox"]
        boxes, classes = found[paths[each["image_id"]]]
        boxes.append([left, top, left + width, top + height])
        classes.append(each["category_id"])
    return found


def files(root):
    """All images of ROOT/CLASS/NAME.ext, sorted; else all sounds of it, or of ROOT itself."""
    folders = [e.path for e in os.scandir(root) if e.is_dir()]
    for suffixes, places in ((SUFFIXES, folders), (SOUNDS, folders), (SOUNDS, [root])):
        found = [e.path for f in places for e in os.scandir(f) if e.name.lower().endswith(suffixes)]
        if found:
            return sorted(found)
    return []


def crop_box(width, height, draw=random):
    """Left, top, width, height as torchvision's RandomResizedCrop.get_params draws them."""
    for _ in range(10):
        area = width * height * draw.uniform(0.08, 1.0)
        aspect = 0.75 * (4 / 3 / 0.75) ** draw.random()
        w = round((area * aspect) ** 0.5)
        h = round((area / aspect) ** 0.5)
        if 0 < w <= width and 0 < h <= height:
            return draw.randint(0, width - w), draw.randint(0, height - h), w, h
    w, h = width, height
    if width / height < 0.75:
        h = round(width / 0.75)
    elif width / height > 4 / 3:
        w = round(height * 4 / 3)
    return (width - w) // 2, (height - h) // 2, w, h


def shorter_side(width, height):
    """Width and height with the shorter side at 256, the other truncated as torchvision does."""
    if width <= height:
        return SHORTER, int(SHORTER * height / width)
    return int(SHORTER * width / height), SHORTER


def normalised(images):
    """uint8 [n, 224, 224, 3] as float32 [n, 3, 224, 224], by NumPy."""
    import numpy

    scale = (1 / (255 * numpy.array(STD))).astype(numpy.float32)
    shift = (-numpy.array(MEAN) / numpy.array(STD)).astype(numpy.float32)
    out = numpy.empty((len(images), 3) + images.shape[1:3], numpy.float32)
    numpy.multiply(images.transpose(0, 3, 1, 2), scale[:, None, None], out=out)
    out += shift[:, None, None]
    return out


def cpu_seconds():
    """CPU time of this process and of all its living descendants."""
    tick = os.sysconf("SC_CLK_TCK")
    parent, spent = {}, {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open("/proc/%s/stat" % name) as stat:
                    fields = stat.read().rpartition(")")[2].split()
            except OSError:
                continue  # ended meanwhile
            parent[int(name)] = int(fields[1])
            # user and system time, also of children that ended
            spent[int(name)] = sum(int(x) for x in fields[11:15]) / tick
    total = 0.0
    for pid, seconds in spent.items():
        up = pid
        while up not in (0, os.getpid()):
            up = parent.get(up, 0)
        if up:
            total += seconds
    return total


def mel_filters():
    """float32 [201, 80]: `torchaudio.functional.melscale_fbanks` with its defaults, by NumPy."""
    import numpy

    def mel(hertz):
        return 2595 * numpy.log10(1 + hertz / 700)

    hertz = numpy.linspace(0, RATE / 2, FFT // 2 + 1)
    edges = 700 * (10 ** (numpy.linspace(0, mel(RATE / 2), BANDS + 2) / 2595) - 1)
    up = (hertz[:, None] - edges[:-2]) / (edges[1:-1] - edges[:-2])
    down = (edges[2:] - hertz[:, None]) / (edges[2:] - edges[1:-1])
    return numpy.maximum(0, numpy.minimum(up, down)).astype(numpy.float32)


def sinc_filter(old, new):
    """The kernel of `torchaudio.functional.resample` with its defaults: float32 [taps, 1, phases],
    the samples to put before a sound, and rates without what they have in common."""
    import math

    import numpy

    common = math.gcd(old, new)
    old, new = old // common, new // common
    base = min(old, new) * 0.99
    width = math.ceil(6 * old / base)
    index = numpy.arange(-width, width + old) / old
    t = (index[None] - numpy.arange(new)[:, None] / new) * base
    t = t.clip(-6, 6)
    kernel = numpy.sinc(t) * numpy.cos(t * math.pi / 12) ** 2 * (base / old)
    return kernel.T[:, None].astype(numpy.float32), width, old, new


def arrays(images):
    """The arrays of a batch, the first of them with an entry for each sample."""
    return images if isinstance(images, tuple) else (images,)


def _touch(images):
    """Takes a value of the batch, so that it must be there; says how many samples it has."""
    for each in arrays(images):
        each[-1:].reshape(-1)[-1:].tolist()
    return len(arrays(images)[0])


def timed(batches, job):
    """Samples a second once warm: whole epochs are discarded until both limits are over."""
    source = batches(job)
    begin = time.perf_counter()
    seen = 0
    while seen < len(job.files) or time.perf_counter() - begin < job.warm_up:
        seen += _touch(next(source)[0])
    samples = count = 0
    cpu, begin = cpu_seconds(), time.perf_counter()
    while time.perf_counter() - begin < job.seconds or count < 4:
        samples += _touch(next(source)[0])
        count += 1
    seconds = time.perf_counter() - begin
    return _rates(samples, seconds, cpu_seconds() - cpu)


def first(batches, job):
    """The first epoch of a process, from asking for its first batch on."""
    cpu, begin = cpu_seconds(), time.perf_counter()
    samples = sum(_touch(images) for images, _ in batches(job))
    seconds = time.perf_counter() - begin
    return _rates(samples, seconds, cpu_seconds() - cpu)


def _rates(samples, seconds, cpu):
    return {
        "samples": samples,
        "seconds": round(seconds, 3),
        "samples_per_second": round(samples / seconds, 2),
        "cpu_ms_per_sample": round(cpu * 1e3 / samples, 3),
    }


def check(batches, job):
    """What one epoch delivers. The mean is by channel, on the scale of bytes, over all views.

    Of boxes: how many with an area there are for each sample, and what they cover, in per cent.
    """
    import numpy

    count, keys, total, boxes = 0, set(), numpy.zeros(3), numpy.zeros(2)
    shape = dtype = None
    axes = (0, 1) if job.sound else (0, 2, 3) if job.float else (0, 1, 2)
    for data, names in batches(job):
        images, *more = map(numpy.asarray, arrays(data))
        count += len(images)
        keys.update(str(name) for name in names)
        shape, dtype = images.shape[1:], images.dtype.name
        views = [images, *more] if job.work == "simclr" else [images]
        if any(view.shape != images.shape or view.dtype != images.dtype for view in views):
            shape = [list(view.shape) for view in views]
        if len(views) > 1 and (views[0] == views[1]).all():
            sys.exit("the two views are the same")
        mean = sum(view.mean(axes, dtype=numpy.float64) for view in views) / len(views)
        if job.sound:  # of the low, the middle and the high bands, in decibels
            mean = numpy.array([part.mean() for part in numpy.array_split(mean, 3)])
        total += mean * len(images)
        if job.work == "detection":
            edges = more[0].reshape(-1, 4)
            sides = edges[:, 2:] - edges[:, :2]
            areas = sides.prod(1)[(sides >= 1).all(1)]
            boxes += len(areas), 100 * areas.sum() / DETECTION_EDGE**2
    mean = total / max(count, 1)
    if job.float and not job.sound:
        mean = (mean * numpy.array(STD) + numpy.array(MEAN)) * 255
    result = {
        "samples": count,
        "distinct": len(keys),
        "shape": list(shape or ()),
        "dtype": dtype,
        "mean": [round(float(m), 3) for m in mean],
    }
    if job.work == "detection":
        result["boxes"] = [round(float(b) / max(count, 1), 3) for b in boxes]
    return result


def versions(*packages):
    """Name and version of the packages, as installed."""
    from importlib.metadata import version

    return {package: version(package) for package in packages}


def run(description, batches, packages, prepare=None):
    """The whole of a loader's main program: prints one JSON line."""
    job = arguments(description)
    random.seed(1)
    if prepare and not os.path.exists(os.path.join(job.prepared, "ready")):
        os.makedirs(job.prepared, exist_ok=True)
        prepare(job)
        open(os.path.join(job.prepared, "ready"), "w").close()
    if job.prepare:
        result = {}
    else:
        result = (check if job.check else first if job.first else timed)(batches, job)
    result["versions"] = versions(*(packages(job) if callable(packages) else packages))
    print(json.dumps(result), flush=True)
    # Worker processes and threads of some loaders outlive their iterator: leave without waiting.
    sys.stderr.flush()
    os._exit(0)
