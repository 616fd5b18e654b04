# SPDX-License-Identifier: Apache-2.0
"""Decodes public test files and compares with other decoders: the second half of `./test --suites`.

    suites.py make CACHE PHOTOS     makes the suites that no package carries, with flac and avifenc
    suites.py list CACHE LIST       writes the files to decode, as Suites.java reads them
    suites.py compare LIST LINES RAW [JSON]
                                    compares what Suites.java printed (LINES) and wrote (folder RAW)

The other decoders are Pillow for pictures and FFmpeg (PyAV) for sounds. Prints counts by suite;
every file is right, refused as expected (EXPECTED below says why), read where the other decoder
fails or is off (OTHERS says why), or wrong, which is printed and makes the exit code 1.
"""

import fnmatch
import json
import os
import struct
import subprocess
import sys
from pathlib import Path

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".avif", ".bmp", ".dib", ".pbm", ".pgm", ".ppm", ".pnm")
SOUNDS = (".flac", ".mp3", ".wav", ".ogg", ".oga", ".opus")

# Name of a suite: the folders of the cache that belong to it, the first that fits counts.
SUITES = {
    "PngSuite (libpng)": ["libpng1.6/*/contrib/pngsuite/*"],
    "libpng's other test pictures": ["libpng1.6/*"],
    "bmpsuite (Pillow)": ["pillow/*/Tests/images/bmp/*.bmp"],
    "EXIF orientations (Pillow)": ["pillow/*/hopper_orientation_*"],
    "APNG (Pillow)": ["pillow/*/Tests/images/apng/*"],
    "PNM (Pillow, Netpbm)": ["pillow/*.p[bgpn]m", "netpbm-free/*.p[bgpn]m"],
    "Pillow's other test pictures": ["pillow/*/Tests/images/*"],
    "Go's x/image": ["golang-golang-x-image/*"],
    "libjpeg-turbo, jpeg-decoder, Netpbm": ["libjpeg-turbo/*", "jpeg-decoder/*", "netpbm-free/*"],
    "libwebp": ["libwebp/*"],
    "libavif": ["libavif-sys/*"],
    "AVIF made by avifenc": ["avif-made/*"],
    "FLAC: claxon, flac": ["claxon/*", "flac/*"],
    "FLAC of 4 to 32 bits, made by flac": ["flac-made/*"],
    "WAV: hound, sox": ["hound/*", "sox/*"],
    "TagLib, mpg123": ["taglib/*", "mpg123/*"],
}

# What Headrace refuses and is right to: path in the cache, faults, reason. A file that is listed and
# decodes, or fails with another fault, is wrong.
OUTCOMES = ("right", "refused", "other", "wrong")

