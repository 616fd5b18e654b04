#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads and writes TFRecord files with TensorFlow, to compare Headrace with it.

`./test --peers` uses it. It needs Python 3.11 or later, and TensorFlow for read and write:

    python3 -m venv build/peers
    build/peers/bin/pip install -r python/tools/requirements-peers.txt

Uses:

    peers_tfrecord.py read --compression NONE|ZLIB|GZIP --json OUT FILE...
        Reads TFRecord files with tf.data.TFRecordDataset and describes every record.

    peers_tfrecord.py write --compression NONE|ZLIB|GZIP --out FILE --json OUT IMAGEDIR
        Writes the image folder IMAGEDIR (IMAGEDIR/class/name.jpg, also .jpeg and .png) as one
        TFRecord file of tf.train.Example, and describes every record. Classes are numbered
        from 0 in the order of their names, files follow in the order of theirs; names are
        ordered by their UTF-8 bytes. A class without images has its number too. Hidden files
        and folders, other files and whatever lies deeper are left out.

    peers_tfrecord.py compare A.json B.json
        Compares two descriptions: the number of files and, file by file in order, their
        records. Names of files do not matter. An "image" is compared where both have one, and
        of it the members that both have.

Exit status: 0 fine; 1 mismatch, or a file whose content is no intact TFRecord file of that
compression; 2 usage, which includes files that are missing or cannot be read or written.
(What TensorFlow lets pass is passed here: up to 11 stray bytes at the end of a file, a
compressed file without its checksum, anything after the first ZLIB stream.)

The description, in JSON:

    {"by": "tensorflow 2.21.0", "compression": "ZLIB",
     "files": [{"file": "a.tfrecord",
                "records": [{"length": 1044, "sha256": "c022...",
                             "image": {"shape": [24, 32, 3], "label": 1, "filename": "x.jpg"}}]}]}

"image" is there where the record parses as a tf.train.Example that has one value in
image/encoded. Its "shape" is that of tf.io.decode_image (height, width, channels) or null with
an "error" beside it; "label" (image/class/label) and "filename" (image/filename) are null where
the Example has none.

The features that write gives to an Example: image/encoded, image/format (jpeg or png),
image/class/label, image/class/text, image/height, image/width, image/channels,
image/colorspace (RGB, Grayscale, RGBA or GrayscaleAlpha), image/filename (without the class;
with --filename relative: class/name.jpg).

Zstandard is not among the compressions: TensorFlow does not read or write it.
"""

import argparse
import hashlib
import json
import os
import pathlib
import sys

MISMATCH, USAGE = 1, 2
COMPRESSIONS = {"NONE": "", "ZLIB": "ZLIB", "GZIP": "GZIP"}
SHOWN_DIFFERENCES = 20


class Failure(Exception):
    """Ends the program with a message and a status."""

    def __init__(self, message, status):
        super().__init__(message)
        self.status = status


def import_tensorflow():
    # Quiet, on the CPU. Names set by the caller stay.
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    try:
        import tensorflow
    except ImportError as error:
        raise Failure(
            f"TensorFlow cannot be imported ({error}); install what requirements-peers.txt lists",
            USAGE,
        ) from None
    return tensorflow


def reason(error):
    """The first line of an error's message, without TensorFlow's prefixes and suffixes."""
    message = getattr(error, "message", None) or getattr(error, "strerror", None) or str(error)
    message = message.split("}} ", 1)[-1] if message.startswith("{{") else message
    message = message.split(" [Op:", 1)[0].strip()
    return message.splitlines()[0] if message else type(error).__name__


# ---------------------------------------------------------------------------------------
# Descriptions
# ---------------------------------------------------------------------------------------


def single(features, key, kind):
    """The only value of a feature of that kind, or None."""
    if key not in features:  # asking a protobuf map for a key would add it
        return None
    values = getattr(features[key], kind).value
    return values[0] if len(values) == 1 else None


def describe_image(tf, record):
    """What "image" is to say about a record; None where it is no Example with an image."""
    from google.protobuf.message import DecodeError

    try:
        features = tf.train.Example.FromString(record).features.feature
    except DecodeError:
        return None
    encoded = single(features, "image/encoded", "bytes_list")
    if encoded is None:
        return None
    image = {}
    try:
        image["shape"] = list(tf.io.decode_image(encoded, expand_animations=False).shape)
    except (tf.errors.OpError, UnicodeDecodeError) as error:
        image["shape"] = None
        image["error"] = reason(error)
    image["label"] = single(features, "image/class/label", "int64_list")
    filename = single(features, "image/filename", "bytes_list")
    image["filename"] = None if filename is None else filename.decode("utf-8", "replace")
    return image


def describe_record(tf, record):
    description = {"length": len(record), "sha256": hashlib.sha256(record).hexdigest()}
    image = describe_image(tf, record)
    if image is not None:
        description["image"] = image
    return description


def save_description(tf, path, compression, files):
    """Writes it as JSON with one record to a line."""
    lines = [
        "{",
        f' "by": {json.dumps("tensorflow " + tf.__version__)},',
        f' "compression": {json.dumps(compression)},',
        ' "files": [',
    ]
    for i, file in enumerate(files):
        records = ",\n".join("   " + json.dumps(record) for record in file["records"])
        lines.append(f'  {{"file": {json.dumps(file["file"])}, "records": [')
        if records:
            lines.append(records)
        lines.append("  ]}" + ("," if i + 1 < len(files) else ""))
    lines += [" ]", "}", ""]
    try:
        path.write_text("\n".join(lines), encoding="ascii")
    except OSError as error:
        raise Failure(f"{path}: cannot be written: {reason(error)}", USAGE) from None


def load_description(path):
    """A description's files, each a list of records."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Failure(f"{path}: cannot be read: {reason(error)}", USAGE) from None
    try:
        files = [file["records"] for file in json.loads(text)["files"]]
        for records in files:
            for record in records:
                if type(record["length"]) is not int or type(record["sha256"]) is not str:
                    raise TypeError
                if not isinstance(record.get("image") or {}, dict):
                    raise TypeError
    except (ValueError, KeyError, TypeError):
        raise Failure(f"{path}: is not a description of records", USAGE) from None
    return files


