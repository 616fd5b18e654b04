"""Makes the PNG fixtures of this folder with zlib alone, and the RGB pixels each stands for.

Usage: python3 generate.py   (in this folder)

Pixels follow from the definition, not from a decoder. See README.md for what each file is.
"""
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
         (0, 1, 1, 2))
expected = []


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(
        ">I", zlib.crc32(kind + data))


def header(w, h, depth, kind, interlace):
    return chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, depth, kind, 0, 0, interlace))


def pack(samples, depth):
    if depth == 16:
        return b"".join(struct.pack(">H", s) for s in samples)
    if depth == 8:
        return bytes(samples)
    bits = "".join(format(s, "0%db" % depth) for s in samples)
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))


def scanlines(pixels, w, h, depth):
    return b"".join(b"\0" + pack([s for x in range(w) for s in pixels[y][x]], depth)
                    for y in range(h))


def image_data(pixels, w, h, depth, interlace):
    if not interlace:
        return scanlines(pixels, w, h, depth)
    out = b""
    for x0, y0, dx, dy in ADAM7:
        part = [row[x0::dx] for row in pixels[y0::dy]]
        if part and part[0]:
            out += scanlines(part, len(part[0]), len(part), depth)
    return out


def palette(depth):
    return [((i * 37) % 256, (i * 91) % 256, 255 - i) for i in range(1 << depth)]


def rgb(sample, depth, kind):
    if kind == 3:
        return palette(depth)[sample[0]]
    colours = sample[:1] * 3 if kind in (0, 4) else sample[:3]
    if depth == 16:
        return tuple(c >> 8 for c in colours)
    return tuple(c * 255 // ((1 << depth) - 1) for c in colours)


def keep(name, data, pixels):
    with open(name, "wb") as file:
        file.write(data)
    flat = bytes(c for row in pixels for pixel in row for c in pixel)
    expected.append("%s %d %d %08x\n" % (name, len(pixels[0]), len(pixels), zlib.crc32(flat)))


w, h = 19, 13
for kind, depths in DEPTHS.items():
    for depth in depths:
        top = (1 << depth) - 1
        pixels = [[tuple((x * 7919 + y * 104729 + s * 1299709 + x * y * 31) & top
                         for s in range(SAMPLES[kind])) for x in range(w)] for y in range(h)]
        plte = chunk(b"PLTE", bytes(c for p in palette(depth) for c in p)) if kind == 3 else b""
        for interlace in (0, 1):
            data = SIGNATURE + header(w, h, depth, kind, interlace) + plte + chunk(
                b"IDAT", zlib.compress(image_data(pixels, w, h, depth, interlace), 9)) + chunk(
                    b"IEND", b"")
            keep("type%d-%02d%s.png" % (kind, depth, "-adam7" if interlace else ""), data,
                 [[rgb(p, depth, kind) for p in row] for row in pixels])

small = [[(1,), (2,)], [(3,), (4,)]]
small_rgb = [[(1,) * 3, (2,) * 3], [(3,) * 3, (4,) * 3]]
ihdr = header(2, 2, 8, 0, 0)
idat = chunk(b"IDAT", zlib.compress(image_data(small, 2, 2, 8, 0)))
iend = chunk(b"IEND", b"")
bomb = zlib.compress(b"\0" * 50_000_000, 9)
keep("bomb-iccp.png", SIGNATURE + ihdr + chunk(b"iCCP", b"x\0\0" + bomb) + idat + iend, small_rgb)
keep("bomb-ztxt.png", SIGNATURE + ihdr + chunk(b"zTXt", b"x\0\0" + bomb) + idat + iend, small_rgb)
keep("no-end.png", SIGNATURE + ihdr + idat, small_rgb)
frame = struct.pack(">IIIIIHHBB", 0, 2, 2, 0, 0, 1, 1, 0, 0)
keep("animated.png", SIGNATURE + ihdr + chunk(b"acTL", struct.pack(">II", 1, 0)) + idat + chunk(
    b"fcTL", frame) + chunk(b"fdAT", b"\0\0\0\1" + zlib.compress(b"\0\7\x08\0\x09\x0a")) + iend,
     small_rgb)
keep("transparent-key.png", SIGNATURE + ihdr + chunk(b"tRNS", b"\0\1") + idat + iend, small_rgb)

with open("expected.txt", "w") as file:
    file.write("# name width height CRC-32 of the packed RGB pixels\n" + "".join(sorted(expected)))
