"""Makes the JPEG fixtures of this folder, and the pixels they decode to.

Usage: python3 generate.py   (in this folder; needs cjpeg, djpeg of libjpeg-turbo 2.1 and Pillow)

Every picture is synthetic. See README.md for what each file is.
"""
import io
import os
import struct
import subprocess
import tempfile
import zlib

from PIL import Image


def picture(w, h):
    return Image.frombytes(
        "RGB", (w, h), bytes(v for y in range(h) for x in range(w)
                             for v in (x * 255 // max(1, w - 1), y * 255 // max(1, h - 1),
                                       x * y * 255 // max(1, (w - 1) * (h - 1)))))


def ppm(image):
    out = io.BytesIO()
    image.save(out, "PPM")
    return out.getvalue()


def cjpeg(image, *options):
    return subprocess.run(["cjpeg", *options], input=ppm(image), stdout=subprocess.PIPE,
                          check=True).stdout


def djpeg(jpeg):
    return Image.open(io.BytesIO(subprocess.run(
        ["djpeg", "-pnm"], input=jpeg, stdout=subprocess.PIPE, check=True).stdout)).convert("RGB")


expected = {}


def keep(name, data, pixels=None):
    with open(name, "wb") as file:
        file.write(data)
    if pixels is None:
        pixels = djpeg(data)
    expected[name] = "%s %d %d %08x" % (
        name, pixels.width, pixels.height, zlib.crc32(pixels.tobytes()))


def sos_offsets(data):
    at, found = 2, []
    while data[at + 1] != 0xD9:
        marker = data[at + 1]
        if marker == 0xDA:
            found.append(at)
        at += 2 + struct.unpack(">H", data[at + 2:at + 4])[0]
        if marker == 0xDA:
            while data[at] != 0xFF or data[at + 1] == 0 or 0xD0 <= data[at + 1] <= 0xD7:
                at += 1
    return found


def flat(size, colour):
    return Image.new("RGB", size, colour)


base = picture(64, 48)
odd = picture(61, 45)
q90 = cjpeg(base, "-quality", "90")
keep("baseline.jpg", q90)
keep("odd.jpg", cjpeg(odd, "-quality", "90"))
keep("grey.jpg", cjpeg(odd, "-quality", "90", "-grayscale"))
keep("progressive.jpg", cjpeg(odd, "-quality", "90", "-progressive"))
keep("restart-blocks.jpg", cjpeg(base, "-quality", "90", "-restart", "1B"))
keep("restart-rows.jpg", cjpeg(base, "-quality", "90", "-restart", "2"))
keep("progressive-restart.jpg", cjpeg(base, "-quality", "90", "-progressive", "-restart", "4B"))
keep("arithmetic.jpg", cjpeg(odd, "-quality", "90", "-arithmetic"))
keep("arithmetic-progressive.jpg", cjpeg(odd, "-quality", "90", "-arithmetic", "-progressive"))
with tempfile.NamedTemporaryFile("w") as script:  # a scan for each component
    script.write("0;\n1;\n2;\n")
    script.flush()
    keep("scans.jpg", cjpeg(odd, "-quality", "90", "-scans", script.name))
    keep("arithmetic-scans.jpg",
         cjpeg(odd, "-quality", "90", "-arithmetic", "-scans", script.name))
keep("quality-3.jpg", cjpeg(odd, "-quality", "3"))
for factors in ("4x1", "1x2", "1x4", "2x4", "4x2", "3x1", "2x1", "1x1", "2x2,1x1,2x1",
                "2x2,1x2,1x2"):
    keep("sample-%s.jpg" % factors.replace(",", "-"),
         cjpeg(odd, "-quality", "90", "-sample", factors))

# three components stored as RGB, with and without what says so
rgb = cjpeg(flat((16, 16), (200, 30, 60)), "-rgb", "-quality", "95")
keep("rgb.jpg", rgb)
adobe = rgb.index(b"\xff\xee")
bare = rgb[:adobe] + rgb[adobe + 2 + struct.unpack(">H", rgb[adobe + 2:adobe + 4])[0]:]
keep("rgb-without-adobe.jpg", bare)
ids = bytearray(bare)
sof = bare.index(b"\xff\xc0")
sos = bare.index(b"\xff\xda")
for i in range(3):
    ids[sof + 10 + 3 * i] = i + 1
    ids[sos + 5 + 2 * i] = i + 1
keep("rgb-taken-for-ycc.jpg", bytes(ids))

# CMYK and YCCK, inks stored inverted; pixels by round(C * K / 255)
def cmyk(colour, transform=None):
    out = io.BytesIO()
    Image.new("CMYK", (16, 16), colour).save(out, "JPEG", quality=95, subsampling=0)
    data = bytearray(out.getvalue())
    if transform is not None:
        data[data.index(b"Adobe") + 11] = transform
    return bytes(data)


def rgb_of(data):
    stored = Image.open(io.BytesIO(data)).tobytes()  # Pillow inverts what is stored
    return Image.frombytes("RGB", (16, 16), bytes(
        ((255 - stored[4 * i + c]) * (255 - stored[4 * i + 3]) + 127) // 255
        for i in range(256) for c in range(3)))


for name, data in (("cmyk.jpg", cmyk((20, 200, 90, 30))), ("ycck.jpg", cmyk((179, 170, 0, 0), 2))):
    keep(name, data, rgb_of(data))

# orientation, and a thumbnail that a search for markers would find first
corner = Image.new("RGB", (24, 16))
for box, colour in (((0, 0, 12, 8), (255, 0, 0)), ((12, 0, 24, 8), (0, 255, 0)),
                    ((0, 8, 12, 16), (0, 0, 255)), ((12, 8, 24, 16), (255, 255, 0))):
    corner.paste(colour, box)
plain = cjpeg(corner, "-quality", "90", "-sample", "1x1")
thumb = cjpeg(picture(160, 120), "-quality", "50")


def app1(payload):
    return b"\xff\xe1" + struct.pack(">H", 2 + len(payload)) + payload


keep("thumbnail.jpg", plain[:2] + app1(b"Exif\0\0" + thumb) + plain[2:])
for order, pack in (("ii", "<"), ("mm", ">")):
    tiff = (b"II" if order == "ii" else b"MM") + struct.pack(pack + "HIH", 42, 8, 2)
    tiff += struct.pack(pack + "HHIHH", 0x0100, 3, 1, 24, 0)
    tiff += struct.pack(pack + "HHIHH", 0x0112, 3, 1, 6, 0) + struct.pack(pack + "I", 0)
    keep("orientation-6-%s.jpg" % order, plain[:2] + app1(b"Exif\0\0" + tiff) + plain[2:])

# oddities that decode to the same pixels
same = djpeg(q90)
keep("line-number.jpg", q90[:-2] + b"\xff\xdc\0\x04\0\x30" + q90[-2:], same)
keep("fill-bytes.jpg", q90[:2] + b"\xff\xff\xff" + q90[2:], same)
prog = cjpeg(base, "-quality", "90", "-progressive")
third = sos_offsets(prog)[2]
keep("empty-huffman.jpg", prog[:third] + b"\xff\xc4\0\x02" + prog[third:], djpeg(prog))
jfif = bytearray(q90)
jfif[jfif.index(b"JFIF\0") + 5] = 0
keep("jfif-0.jpg", bytes(jfif), same)
keep("extraneous.jpg", q90[:-2] + b"\0\0\0\0" + q90[-2:], same)

# tables of its own, in natural order: all steps odd
with tempfile.TemporaryDirectory() as folder:
    qtables = os.path.join(folder, "qtables.txt")
    with open(qtables, "w") as file:
        file.write("\n".join(" ".join(str(3 + 2 * (x + a * y)) for y in range(8) for x in range(8))
                             for a in (2, 4)))
    keep("tables.jpg", cjpeg(odd, "-qtables", qtables, "-qslots", "0,1"))

with open("expected.txt", "w") as file:
    file.write("# name width height CRC-32 of the packed RGB pixels\n")
    file.write("".join(expected[name] + "\n" for name in sorted(expected)))
print(sum(os.path.getsize(name) for name in expected), "bytes in", len(expected), "files")
