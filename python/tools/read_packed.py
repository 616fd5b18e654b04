#!/usr/bin/env python3
"""Makes JPEGs of packed JPEGs (docs/format-packed.md) with nothing but Python's standard library.

Written from the specification alone, as a check on it and on the Java implementation; it shares
no code with that.

    read_packed.py FILE OUT
"""

import pathlib
import struct
import sys

CODES = (pathlib.Path(__file__).resolve().parents[2]
         / "core/src/main/resources/io/headrace/codec/jpeg/packed/packed-codes.bin")
EXACT, STANDARD_TABLES = 1, 2
DC, M1, C1, H, M2, C2, M3, C3 = range(8)

# The standard's Huffman tables (T.81, K.3): how many codes of each length, and the symbols.
STANDARD = [
    (0x00, "00010501010101010100000000000000", "000102030405060708090a0b"),
    (0x10, "0002010303020403050504040000017d",
     "01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a"
     "25262728292a3435363738393a434445464748494a535455565758595a636465666768696a73747576777879"
     "7a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9"
     "cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa"),
    (0x01, "00030101010101010101010000000000", "000102030405060708090a0b"),
    (0x11, "00020102040403040705040400010277",
     "0001020311040521310612415107617113223281081442" "91a1b1c109233352f0156272d10a162434e125f1"
     "1718191a262728292a35363738393a434445464748494a535455565758595a636465666768696a7374757677"
     "78797a82838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6"
     "c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa"),
]


class Corrupt(Exception):
    """The picture is not what it says it is."""


def require(condition, what):
    if not condition:
        raise Corrupt("packed jpeg: " + what)


def lengths(data, at):
    """The lengths of a code's 256 symbols, and where they end."""
    nibble, found = 2 * at, []

    def take():
        nonlocal nibble
        value = data[nibble >> 1] >> (4 * (nibble & 1)) & 15
        nibble += 1
        return value

    while len(found) < 256:
        value = take()
        require(value < 14, "no code")
        if value < 12:
            found.append(value)
        elif value == 12:
            found += [0] * (take() + 2)
        else:
            found += [0] * (take() + 16 * take() + 18)
    require(len(found) == 256, "a code of more than 256 symbols")
    return found, (nibble + 1) // 2


def code(of):
    """Symbols by the length and the bits of their codes, the first bit the highest."""
    symbols, number = {}, 0
    for length in range(1, 12):
        for symbol in range(256):
            if of[symbol] == length:
                symbols[length, number] = symbol
                number += 1
        number <<= 1
    require(number == 1 << 12, "a code that is not complete")
    return symbols


def known_codes():
    data, sets, at = CODES.read_bytes(), [], 1
    for _ in range(data[0]):
        sets.append([])
        for _ in range(16):
            found, at = lengths(data, at)
            sets[-1].append(code(found))
    return sets


