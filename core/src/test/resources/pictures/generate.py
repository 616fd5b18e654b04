"""Makes the fixtures of ../webp, ../qoi, ../bmp and ../pnm and the RGB pixels each stands for.

Usage: python3 generate.py   (in this folder; needs Pillow 11 or newer with WebP, Netpbm 11 and
ImageMagick 6 or 7)

BMP and PNM are put together here from the definitions and their pixels follow from those; WebP is
written and read by Pillow, QOI written both here, with other choices of chunks than an encoder
makes, and by Pillow. Where Pillow reads a file that is put together here, it must agree.
"""
import io
import os
import struct
import subprocess
import zlib

from PIL import Image

W, H = 19, 13
RGB = [[((x * 13) % 256, (y * 19) % 256, (x * y * 3 + 7) % 256) for x in range(W)] for y in range(H)]
expected = {}


def packed(rows):
    return bytes(s for row in rows for pixel in row for s in pixel[:3])


def write(path, data, pixels, width=W, height=H, check=True):
    folder, name = path.split("/")
    with open(os.path.join("..", folder, name), "wb") as out:
        out.write(data)
    if check:
        image = Image.open(io.BytesIO(data))
        if image.mode == "RGBA":
            image = image.convert("RGBA")
            seen = bytes(s for i, s in enumerate(image.tobytes()) if i % 4 != 3)
        else:
            seen = image.convert("RGB").tobytes()
        assert seen == pixels, path
    expected.setdefault(folder, []).append(
        "%s %d %d %08x" % (name, width, height, zlib.crc32(pixels)))


# ---- BMP ----
def bmp(rows, bits, size=40, top_down=False, palette=b"", masks=b"", compression=0, used=0):
    width, height = len(rows[0]), len(rows)
    body = b""
    for row in rows if top_down else rows[::-1]:
        if bits <= 8:
            text = "".join(format(i, "0%db" % bits) for i in row)
            text += "0" * (-len(text) % 8)
            line = bytes(int(text[i:i + 8], 2) for i in range(0, len(text), 8))
        else:
            line = b"".join(row)
        body += line + b"\0" * (-len(line) % 4)
    if size == 12:
        info = struct.pack("<IHHHH", 12, width, height, 1, bits)
    else:
        info = struct.pack("<IiiHHIIiiII", size, width, -height if top_down else height, 1, bits,
                           compression, len(body), 2835, 2835, used, 0)
        if size > 40:
            info += masks
            info += b"\0" * (size - len(info))
            masks = b""
    offset = 14 + len(info) + len(masks) + len(palette)
    return struct.pack("<2sIHHI", b"BM", offset + len(body), 0, 0, offset) + info + masks \
        + palette + body


bgr = [[bytes((b, g, r)) for r, g, b in row] for row in RGB]
bgrx = [[bytes((b, g, r, 0)) for r, g, b in row] for row in RGB]
argb = [[bytes((77, b, g, r)) for r, g, b in row] for row in RGB]
write("bmp/rgb-24.bmp", bmp(bgr, 24), packed(RGB))
write("bmp/top-down.bmp", bmp(bgr, 24, top_down=True), packed(RGB))
write("bmp/core.bmp", bmp(bgr, 24, size=12), packed(RGB))
write("bmp/rgb-32.bmp", bmp(bgrx, 32), packed(RGB))
write("bmp/masks.bmp", bmp(argb, 32, compression=3,
                           masks=struct.pack("<III", 0xff000000, 0xff0000, 0xff00)),
      packed(RGB), check=False)
write("bmp/alpha-v5.bmp", bmp(argb, 32, size=124, compression=3,
                              masks=struct.pack("<IIII", 0xff000000, 0xff0000, 0xff00, 0xff)),
      packed(RGB), check=False)
for bits in (1, 4, 8):
    colours = [((i * 37) % 256, (i * 91) % 256, 255 - i) for i in range(1 << bits)]
    table = b"".join(bytes((b, g, r, 0)) for r, g, b in colours)
    index = [[(x * 5 + y * 3) % (1 << bits) for x in range(W)] for y in range(H)]
    write("bmp/palette-%d.bmp" % bits, bmp(index, bits, palette=table),
          packed([[colours[i] for i in row] for row in index]))
few = [(255, 0, 0), (0, 255, 0), (0, 0, 255)]
index = [[(x + y) % 3 for x in range(W)] for y in range(H)]
write("bmp/palette-short.bmp",
      bmp(index, 8, palette=b"".join(bytes((b, g, r, 0)) for r, g, b in few), used=3),
      packed([[few[i] for i in row] for row in index]))