EXPECTED = [
    # Pictures.
    ("libpng1.6/*/crashers/bad*", "CORRUPT", "made to be damaged"),
    ("libpng1.6/*/crashers/huge_*", "TRUNCATED", "chunks that say more bytes than there are"),
    ("pillow/*/apng/syntax_num_frames_zero.png", "CORRUPT", "made to be damaged"),
    ("pillow/*/bmp/b/*", "CORRUPT TRUNCATED UNSUPPORTED MISMATCH LIMIT", "bmpsuite's bad files"),
    ("pillow/*/bmp/q/rgb24jpeg.bmp", "UNSUPPORTED", "a JPEG in a BMP, meant for printers"),
    ("pillow/*/bmp/q/rgb24png.bmp", "UNSUPPORTED", "a PNG in a BMP, meant for printers"),
    ("pillow/*/images/broken*.png", "CORRUPT", "made to be damaged"),
    ("pillow/*/images/clipboard.dib", "MISMATCH", "a BMP without the header of the file"),
    ("pillow/*/images/hopper_bad_exif.jpg", "CORRUPT", "a damaged scan, which Pillow shows as it is"),
    ("pillow/*/images/hopper_rle8_row_overflow.bmp", "CORRUPT", "runs that leave the picture"),
    ("pillow/*/images/l2rgb_read.bmp", "MISMATCH CORRUPT", "a fuzzer's file, no header that exists"),
    ("pillow/*/images/mmap_error.bmp", "CORRUPT", "pixels that start where the palette does"),
    ("pillow/*/images/pal8_offset.bmp", "CORRUPT", "pixels that start where the palette does"),
    ("pillow/*/images/negative_size.ppm", "MISMATCH CORRUPT", "no header of a PPM"),
    ("pillow/*/images/iss634.webp", "UNSUPPORTED", "animated"),
    ("pillow/*/images/truncated_image.png", "TRUNCATED", "cut"),
    ("pillow/*/images/truncated_jpeg.jpg", "TRUNCATED", "cut"),
    ("libjpeg-turbo/*/testorig12.jpg", "UNSUPPORTED", "12 bits a sample"),
    ("libavif-sys/*/animated_avif/*", "UNSUPPORTED", "animated"),
    ("netpbm-free/*/README.JPEG", "MISMATCH", "a text"),
    # Sounds.
    ("claxon/*/fuzz/*", "CORRUPT TRUNCATED MISMATCH LIMIT", "a fuzzer's files"),
    ("claxon/*/large_v*.flac", "TRUNCATED", "no sound, cut in its metadata"),
    ("hound/*/fuzz/*", "CORRUPT TRUNCATED", "a fuzzer's files"),
    ("taglib/*/ape*.mp3", "TRUNCATED", "cut to be small"),
    ("taglib/*/compressed_id3_frame.mp3", "TRUNCATED", "a tag without sound"),
    ("taglib/*/empty-seektable.flac", "TRUNCATED", "cut to be small"),
    ("taglib/*/excessive_alloc.mp3", "TRUNCATED", "a tag without sound"),
    ("taglib/*/garbage.mp3", "TRUNCATED", "cut to be small"),
    ("taglib/*/id3v22-tda.mp3", "TRUNCATED", "cut to be small"),
    ("taglib/*/invalid-frames3.mp3", "TRUNCATED", "cut to be small"),
    ("taglib/*/lame_?br.mp3", "TRUNCATED", "cut to be small"),
    ("taglib/*/lowercase-fields.ogg", "CORRUPT", "headers changed by hand; FFmpeg refuses it too"),
    ("taglib/*/mpeg2.mp3", "TRUNCATED", "cut to be small"),
    ("taglib/*/rare_frames.mp3", "TRUNCATED", "cut to be small"),
    ("taglib/*/segfault.*", "TRUNCATED UNSUPPORTED", "a fuzzer's files, no sound in them"),
    ("taglib/*/toc_many_children.mp3", "TRUNCATED", "cut to be small"),
    ("taglib/*/w000.mp3", "TRUNCATED", "a tag without sound"),
    ("taglib/*/xing.mp3", "TRUNCATED", "cut to be small"),
]

# What is read and is not what the other decoder has: path, the start of the words for it, reason.
OTHERS = [
    ("libpng1.6/*/empty_ancillary_chunks.png", "read, but the other", "no chunk that pixels need"),
    ("libpng1.6/*/pngtest.png", "shape (69, 91", "Pillow turns PNG by eXIf, Headrace does not"),
    ("pillow/*/exif_imagemagick_orientation.png", "off by", "Pillow turns PNG by its text"),
    ("pillow/*/xmp_tags_orientation*.png", "off by", "Pillow turns PNG by XMP"),
    ("pillow/*/apng/chunk_no_fctl.png", "read, but the other", "the still picture is whole"),
    ("pillow/*/png_decompression_dos.png", "read, but the other", "a text of 64 MB, passed over"),
    ("pillow/*/bmp/b/badpalettesize.bmp", "read, but the other", "more colours than 8 bits have"),
    ("pillow/*/bmp/q/rgba*", "off by 255", "the PNG beside it has no colour where all is clear"),
    ("taglib/*/empty*.o*", "shape (162496, 2), theirs (162368", "the last page says 162,496"),
    ("taglib/*/test.ogg", "shape (162496, 2), theirs (162368", "the last page says 162,496"),
    ("hound/*24bit-4byte*", "off by", "FFmpeg takes 24 bits in 4 bytes for something else"),
]

# Files of bmpsuite and the PNG, also in it, that shows what is right.
BMPSUITE = {
    "pal2": "pal2",
    "pal8os2v2-16": "pal8",
    "pal8oversizepal": "pal8",
    "rgb16": "rgb16",
    "rgb16-231": "rgb16-231",
    "rgb16-565": "rgb16-565",
    "rgb16-565pal": "rgb16-565",
    "rgb32-111110": "rgb24",
    "rgb32bf": "rgb24",
    "rgba16-4444": "rgba16-4444",
    "rgba32abf": "rgba32",
}


def suite_of(path):
    for name, patterns in SUITES.items():
        if any(fnmatch.fnmatch(path, pattern) for pattern in patterns):
            return name
    return None


