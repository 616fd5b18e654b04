"""Writes the fixtures of this folder. Needs: pip install lz4 python-snappy

Every file holds the bytes of plain(), written by another implementation than ours:
xz, lzma and bzip2 by CPython's lzma and bz2 (liblzma, libbz2), lz4 by python-lz4 (liblz4),
snappy by python-snappy's framing, lzo by the lzop command, version 1.04.
"""
import bz2
import lzma
import pathlib
import subprocess
import sys

import lz4.frame
import snappy

HERE = pathlib.Path(__file__).parent


def plain():
    """150,000 bytes, compressible but not trivially, from a 32-bit linear congruence."""
    state, out = 1, bytearray()
    while len(out) < 150_000:
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        word = (state >> 16) & 0xFF
        if word % 5 == 0:
            out += bytes([word & 0x3F]) * (1 + (word >> 6))
        else:
            out += out[-(word + 1) * 7:][:word % 41]
    return bytes(out[:150_000])


def unlz4(stream):
    """All frames; python-lz4 stops after one."""
    out = b""
    while stream:
        part, used = lz4.frame.decompress(stream, return_bytes_read=True)
        out, stream = out + part, stream[used:]
    return out


def lzop(data, *options):
    return subprocess.run(["lzop", "-c", *options], input=data, stdout=-1, check=True).stdout


def main():
    data = plain()
    half = len(data) // 2
    files = {
        "linked.lz4": lz4.frame.compress(data, block_size=4, block_linked=True,
                                         content_checksum=True, store_size=True),
        "independent.lz4": lz4.frame.compress(data, block_size=4, block_linked=False,
                                              block_checksum=True, content_checksum=True,
                                              store_size=False, compression_level=9),
        "frames.lz4": lz4.frame.compress(data[:half]) + bytes.fromhex("512a4d1802000000abcd")
        + lz4.frame.compress(data[half:], block_size=5),
        "framed.sz": snappy.StreamCompressor().compress(data),
        "streams.xz": lzma.compress(data[:half], preset=2) + bytes(8)
        + lzma.compress(data[half:], preset=0, check=lzma.CHECK_SHA256),
        "alone.lzma": lzma.compress(data, lzma.FORMAT_ALONE, preset=3),
        "streams.lzo": lzop(data[:half], "-9", "-C") + lzop(data[half:], "-1", "--crc32"),
        "plain.lzo": lzop(data, "-F"),
        "streams.bz2": bz2.compress(data[:half], 1) + bz2.compress(data[half:], 9),
    }
    if len(sys.argv) > 1:  # checks files that the engine wrote: python generate.py FOLDER
        readers = {".lz4": unlz4, ".xz": lzma.decompress, ".bz2": bz2.decompress,
                   ".lzma": lzma.decompress, ".lzo": lambda b: lzop(b, "-d"),
                   ".sz": lambda b: snappy.StreamDecompressor().decompress(b)}
        for file in sorted(pathlib.Path(sys.argv[1]).iterdir()):
            if file.suffix in readers:
                assert readers[file.suffix](file.read_bytes()) == data, file
                print("reads", file.name)
        return
    for name, content in files.items():
        (HERE / name).write_bytes(content)
        print(name, len(content))


if __name__ == "__main__":
    main()