def require_writable(path):
    """Fails early, before any work, where a file cannot come to be."""
    if path.is_dir():
        raise Failure(f"{path}: is a folder", USAGE)
    if not path.parent.is_dir():
        raise Failure(f"{path}: there is no folder {path.parent}", USAGE)


# ---------------------------------------------------------------------------------------
# read
# ---------------------------------------------------------------------------------------


def read(arguments):
    for path in arguments.files:
        if not path.is_file():
            raise Failure(f"{path}: {'is no file' if path.exists() else 'no such file'}", USAGE)
        if not os.access(path, os.R_OK):
            raise Failure(f"{path}: may not be read", USAGE)
    require_writable(arguments.json)
    tf = import_tensorflow()
    files = []
    for path in arguments.files:
        records = []
        dataset = tf.data.TFRecordDataset(
            str(path), compression_type=COMPRESSIONS[arguments.compression]
        )
        try:
            for record in dataset:
                records.append(describe_record(tf, record.numpy()))
        except tf.errors.OpError as error:
            raise Failure(
                f"{path}: after {len(records)} records, read as {arguments.compression}: "
                f"{reason(error)}",
                MISMATCH,
            ) from None
        files.append({"file": path.name, "records": records})
    save_description(tf, arguments.json, arguments.compression, files)
    total = sum(len(file["records"]) for file in files)
    print(f"read {total} records of {len(files)} files ({arguments.compression})")
    return 0


# ---------------------------------------------------------------------------------------
# write
# ---------------------------------------------------------------------------------------

SUFFIXES = {".jpg", ".jpeg", ".png"}
COLORSPACES = {1: b"Grayscale", 2: b"GrayscaleAlpha", 3: b"RGB", 4: b"RGBA"}


def by_name(folder):
    """A folder's visible entries, ordered by the bytes of their names."""
    try:
        entries = [entry for entry in folder.iterdir() if not entry.name.startswith(".")]
    except OSError as error:
        raise Failure(f"{folder}: cannot be read: {reason(error)}", USAGE) from None
    return sorted(entries, key=lambda entry: os.fsencode(entry.name))


def image_files(root):
    """(label, class, path) of every image in an image folder."""
    if not root.is_dir():
        raise Failure(f"{root}: {'is no folder' if root.exists() else 'no such folder'}", USAGE)
    found = []
    for label, folder in enumerate(entry for entry in by_name(root) if entry.is_dir()):
        for path in by_name(folder):
            if path.suffix.lower() in SUFFIXES and path.is_file():
                found.append((label, folder.name, path))
    if not found:
        raise Failure(f"{root}: has no class/name.jpg, .jpeg or .png", USAGE)
    return found


def example_of(tf, label, class_name, path, filename):
    try:
        encoded = path.read_bytes()
    except OSError as error:
        raise Failure(f"{path}: cannot be read: {reason(error)}", USAGE) from None
    if encoded.startswith(b"\xff\xd8\xff"):
        image_format = b"jpeg"
    elif encoded.startswith(b"\x89PNG\r\n\x1a\n"):
        image_format = b"png"
    else:
        raise Failure(f"{path}: is neither a JPEG nor a PNG file", USAGE)
    try:
        shape = tf.io.decode_image(encoded, expand_animations=False).shape
    except (tf.errors.OpError, UnicodeDecodeError) as error:
        raise Failure(f"{path}: TensorFlow cannot decode it: {reason(error)}", USAGE) from None
    height, width, channels = shape

    def feature(value):
        if isinstance(value, bytes):
            return tf.train.Feature(bytes_list=tf.train.BytesList(value=[value]))
        return tf.train.Feature(int64_list=tf.train.Int64List(value=[value]))

    values = {
        "image/encoded": encoded,
        "image/format": image_format,
        "image/class/label": label,
        "image/class/text": os.fsencode(class_name),
        "image/height": height,
        "image/width": width,
        "image/channels": channels,
        "image/colorspace": COLORSPACES[channels],
        "image/filename": os.fsencode(filename),
    }
    example = tf.train.Example(
        features=tf.train.Features(feature={key: feature(value) for key, value in values.items()})
    )
    return example.SerializeToString(deterministic=True)