def make(cache, photos):
    """FLAC of every width that flac takes, and AVIF of every layout of planes, depth and matrix."""
    folder = Path(cache) / "flac-made"
    folder.mkdir(exist_ok=True)
    wav = folder / "wav.tmp"
    for bits in range(4, 33):
        for channels in (1, 2, 6):
            wav.write_bytes(extensible(bits, channels, 3000))
            for level in (0, 8):
                out = folder / f"bits-{bits:02}-channels-{channels}-level-{level}.flac"
                command = ["flac", "-s", "-f", "--lax", f"-{level}", "-o", out, wav]
                subprocess.run(command, check=bits >= 8)
    wav.unlink()
    folder = Path(cache) / "avif-made"
    folder.mkdir(exist_ok=True)
    photo = sorted(Path(photos).rglob("*.jpg"))[0]
    small = folder / "png.tmp"
    from PIL import Image

    Image.open(photo).convert("RGB").resize((93, 61)).save(small, "PNG")
    for layout in (["444"], ["422"], ["420"], ["400"]):
        for depth in ("8", "10", "12"):
            for more in ([], ["-r", "limited"], ["--cicp", "1/13/1"], ["--irot", "1"], ["--imir", "0"]):
                words = "".join(more).replace("/", ".").replace("-", "")
                out = folder / f"yuv{layout[0]}-{depth}-{words or 'plain'}.avif"
                command = ["avifenc", "-s", "8", "-y", layout[0], "-d", depth, *more, small, out]
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    small.unlink()


def extensible(bits, channels, frames):
    """A WAV file of that many bits in the bytes they need: a wave, with noise in the lowest bits."""
    import math

    size = (bits + 7) // 8
    data = bytearray()
    for i in range(frames):
        for c in range(channels):
            wave = 0.7 * math.sin(i * 0.01 * (c + 1)) * (1 << (bits - 1))
            value = int(wave) + (i * 7919 + c * 104729) % 5 - 2
            value = max(-(1 << (bits - 1)), min((1 << (bits - 1)) - 1, value)) << (8 * size - bits)
            data += (value + 128 if size == 1 else value).to_bytes(size, "little", signed=size > 1)
    guid = bytes.fromhex("0100000000001000800000aa00389b71")
    form = struct.pack("<HHIIHH", 0xFFFE, channels, 48000, 48000 * channels * size, channels * size, 8 * size)
    form += struct.pack("<HHI", 22, bits, (1 << channels) - 1) + guid
    chunks = b"WAVEfmt " + struct.pack("<I", len(form)) + form
    chunks += b"data" + struct.pack("<I", len(data)) + bytes(data)
    return b"RIFF" + struct.pack("<I", len(chunks)) + chunks


def list_files(cache, out):
    lines = []
    for folder, _, names in os.walk(cache):
        for name in names:
            path = Path(folder) / name
            ext = path.suffix.lower()
            kind = "image" if ext in PICTURES else "sound" if ext in SOUNDS else None
            if kind and path.is_file() and suite_of(str(path.relative_to(cache))):
                lines.append(f"{kind}\t{path}")
    Path(out).write_text("".join(line + "\n" for line in sorted(lines)))
    print(f"{len(lines)} files")


def drawn(path):
    """The PNG that bmpsuite has beside a file that Pillow cannot read or rounds, else the file."""
    png = Path(path).parent.parent / "html" / (BMPSUITE.get(Path(path).stem, "none") + ".png")
    return png if png.is_file() else path