class Bits:
    """Bits of some bytes, the lowest of each first."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def bit(self):
        require(self.at < 8 * len(self.data), "no more bits")
        value = self.data[self.at >> 3] >> (self.at & 7) & 1
        self.at += 1
        return value

    def number(self, size):
        """A number of a size, as T.81 extends it."""
        value = sum(self.bit() << i for i in range(size))
        return value if not size or value >> (size - 1) else value - (1 << size) + 1

    def end(self):
        require(8 * len(self.data) - self.at < 8, "bits are left over")


class Header:
    """What a JPEG says up to its coded data."""

    def __init__(self, data):
        self.tables, self.interval, self.empty, at = {}, 0, -1, 2
        while True:
            require(data[at] == 0xFF, "no marker")
            marker, size = data[at + 1], struct.unpack_from(">H", data, at + 2)[0]
            body = data[at + 4 : at + 2 + size]
            if marker in (0xC0, 0xC1):
                self.height, self.width, count = struct.unpack_from(">HHB", body, 1)
                self.components = [
                    (body[6 + 3 * i], body[7 + 3 * i] >> 4, body[7 + 3 * i] & 15)
                    for i in range(count)
                ]
            elif marker == 0xC4:
                if not body and self.empty < 0:
                    self.empty = at
                self.huffman(body)
            elif marker == 0xDD:
                self.interval = struct.unpack(">H", body)[0]
            elif marker == 0xDA:
                self.slots = [body[2 + 2 * i] for i in range(body[0])]
                break
            at += 2 + size
        if len(self.components) == 1:
            self.components = [(self.components[0][0], 1, 1)]
        across = max(c[1] for c in self.components)
        down = max(c[2] for c in self.components)
        self.columns = -(-self.width // (8 * across))
        self.rows = -(-self.height // (8 * down))

    def huffman(self, body):
        at = 0
        while at < len(body):
            counts, symbols, number = body[at + 1 : at + 17], {}, 0
            place = at + 17
            for length, count in enumerate(counts, 1):
                for _ in range(count):
                    symbols[body[place]] = (number, length)
                    number += 1
                    place += 1
                number <<= 1
            self.tables[body[at]] = symbols
            at = place

    def table(self, kind, slot):
        if 16 * kind + slot not in self.tables:
            for head, counts, symbols in STANDARD:
                if head == 16 * kind + slot:
                    self.huffman(bytes([head]) + bytes.fromhex(counts + symbols))
        return self.tables[16 * kind + slot]


def band(data, start, end, tiles):
    """The four lanes and the bits of each tile."""
    at = start

    def number():
        nonlocal at
        value = shift = 0
        while True:
            require(at < end, "the index is cut")
            value |= (data[at] & 127) << shift
            shift += 7
            at += 1
            if not data[at - 1] & 128:
                return value

    def signed():
        value = number()
        return value // 2 if value % 2 == 0 else -(value + 1) // 2

    sizes = []
    for _ in range(tiles):
        first = number()
        sizes.append([first] + [first + signed() for _ in range(3)] + [number()])
    found = []
    for each in sizes:
        parts = []
        for size in each:
            parts.append(Bits(data[at : at + size]))
            at += size
        found.append(parts)
    require(at == end, "a band does not end where its tiles do")
    return found


def section(lanes, symbols, count):
    found = []
    for i in range(count):
        number = length = 0
        while (length, number) not in symbols:
            require(length < 12, "no such code")
            number = number << 1 | lanes[i % 4].bit()
            length += 1
        found.append(symbols[length, number])
    return found


def classes(lanes, symbols, masks):
    count = sum(bin(mask).count("1") for mask in masks)
    pairs = section(lanes, symbols, (count + 1) // 2)
    return [size for pair in pairs for size in (pair & 15, pair >> 4)][:count]


def tile(parts, codes, kinds):
    """The blocks of a tile: lists of 64 coefficients in zigzag order.

    `kinds` has for each component how many blocks there are across and down."""
    counts = [kinds[0][0] * kinds[0][1], sum(a * d for a, d in kinds[1:])]
    total = sum(counts)
    blocks = [[0] * 64 for _ in range(total)]
    ranges = [range(counts[0]), range(counts[0], total)]
    which = [0] * total
    for number, part in enumerate(parts):
        lanes, bits = part[:4], part[4]
        masks, sizes = [0] * total, []
        if number == 0:
            means = section(lanes, codes[DC], counts[0]) + section(lanes, codes[8 + DC], counts[1])
        for kind in (0, 1):
            of, own = ranges[kind], codes[8 * kind : 8 * kind + 8]
            if number == 0:
                for i, mask in zip(of, section(lanes, own[M1], len(of))):
                    masks[i] = mask
                sizes += classes(lanes, own[C1], [masks[i] for i in of])
                continue
            if number == 1:
                for i, value in zip(of, section(lanes, own[H], len(of))):
                    which[i] = value
            first, last, m, c = (0, 2, M2, C2) if number == 1 else (2, 7, M3, C3)
            there = [(i, j) for i in of for j in range(first, last) if which[i] >> j & 1]
            for (i, j), mask in zip(there, section(lanes, own[m], len(there))):
                masks[i] |= mask << 8 * (j + 1)
            sizes += classes(lanes, own[c], [masks[i] for i in of])
        if number == 0:
            at = 0
            for across, down in kinds:
                for i in range(across * down):
                    if i % across:
                        before = blocks[at - 1][0]
                    else:
                        before = blocks[at - across][0] if i else 0
                    blocks[at][0] = before + bits.number(means[at])
                    at += 1
        sizes = iter(sizes)
        for i in range(total):
            for k in range(1, 64):
                if masks[i] >> (k - 1) & 1:
                    blocks[i][k] = bits.number(next(sizes))
        for each in part:
            each.end()
    return blocks


class Coded:
    """Coded data of a JPEG."""

    def __init__(self):
        self.out, self.rest, self.count = bytearray(), 0, 0

    def put(self, value, size):
        self.rest, self.count = self.rest << size | value, self.count + size
        while self.count >= 8:
            self.count -= 8
            byte = self.rest >> self.count & 255
            self.out += bytes([255, 0] if byte == 255 else [byte])
            self.rest &= (1 << self.count) - 1

    def pad(self):
        if self.count:
            self.put((1 << (8 - self.count)) - 1, 8 - self.count)

    def number(self, table, run, value):
        size = abs(value).bit_length()
        self.put(*table[run << 4 | size])
        self.put((value - 1 if value < 0 else value) & ((1 << size) - 1), size)

    def block(self, dc, ac, before, block):
        self.number(dc, 0, block[0] - before)
        run = 0
        for value in block[1:]:
            if value == 0:
                run += 1
                continue
            while run > 15:
                self.put(*ac[0xF0])
                run -= 16
            self.number(ac, run, value)
            run = 0
        if run:
            self.put(*ac[0])


def jpeg(data):
    """The JPEG that a packed picture was made from, or what its bands have of it; and its CRC-32C
    if the picture is whole."""
    require(len(data) >= 44 and data[:5] == b"HRPJ\x01", "no packed JPEG")
    flags, across, down, zero = struct.unpack_from("<BHHH", data, 5)
    size, crc, end1, end2, end3, h, t, e = struct.unpack_from("<8I", data, 12)
    require(zero == 0 and across and down, "a header of another kind")
    ends = [end1, end2, end3]
    whole = len(data) == end3 + e
    bands = 3 if whole else max(
        [i + 1 for i in (0, 1) if len(data) in (ends[i], ends[i] + 2)], default=0)
    require(bands, "cut within a band")
    stored = data[44 : 44 + h]
    header = Header(stored)
    known, codes, at = known_codes(), [], 44 + h
    for number in range(16):
        at += 1
        if data[at - 1] == 255:
            found, at = lengths(data, at)
            codes.append(code(found))
        else:
            codes.append(known[data[at - 1]][number])
    require(at == 44 + h + t, "the codes do not end where they should")
    tiles_across, tiles_down = -(-header.columns // across), -(-header.rows // down)
    starts = [at] + ends[:2]
    parts = [band(data, starts[b], ends[b], tiles_across * tiles_down) for b in range(bands)]
    planes = [{} for _ in header.components]
    for number in range(tiles_across * tiles_down):
        left, top = number % tiles_across * across, number // tiles_across * down
        columns, rows = min(across, header.columns - left), min(down, header.rows - top)
        kinds = [(columns * c[1], rows * c[2]) for c in header.components]
        blocks = iter(tile([p[number] for p in parts], codes, kinds))
        for plane, (_, wide, high), (w, d) in zip(planes, header.components, kinds):
            for y in range(d):
                for x in range(w):
                    plane[top * high + y, left * wide + x] = next(blocks)
    coded = Coded()
    before = [0] * len(planes)
    for mcu in range(header.columns * header.rows):
        if header.interval and mcu and mcu % header.interval == 0:
            coded.pad()
            coded.out += bytes([255, 0xD0 + (mcu // header.interval - 1) % 8])
            before = [0] * len(planes)
        row, column = divmod(mcu, header.columns)
        for i, (_, wide, high) in enumerate(header.components):
            dc = header.table(0, header.slots[i] >> 4)
            ac = header.table(1, header.slots[i] & 15)
            for y in range(row * high, (row + 1) * high):
                for x in range(column * wide, (column + 1) * wide):
                    coded.block(dc, ac, before[i], planes[i][y, x])
                    before[i] = planes[i][y, x][0]
    coded.pad()
    if flags & STANDARD_TABLES:
        segments = b"".join(
            struct.pack(">BBHB", 255, 0xC4, 19 + len(s) // 2, head) + bytes.fromhex(c + s)
            for head, c, s in (STANDARD[0], STANDARD[1], STANDARD[2], STANDARD[3]))
        at = header.empty
        stored = stored[:at] + segments + stored[at + 4 :]
    result = bytes(stored + coded.out + (data[end3:] if whole else b"\xff\xd9"))
    require(not whole or len(result) == size, "another JPEG than it should be")
    return result, crc if whole else None


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    pathlib.Path(sys.argv[2]).write_bytes(jpeg(pathlib.Path(sys.argv[1]).read_bytes())[0])