grey = [[(x * 7 + y) % 256 for x in range(W)] for y in range(H)]
write("bmp/grey-os2.bmp", bmp(grey, 8, size=12, palette=bytes(i for i in range(256) for _ in "bgr")),
      packed([[(i, i, i) for i in row] for row in grey]))


def scaled(value, maxval):
    return (510 * value + maxval) // (2 * maxval)


def run(*command, data):
    return subprocess.run(command, input=data, check=True, stdout=subprocess.PIPE).stdout


def masked(bits):
    """Pixels as whole numbers, red in the highest bits, and the RGB they stand for."""
    most = [(1 << n) - 1 for n in bits]
    values = [[tuple(s * m // 255 for s, m in zip(p, most)) for p in row] for row in RGB]
    numbers = [[(r << bits[1] + bits[2]) | (g << bits[2]) | b for r, g, b in row] for row in values]
    return numbers, packed([[tuple(scaled(v, m) for v, m in zip(p, most)) for p in row]
                            for row in values])


def halves(rows):
    return [[struct.pack("<H", n) for n in row] for row in rows]


fives, eight = masked((5, 5, 5))
write("bmp/rgb-555.bmp", bmp(halves(fives), 16), eight, check=False)  # Pillow rounds down
write("bmp/rgb-555-top-down.bmp", bmp(halves(fives), 16, top_down=True), eight, check=False)
sixes, eight = masked((5, 6, 5))
write("bmp/rgb-565.bmp", bmp(halves(sixes), 16, compression=3,
                             masks=struct.pack("<III", 0xf800, 0x7e0, 0x1f)), eight, check=False)
odd, eight = masked((3, 4, 2))
write("bmp/masks-odd-16.bmp", bmp(halves(odd), 16, size=56, compression=3,
                                  masks=struct.pack("<IIII", 0x1c0, 0x3c, 3, 0xfe00)),
      eight, check=False)
tens, eight = masked((10, 10, 10))
write("bmp/masks-10.bmp", bmp([[struct.pack("<I", n << 1) for n in row] for row in tens], 32, size=108,
                              compression=3, masks=struct.pack("<III", 0x3ff << 21, 0x3ff << 11, 0x3ff << 1)),
      eight, check=False)
nones = [[struct.pack("<I", p[0] << 20 | p[2] << 1) for p in row] for row in RGB]
write("bmp/masks-no-green.bmp", bmp(nones, 32, compression=6,
                                    masks=struct.pack("<IIII", 0xff << 20, 0, 0xff << 1, 0)),
      packed([[(r, 0, b) for r, g, b in row] for row in RGB]), check=False)
colours = [(255, 0, 0), (0, 200, 0), (9, 8, 250), (255, 255, 255)]
table = b"".join(bytes((b, g, r, 0)) for r, g, b in colours)
index = [[(x * x + y) % 4 for x in range(W)] for y in range(H)]
write("bmp/palette-2.bmp", bmp(index, 2, palette=table),
      packed([[colours[i] for i in row] for row in index]), check=False)
for size in (16, 64):  # OS/2 2.x
    data = bmp(index, 4, palette=table + b"\0" * 48)
    head = data[14:54][:size] + b"\0" * (size - 40)
    data = data[:10] + struct.pack("<II", 14 + size + 64, size) + head[4:] + data[54:]
    write("bmp/os2-%d.bmp" % size, data, packed([[colours[i] for i in row] for row in index]),
          check=False)

# Runs, single indices, a place left out, and an end before the last row; the lowest row first.
left_out = (255, 0, 0)
shown = [[left_out] * 7 for _ in range(5)]
shown[4] = [colours[i] for i in (1, 1, 1, 2, 3, 1, 1)]
shown[3][2:5] = [colours[i] for i in (3, 1, 3)]
shown[1][5:7] = [colours[i] for i in (2, 2)]
rle8 = bytes((3, 1, 0, 3, 2, 3, 1, 0, 1, 1, 0, 0)  # a run, three by themselves padded to four, a run
             + (0, 2, 2, 0, 1, 3, 1, 1, 1, 3, 0, 2, 0, 2, 2, 2, 0, 1))
rle4 = bytes((3, 0x11, 0, 4, 0x23, 0x11, 0, 0)
             + (0, 2, 2, 0, 3, 0x31, 0, 2, 0, 2, 2, 0x22, 0, 1))
full = table + b"\0" * (4 * (16 - len(colours)))
for bits, body, code in ((8, rle8, 1), (4, rle4, 2)):
    for top_down in (False, True):
        data = bmp([[0] * 7] * 5, bits, palette=full, compression=code, used=16, top_down=top_down)
        offset = struct.unpack("<I", data[10:14])[0]
        write("bmp/rle-%d%s.bmp" % (bits, "-top-down" * top_down), data[:offset] + body,
              packed(shown[::-1] if top_down else shown), 7, 5, check=False)  # Pillow wants all rows
picture = b"P6 %d %d 255\n" % (W, H) + packed([[colours[(x // 5 + y // 3) % 4] for x in range(W)]
                                              for y in range(H)])
write("bmp/magick-rle-8.bmp", run("convert", "ppm:-", "-type", "Palette", "-compress", "RLE", "BMP3:-",
                                  data=picture), picture[-3 * W * H:])
for system in ("os2", "windows"):
    write("bmp/netpbm-%s.bmp" % system, run("ppmtobmp", "-" + system, data=picture), picture[-3 * W * H:])
coarse, eight = masked((5, 6, 5))
data = run("convert", "ppm:-", "-define", "bmp:subtype=RGB565", "BMP:-",
           data=b"P6 %d %d 255\n" % (W, H) + eight)
offset = struct.unpack("<I", data[10:14])[0]
stored = [struct.unpack_from("<H", data, offset + (W * 2 + 3) // 4 * 4 * (H - 1 - y) + 2 * x)[0]
          for y in range(H) for x in range(W)]
write("bmp/magick-565.bmp", data,
      bytes(s for v in stored for s in (scaled(v >> 11, 31), scaled(v >> 5 & 63, 63), scaled(v & 31, 31))),
      check=False)

# ---- PNM ----

wide = [[tuple((s * 257 + x * 11) % 65536 for s in p) for x, p in enumerate(row)] for row in RGB]
write("pnm/rgb.ppm", b"P6\n# made by hand\n%d %d\n255\n" % (W, H) + packed(RGB), packed(RGB))
write("pnm/comments.ppm", b"P6#a\n #b\n %d\t#c\r\n\n%d\r 255\n" % (W, H) + packed(RGB), packed(RGB),
      check=False)
write("pnm/rgb-16.ppm",
      b"P6 %d %d 65535\n" % (W, H) + b"".join(struct.pack(">3H", *p) for r in wide for p in r),
      packed([[tuple(scaled(s, 65535) for s in p) for p in r] for r in wide]))
write("pnm/rgb-max-100.ppm",
      b"P6 %d %d 100\n" % (W, H) + bytes(s * 100 // 255 for s in packed(RGB)),
      bytes(scaled(s * 100 // 255, 100) for s in packed(RGB)), check=False)  # halves round up
write("pnm/grey.pgm", b"P5\n%d %d\n255\n" % (W, H) + bytes(s for r in grey for s in r),
      packed([[(i, i, i) for i in row] for row in grey]))
write("pnm/grey-max-1000.pgm",
      b"P5 %d %d 1000\n" % (W, H) + b"".join(struct.pack(">H", s * 3) for r in grey for s in r),
      packed([[(scaled(i * 3, 1000),) * 3 for i in row] for row in grey]), check=False)
for kind, depth, pixel in ((b"RGB", 3, lambda x, y: RGB[y][x]),
                           (b"RGB_ALPHA", 4, lambda x, y: RGB[y][x] + (x,)),
                           (b"GRAYSCALE", 1, lambda x, y: (grey[y][x],)),
                           (b"GRAYSCALE_ALPHA", 2, lambda x, y: (grey[y][x], y))):
    data = b"P7\n#by hand\nHEIGHT %d\nWIDTH %d\nDEPTH %d\nMAXVAL 255\nTUPLTYPE %s\nENDHDR\n" % (
        H, W, depth, kind)
    data += bytes(s for y in range(H) for x in range(W) for s in pixel(x, y))
    write("pnm/%s.pam" % kind.decode().lower().replace("_", "-"), data,
          packed([[pixel(x, y) if depth > 2 else (grey[y][x],) * 3 for x in range(W)]
                  for y in range(H)]), check=False)

inks = [[(x * y + x) % 3 == 0 for x in range(W)] for y in range(H)]  # 1 is black
black = packed([[(0, 0, 0) if ink else (255, 255, 255) for ink in row] for row in inks])
write("pnm/bits.pbm", b"P4\n#by hand\n%d %d\n" % (W, H) + b"".join(
    int("".join(str(int(i)) for i in row).ljust(24, "1"), 2).to_bytes(3, "big") for row in inks), black)
write("pnm/plain-packed.pbm", b"P1\n%d %d\n" % (W, H) + b"\n#next\n".join(
    "".join(str(int(i)) for i in row).encode() for row in inks), black, check=False)
write("pnm/netpbm-plain.pbm", run("pnmtoplainpnm", data=open("../pnm/bits.pbm", "rb").read()), black)
for source, name in (("rgb.ppm", "plain.ppm"), ("rgb-16.ppm", "plain-16.ppm"), ("grey.pgm", "plain.pgm"),
                     ("grey-max-1000.pgm", "plain-max-1000.pgm"), ("rgb-max-100.ppm", "plain-max-100.ppm")):
    data = open("../pnm/" + source, "rb").read()
    entry = [e for e in expected["pnm"] if e.startswith(source + " ")][0]
    expected["pnm"].append(entry.replace(source, "netpbm-" + name))
    with open("../pnm/netpbm-" + name, "wb") as out:
        out.write(run("pnmtoplainpnm", data=data))
write("pnm/magick-plain.ppm",
      run("convert", "ppm:-", "-compress", "none", "ppm:-", data=open("../pnm/rgb.ppm", "rb").read()),
      packed(RGB))
write("pnm/plain-comments.ppm", b"P3 #a\n2 #b\n1 15#c\n0 7 15 #d 9\n3\t8\r\n12#e\n",
      bytes(scaled(s, 15) for s in (0, 7, 15, 3, 8, 12)), 2, 1, check=False)
write("pnm/black-and-white.pam",
      b"P7\nWIDTH %d\nHEIGHT %d\nDEPTH 1\nMAXVAL 1\nTUPLTYPE BLACKANDWHITE\nENDHDR\n" % (W, H)
      + bytes(not ink for row in inks for ink in row), black, check=False)

# ---- QOI ----
header = struct.pack(">4sIIBB", b"qoif", W, H, 3, 0)
end = b"\0" * 7 + b"\1"
write("qoi/all-rgb.qoi",
      header + b"".join(b"\xfe" + bytes(p) for r in RGB for p in r) + end, packed(RGB))
write("qoi/all-rgba.qoi",
      struct.pack(">4sIIBB", b"qoif", W, H, 4, 1)
      + b"".join(b"\xff" + bytes(p) + bytes((9,)) for r in RGB for p in r) + end, packed(RGB))
# a run of the start pixel, then its index, differences that wrap, and a run past the end
flat = [(0, 0, 0)] * 3 + [(0, 0, 0)] + [(254, 255, 254)] + [(220, 223, 229)] + [(220, 223, 229)] * 4
write("qoi/chunks.qoi",
      struct.pack(">4sIIBB", b"qoif", 5, 2, 3, 0) + bytes((
          0xc0 | 2, 53,  # three black pixels, then the same one by its index
          0x40 | 0 << 4 | 1 << 2 | 0,  # -2, -1, -2
          0x80 | (223 - 255 + 32), ((220 - 254 + 32 + 8) << 4) | (229 - 254 + 32 + 8),
          0xc0 | 61)) + end, bytes(s for p in flat for s in p), 5, 2, check=False)
image = Image.frombytes("RGB", (W, H), packed(RGB))
for name, picture in (("pillow", image),
                      ("pillow-flat", Image.new("RGB", (200, 7), (9, 8, 7)))):
    buffer = io.BytesIO()
    picture.save(buffer, "QOI")
    write("qoi/%s.qoi" % name, buffer.getvalue(), picture.tobytes(), *picture.size)

# ---- WebP ----
def webp(name, picture, **options):
    buffer = io.BytesIO()
    picture.save(buffer, "WEBP", **options)
    seen = Image.open(io.BytesIO(buffer.getvalue()))
    pixels = seen.tobytes()
    if seen.mode == "RGBA":
        pixels = bytes(s for i, s in enumerate(pixels) if i % 4 != 3)
    write("webp/" + name, buffer.getvalue(), pixels, *picture.size)
    return buffer.getvalue()


clear = Image.merge("RGBA", image.split() + (Image.linear_gradient("L").resize((W, H)),))
exif = Image.Exif()
exif[0x112] = 6
webp("lossy.webp", image, quality=80)
webp("lossless.webp", image, lossless=True)
webp("lossy-alpha.webp", clear, quality=80)
webp("lossless-alpha.webp", clear, lossless=True, exact=True)
webp("orientation-6.webp", image, quality=80, exif=exif, icc_profile=b"not looked at")
webp("flat.webp", Image.new("RGB", (160, 90), (10, 200, 90)), lossless=True)
frames = [Image.new("RGB", (32, 32), (50 * i, 0, 0)) for i in range(5)]
frames[0].save("../webp/animated.webp", save_all=True, append_images=frames[1:], lossless=True)

for folder, lines in expected.items():
    with open("../%s/expected.txt" % folder, "w") as out:
        out.write("# name width height CRC-32 of the packed RGB pixels\n")
        out.write("".join(line + "\n" for line in sorted(lines)))