def picture(path):
    """(rgb, tolerance) as another decoder has it."""
    import numpy as np
    from PIL import Image, ImageOps

    Image.MAX_IMAGE_PIXELS = None
    with Image.open(drawn(path)) as image:
        image.load()
        tolerance = {"AVIF": 8, "JPEG": 1}.get(image.format, int(drawn(path) != path))
        image = ImageOps.exif_transpose(image)
        if image.mode.startswith("I"):  # 16 bits
            grey = np.asarray(image).astype(np.int64)
            rgb = np.repeat((grey * 255 + 32767)[..., None] // 65535, 3, axis=2)
            return rgb, 1
        if image.mode in ("P", "PA"):
            image = image.convert("RGBA")
        return np.asarray(image.convert("RGB")).astype(np.int64), tolerance


def sound(path):
    """(float32 [frames, channels], rate, tolerance) as another decoder has it."""
    import av
    import numpy as np

    with av.open(str(path)) as container:
        stream = container.streams.audio[0]
        rate = stream.rate
        parts = []
        for frame in container.decode(stream):
            data = frame.to_ndarray()
            channels = frame.layout.nb_channels
            if not frame.format.is_planar:
                data = data.reshape(-1, channels).T
            scale = {"u8": 128, "s16": 1 << 15, "s32": 1 << 31}.get(frame.format.packed.name)
            if scale:
                data = (data.astype(np.float64) - (128 if scale == 128 else 0)) / scale
            parts.append(data.T.astype(np.float32))
            rate = frame.sample_rate
        exact = stream.codec_context.name.startswith(("flac", "pcm"))
        return np.concatenate(parts) if parts else np.zeros((0, 1)), rate, 0 if exact else 1e-3


def difference(kind, path, shape, raw):
    """None if ours is what another decoder has, else what differs."""
    import numpy as np

    if kind == "image":
        theirs, tolerance = picture(path)
        ours = np.fromfile(raw, np.uint8).reshape(int(shape[0]), int(shape[1]), 3).astype(np.int64)
    else:
        theirs, rate, tolerance = sound(path)
        ours = np.fromfile(raw, np.float32).reshape(int(shape[2]), int(shape[1]))
        if rate != int(shape[0]):
            return f"{shape[0]} Hz, theirs {rate} Hz"
    if ours.shape != theirs.shape:
        return f"shape {ours.shape}, theirs {theirs.shape}"
    if not ours.size:
        return None
    gap = np.abs(ours - theirs)
    fits = gap.max() <= tolerance and (tolerance < 8 or gap.mean() <= 1.25)
    return None if fits else f"off by {gap.max():g}, {gap.mean():g} on average"


def compare(list_file, lines_file, raw, report=None):
    files = [line.split("\t") for line in Path(list_file).read_text().splitlines()]
    lines = [line.split("\t") for line in Path(lines_file).read_text().splitlines()]
    cache = os.path.commonpath([path for _, path in files])
    counts = {name: dict.fromkeys(OUTCOMES, 0) for name in SUITES}
    if len(lines) != len(files):
        print(f"{len(files)} files, {len(lines)} answers")
        return 1
    for number, ((kind, path), answer) in enumerate(zip(files, lines)):
        inside = os.path.relpath(path, cache)
        expected = [e for e in EXPECTED if fnmatch.fnmatch(inside, e[0])]
        other = [e[1] for e in OTHERS if fnmatch.fnmatch(inside, e[0])]
        if answer[0] == "ok" and expected and not any(e[0].endswith("/*") for e in expected):
            outcome, words = "wrong", f"read, expected {expected[0][1]} ({expected[0][2]})"
        elif answer[0] == "ok":
            raw_file = os.path.join(raw, f"{number}.raw")
            try:
                words = difference(kind, path, answer[1:], raw_file)
            except Exception as error:  # whatever the other decoder throws
                words = f"read, but the other decoder fails: {type(error).__name__}: {error}"
            outcome = "wrong" if words else "right"
            if words and other and words.startswith(other[0]):
                outcome = "other"
        else:
            fits = any(answer[0] in e[1].split() for e in expected)
            outcome, words = ("refused" if fits else "wrong"), ": ".join(answer)
        counts[suite_of(inside)][outcome] += 1
        if outcome == "wrong":
            print(f"WRONG  {inside}: {words}")
    counts["all"] = {key: sum(count[key] for count in counts.values()) for key in OUTCOMES}
    print(f"{'suite':<36} {'right':>6} {'refused as expected':>20} {'other decoder off':>18} {'wrong':>6}")
    for name, count in counts.items():
        right, refused, other, wrong = (count[key] for key in OUTCOMES)
        print(f"{name:<36} {right:>6} {refused:>20} {other:>18} {wrong:>6}")
    empty = [name for name, count in counts.items() if not sum(count.values())]
    if empty:
        print("no files of: " + ", ".join(empty))
    if report:
        Path(report).write_text(json.dumps(counts, indent=1) + "\n")
    return 1 if counts["all"]["wrong"] or empty else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["make"]:
        make(*sys.argv[2:])
    elif sys.argv[1:2] == ["list"]:
        list_files(*sys.argv[2:])
    elif sys.argv[1:2] == ["compare"]:
        sys.exit(compare(*sys.argv[2:]))
    else:
        sys.exit(__doc__)
