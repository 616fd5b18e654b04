# SPDX-License-Identifier: Apache-2.0
"""Makes folders of sounds, and image folders of larger photos out of small ones: `sets.py KIND SOURCE TARGET [COUNT]`.

Small photos cannot be enlarged to large ones: nothing would be left for a decoder to do. So a large
photo is a grid of different small ones, each scaled to about its own size, which has as many bits a
pixel as the photos have. The same source and Pillow give the same bytes.
"""

import argparse
import json
import os
import random
import shutil

# Width, height, columns and rows of the grid, quality (None: PNG), how many, samples in a batch.
KINDS = {
    "500": (500, 375, 1, 1, 98, 512, 256),
    "444": (500, 375, 1, 1, 96, 512, 256),  # as most photos of ImageNet are
    "3mp": (2048, 1536, 4, 4, 90, 96, 64),
    "12mp": (4000, 3000, 8, 8, 90, 32, 16),
    "png": (500, 375, 1, 1, None, 256, 128),
    "png3mp": (2048, 1536, 4, 4, None, 64, 32),
}

# Chroma subsampling as Pillow takes it, where it is not its default, 4:2:0.
SUBSAMPLINGS = {"444": "4:4:4"}


# Sounds: frames a second, what `headrace convert` makes of the WAV files, how many, samples in a batch.
SOUNDS = {
    "sound": (16000, None, 192, 64),
    "sound-flac": (16000, "flac:5", 192, 64),
    "sound-mp3": (48000, "mp3:64", 96, 32),
}


# What is done to which set, and samples in a batch: families of training pipelines. All but the last
# may be of --data instead.
FAMILIES = {
    "simclr": ("photos", 64),
    "detection": ("boxes", 64),
    "recipe": ("photos", 64),
    "speech": ("sound-mp3", 32),
}


def boxes(source, target):
    """A folder of photos, and one to eight boxes for each in the form of COCO's annotations."""
    from PIL import Image

    draw, work = random.Random("boxes"), target + ".making"
    shutil.rmtree(work, ignore_errors=True)
    pictures, annotations = [], []
    for number, path in enumerate(photos(source)):
        name = os.path.relpath(path, source)
        os.makedirs(os.path.dirname(os.path.join(work, "photos", name)), exist_ok=True)
        shutil.copyfile(path, os.path.join(work, "photos", name))
        with Image.open(path) as photo:
            width, height = photo.size
        pictures.append({"id": number, "file_name": name, "width": width, "height": height})
        for _ in range(draw.randint(1, 8)):
            w, h = (round(side * draw.uniform(0.1, 0.6), 2) for side in (width, height))
            left, top = round(draw.uniform(0, width - w), 2), round(draw.uniform(0, height - h), 2)
            found = {"id": len(annotations), "image_id": number, "iscrowd": 0, "area": w * h}
            found.update(category_id=draw.randint(1, 80), bbox=[left, top, w, h])
            annotations.append(found)
    kinds = [{"id": number, "name": "kind %d" % number} for number in range(1, 81)]
    with open(os.path.join(work, "instances.json"), "w") as file:
        json.dump({"images": pictures, "annotations": annotations, "categories": kinds}, file)
    os.rename(work, target)


def tone(rate, draw):
    """A voice-like buzz of two to six seconds: harmonics of a gliding pitch in syllables, and hiss."""
    import array
    import math

    count = int(rate * draw.uniform(2, 6))
    pitch, glide = draw.uniform(90, 240), draw.uniform(-0.2, 0.2)
    strengths = [draw.random() / (k + 1) for k in range(8)]
    rhythm = draw.uniform(2, 5)
    period = 4096  # of a table with one period of all the harmonics
    table = [
        sum(a * math.sin(2 * math.pi * (k + 1) * i / period) for k, a in enumerate(strengths))
        for i in range(period)
    ]
    samples, phase = array.array("h"), 0.0
    for i in range(count):
        phase += pitch * (1 + glide * i / count) / rate
        loud = max(0.0, math.sin(2 * math.pi * rhythm * i / rate)) * 5000
        samples.append(int(loud * table[int(phase * period) % period]) + draw.randint(-60, 60))
    return samples


def sounds(kind, headrace, target):
    """A folder of sounds in four classes, encoded by `headrace convert` where it is not a WAV file."""
    import subprocess
    import wave

    rate, encoding, count, _ = SOUNDS[kind]
    draw, work = random.Random(kind), target + ".making"
    shutil.rmtree(work, ignore_errors=True)
    for number in range(count):
        folder = os.path.join(work, "class-%d" % (number % 4))
        os.makedirs(folder, exist_ok=True)
        with wave.open(os.path.join(folder, "%05d.wav" % number), "wb") as file:
            file.setparams((1, 2, rate, 0, "NONE", ""))
            file.writeframes(tone(rate, draw).tobytes())
    if not encoding:
        os.rename(work, target)
        return
    command = [headrace, "convert", work, target, "--format", "folder", "--encoding", encoding]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(work)


def photos(source):
    found = []
    for folder, _, names in os.walk(source):
        found += [os.path.join(folder, n) for n in names if n.lower().endswith((".jpg", ".jpeg"))]
    return sorted(found)


def picture(files, kind, draw):
    from PIL import Image  # here, since peers.py imports this file for KINDS alone

    width, height, columns, rows = KINDS[kind][:4]
    canvas = Image.new("RGB", (width, height))
    tile = (-(-width // columns), -(-height // rows))
    for at in range(columns * rows):
        with Image.open(draw.choice(files)) as photo:
            photo = photo.convert("RGB")
        # The largest middle part of the tile's shape, a little off the middle.
        scale = min(photo.width / tile[0], photo.height / tile[1]) * draw.uniform(0.9, 1.0)
        w, h = int(tile[0] * scale), int(tile[1] * scale)
        left = draw.randint(0, photo.width - w)
        top = draw.randint(0, photo.height - h)
        part = photo.crop((left, top, left + w, top + h)).resize(tile, Image.Resampling.LANCZOS)
        canvas.paste(part, (at % columns * tile[0], at // columns * tile[1]))
    return canvas


def make(kind, source, target, count=None):
    files, draw = photos(source), random.Random(kind)
    quality, count = KINDS[kind][4], count or KINDS[kind][5]
    work = target + ".making"
    shutil.rmtree(work, ignore_errors=True)
    for number in range(count):
        folder = os.path.join(work, "class-%d" % (number % 4))
        os.makedirs(folder, exist_ok=True)
        name = os.path.join(folder, "%05d.%s" % (number, "jpg" if quality else "png"))
        image = picture(files, kind, draw)
        if quality:
            image.save(name, quality=quality, subsampling=SUBSAMPLINGS.get(kind, "4:2:0"))
        else:
            image.save(name)
    os.rename(work, target)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=[*KINDS, "boxes"])
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("count", type=int, nargs="?")
    made = parser.parse_args()
    if made.kind == "boxes":
        boxes(made.source, made.target)
    else:
        make(made.kind, made.source, made.target, made.count)