def write(arguments):
    images = image_files(arguments.imagedir)
    require_writable(arguments.out)
    require_writable(arguments.json)
    if arguments.out.resolve() == arguments.json.resolve():
        raise Failure("--out and --json name the same file", USAGE)
    tf = import_tensorflow()
    options = tf.io.TFRecordOptions(compression_type=COMPRESSIONS[arguments.compression])
    records = []
    part = arguments.out.with_name(arguments.out.name + ".part")
    try:
        with tf.io.TFRecordWriter(str(part), options) as writer:
            for label, class_name, path in images:
                relative = arguments.filename == "relative"
                filename = f"{class_name}/{path.name}" if relative else path.name
                record = example_of(tf, label, class_name, path, filename)
                writer.write(record)
                records.append(describe_record(tf, record))
        os.replace(part, arguments.out)
    except (tf.errors.OpError, OSError) as error:
        raise Failure(f"{arguments.out}: cannot be written: {reason(error)}", USAGE) from None
    finally:
        part.unlink(missing_ok=True)
    files = [{"file": arguments.out.name, "records": records}]
    save_description(tf, arguments.json, arguments.compression, files)
    print(f"wrote {len(records)} records to {arguments.out} ({arguments.compression})")
    return 0


# ---------------------------------------------------------------------------------------
# compare
# ---------------------------------------------------------------------------------------


def differences(a, b):
    """Each difference between two descriptions, in words."""
    if len(a) != len(b):
        yield f"{len(a)} files against {len(b)}"
    for f, (a_records, b_records) in enumerate(zip(a, b), start=1):
        if len(a_records) != len(b_records):
            yield f"file {f}: {len(a_records)} records against {len(b_records)}"
        for r, (a_record, b_record) in enumerate(zip(a_records, b_records)):
            place = f"file {f}, record {r}"
            if a_record["length"] != b_record["length"]:
                yield f"{place}: {a_record['length']} bytes against {b_record['length']}"
            elif a_record["sha256"] != b_record["sha256"]:
                yield f"{place}: {a_record['length']} bytes in both, but other ones"
            a_image, b_image = a_record.get("image"), b_record.get("image")
            for key in ("shape", "label", "filename"):
                if a_image and b_image and key in a_image and key in b_image:
                    if a_image[key] != b_image[key]:
                        yield f"{place}: {key} {a_image[key]!r} against {b_image[key]!r}"


def compare(arguments):
    a, b = load_description(arguments.a), load_description(arguments.b)
    found = list(differences(a, b))
    for difference in found[:SHOWN_DIFFERENCES]:
        print(difference)
    if len(found) > SHOWN_DIFFERENCES:
        print(f"and {len(found) - SHOWN_DIFFERENCES} more differences")
    if found:
        return MISMATCH
    print(f"the same: {sum(map(len, a))} records of {len(a)} files")
    return 0


# ---------------------------------------------------------------------------------------


def parse(argv):
    parser = argparse.ArgumentParser(
        description="Reads and writes TFRecord files with TensorFlow, to compare Headrace with it.",
        epilog="Exit status: 0 fine, 1 mismatch or damaged file, 2 usage.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name, run, text):
        sub = commands.add_parser(name, help=text, description=text)
        sub.set_defaults(run=run)
        return sub

    def with_compression(sub):
        sub.add_argument("--compression", required=True, choices=list(COMPRESSIONS))
        sub.add_argument(
            "--json", required=True, type=pathlib.Path, metavar="OUT",
            help="where the description goes",
        )

    sub = command("read", read, "Describe the records of TFRecord files.")
    with_compression(sub)
    sub.add_argument("files", nargs="+", type=pathlib.Path, metavar="FILE")

    sub = command("write", write, "Write an image folder as a TFRecord file.")
    with_compression(sub)
    sub.add_argument("--out", required=True, type=pathlib.Path, metavar="FILE")
    sub.add_argument(
        "--filename", choices=("name", "relative"), default="name",
        help="what image/filename holds: name.jpg (the default) or class/name.jpg",
    )
    sub.add_argument("imagedir", type=pathlib.Path, metavar="IMAGEDIR")

    sub = command("compare", compare, "Compare two descriptions.")
    sub.add_argument("a", type=pathlib.Path, metavar="A.json")
    sub.add_argument("b", type=pathlib.Path, metavar="B.json")
    return parser.parse_args(argv)


def main(argv=None):
    arguments = parse(argv)
    try:
        return arguments.run(arguments)
    except Failure as failure:
        print(f"peers_tfrecord.py: {failure}", file=sys.stderr)
        return failure.status


if __name__ == "__main__":
    sys.exit(main())
