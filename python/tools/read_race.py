#!/usr/bin/env python3
"""Reads race shards (docs/format.md) with nothing but Python's standard library.

Written from the specification alone, as a check on it and on the Java implementation; it shares
no code with that. Every length is checked before it is used, and every checksum is verified.

    read_race.py SHARD [--fidelity G] [--extract FOLDER]

prints a line for each sample: its key, label, encoding, width, height, groups, bytes of the image
at that fidelity and their SHA-256; of a packed JPEG those of its JPEG; the last line sums up. `--extract` also writes the images.
Blobs compressed with zstd need the package `zstandard`; LZ4 blocks are decoded here.
"""

import argparse
import hashlib
import pathlib
import struct
import sys

import read_packed

HEADER, TRAILER, SECTION, BLOCK = 64, 48, 24, 12
ENCODINGS = "other jpeg png webp avif qoi bmp pnm raw lossless packed".split()
LEVELS, TILED, FIELDS = 1, 2, 4


def _crc_table():
    table = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
        table.append(crc)
    return table


CRC_TABLE = _crc_table()


def crc32c(data):
    """CRC-32C (Castagnoli), as in RFC 3720."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ CRC_TABLE[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFF


class Corrupt(Exception):
    """The file is not what it says it is."""


def require(condition, what):
    if not condition:
        raise Corrupt(what)


def lz4_block(data, size):
    """One LZ4 block, as lz4_Block_format.md has it."""
    out, at = bytearray(), 0

    def extended(length, at):
        if length == 15:
            while True:
                length += data[at]
                at += 1
                if data[at - 1] != 255:
                    break
        return length, at

    while True:
        token = data[at]
        literals, at = extended(token >> 4, at + 1)
        out += data[at : at + literals]
        at += literals
        if at >= len(data):
            break
        distance = data[at] | data[at + 1] << 8
        match, at = extended(token & 15, at + 2)
        require(0 < distance <= len(out), "a match before the start of an LZ4 block")
        for _ in range(match + 4):
            out.append(out[-distance])
    require(len(out) == size, "an LZ4 block of another size")
    return bytes(out)


class Shard:
    def __init__(self, data):
        require(len(data) >= HEADER + TRAILER, "shorter than header and trailer")
        require(data[:8] == b"\x89HRACE\r\n", "no race shard")
        require(crc32c(data[:60]) == struct.unpack_from("<I", data, 60)[0], "header checksum")
        version, groups, self.number, self.of = struct.unpack_from("<HHII", data, 8)
        require(version == 1, "version %d" % version)
        end = len(data) - TRAILER
        require(data[end + 40 :] == b"HRACEEND", "no trailer: cut short, or never finished")
        require(
            crc32c(data[end : end + 36]) == struct.unpack_from("<I", data, end + 36)[0],
            "trailer checksum",
        )
        at, size, self.samples, crc, g = struct.unpack_from("<QQQII", data, end)
        require(at + size == end and g == groups, "the index is not where the trailer says")
        index = data[at : at + size]
        require(crc32c(index) == crc, "index checksum")
        self.data, self.groups, self.index_bytes = data, groups, size
        self._read_index(index, at)

    def _read_index(self, index, end):
        n, groups, compression, dictionary, keys = struct.unpack_from("<QIIII", index)
        require(n == self.samples and groups == self.groups, "index and trailer differ")
        sections = [struct.unpack_from("<QQII", index, 24 + SECTION * g) for g in range(groups)]
        at = 24 + SECTION * groups

        def column(form, width):
            nonlocal at
            values = struct.unpack_from("<%d%s" % (n, form), index, at)
            at += width * n
            return values

        key_ends = column("I", 4)
        self.labels = column("q", 8)
        self.widths = column("I", 4)
        self.heights = column("I", 4)
        kinds = column("I", 4)
        self.kinds = [struct.pack("<I", kind) for kind in kinds]
        blobs = [(column("I", 4), column("I", 4)) for _ in range(groups)]
        tables = []
        for _, _, blocks, _ in sections:
            tables.append([struct.unpack_from("<III", index, at + BLOCK * b) for b in range(blocks)])
            at += BLOCK * blocks
        self.dictionary = bytes(index[at : at + dictionary])
        text = index[at + dictionary :]
        require(len(text) == keys, "keys of another length")
        starts = (0,) + key_ends[:-1]
        self.keys = [bytes(text[s:e]).decode("utf-8") for s, e in zip(starts, key_ends)]
        self.compression = compression
        self.blobs = []
        place = HEADER
        for (start, size, _, _), (lengths, crcs), blocks in zip(sections, blobs, tables):
            require(start == place, "a gap before a group")
            place += size
            self.blobs.append(self._section(start, size, lengths, crcs, blocks))
        require(place == end, "a gap before the index")

    def _section(self, start, size, lengths, crcs, blocks):
        """Yields the blobs of one group, checked; reads only that group's bytes."""
        out = []
        if not blocks:
            require(sum(lengths) == size, "blobs do not fill their group")
            blocks = [(len(lengths), size, None)]
        at, sample = start, 0
        for count, stored, crc in blocks:
            raw = self.data[at : at + stored]
            require(crc is None or crc32c(raw) == crc, "block checksum")
            plain = sum(lengths[sample : sample + count])
            if stored != plain:
                raw = self._decompress(raw, plain)
            within = 0
            for i in range(sample, sample + count):
                out.append((raw[within : within + lengths[i]], crcs[i]))
                within += lengths[i]
            at, sample = at + stored, sample + count
        return out

    def _decompress(self, raw, plain):
        if self.compression == 2:
            return lz4_block(raw, plain)
        require(self.compression == 1, "unknown compression")
        import zstandard

        known = zstandard.ZstdCompressionDict(self.dictionary) if self.dictionary else None
        return zstandard.ZstdDecompressor(dict_data=known).decompress(bytes(raw), plain)

    def image(self, i, fidelity):
        """The image of a sample at a fidelity, its tile table and its fields."""
        encoding, groups, flags, _ = self.kinds[i]
        wanted = min(fidelity, groups)
        parts = range(wanted - 1, wanted) if flags & LEVELS else range(wanted)
        image, tiles, fields = b"", b"", {}
        for group in parts:
            blob, crc = self.blobs[group][i]
            require(crc32c(blob) == crc, "%s: checksum of group %d" % (self.keys[i], group + 1))
            at = 0
            if flags & TILED and (group == 0 or flags & LEVELS):
                size = struct.unpack_from("<I", blob)[0]
                tiles, at = bytes(blob[4 : 4 + size]), 4 + size
            if flags & FIELDS and group == 0:
                size = struct.unpack_from("<I", blob, at)[0]
                fields, at = self._fields(blob[at + 4 : at + 4 + size]), at + 4 + size
            image += blob[at:]
        if wanted < groups and not flags & LEVELS:
            image += b"\xff\xd9"
        return image, tiles, fields

    @staticmethod
    def _fields(data):
        fields, at = {}, 0
        while at < len(data):
            _, name, value = struct.unpack_from("<BHI", data, at)
            at += 7
            fields[bytes(data[at : at + name]).decode("utf-8")] = bytes(
                data[at + name : at + name + value]
            )
            at += name + value
        return fields


