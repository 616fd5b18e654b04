"""Makes the fixtures of ../webp, ../qoi, ../bmp and ../pnm and the RGB pixels each stands for.

Usage: python3 generate.py   (in this folder; needs Pillow 11 or newer with WebP)

BMP and PNM are put together here from the definitions and their pixels follow from those; WebP is
written and read by Pillow, QOI written both here, with other choices of chunks than an encoder
makes, and by Pillow. Where Pillow reads a file that is put together here, it must agree.
"""
import io
import os
import struct
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

# ---- PNM ----
def scaled(value, maxval):
    return (510 * value + maxval) // (2 * maxval)


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