def main():
    parser = argparse.ArgumentParser(description="Reads a race shard.")
    parser.add_argument("shard", type=pathlib.Path)
    parser.add_argument("--fidelity", type=int, default=255)
    parser.add_argument("--extract", type=pathlib.Path)
    options = parser.parse_args()
    try:
        shard = Shard(options.shard.read_bytes())
        total = 0
        for i, key in enumerate(shard.keys):
            image, tiles, fields = shard.image(i, options.fidelity)
            encoding, groups, _, _ = shard.kinds[i]
            if ENCODINGS[encoding] == "packed":
                image, crc = read_packed.jpeg(image)
                require(crc in (None, crc32c(image)), key + ": another JPEG than was packed")
            total += len(image)
            print(
                key, shard.labels[i], ENCODINGS[encoding], shard.widths[i], shard.heights[i],
                groups, len(image), hashlib.sha256(image).hexdigest(), len(tiles), len(fields),
                sep="\t",
            )
            if options.extract:
                file = options.extract / key
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(image)
        print("# %d samples, %d groups, %d bytes of images" % (len(shard.keys), shard.groups, total))
    except (Corrupt, read_packed.Corrupt, KeyError, struct.error, IndexError) as fault:
        sys.exit("%s: %s" % (options.shard, fault))


if __name__ == "__main__":
    main()
