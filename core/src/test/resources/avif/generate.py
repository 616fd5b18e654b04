"""Makes the AVIF fixtures of this folder with avifenc, and what avifdec reads from them as PPM.

Usage: python3 generate.py   (in this folder; needs avifenc and avifdec of libavif, heif-enc of libheif, and Pillow)
"""
import os
import subprocess
import tempfile

from PIL import Image

W, H = 19, 13
work = tempfile.mkdtemp()


def png(name, width, height, alpha=False):
    image = Image.new("RGBA" if alpha else "RGB", (width, height))
    for y in range(height):
        for x in range(width):
            pixel = (x * 255 // width, y * 255 // height, (x + y) * 255 // (width + height))
            image.putpixel((x, y), pixel + ((40 + x) * alpha,) if alpha else pixel)
    path = os.path.join(work, name)
    image.save(path)
    return path


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def make(name, source, *options, reference=True):
    run("avifenc", "-s", "6", *options, *source, name + ".avif")
    if reference:
        back = os.path.join(work, "back.png")
        run("avifdec", "-u", "bilinear", name + ".avif", back)
        Image.open(back).convert("RGB").save(name + ".ppm")


small = png("small.png", W, H)
quantizers = ("--min", "10", "--max", "10")
make("yuv420", [small], "-y", "420", *quantizers)
make("yuv444-10", [small], "-y", "444", "-d", "10", *quantizers)
make("yuv422-limited", [small], "-y", "422", "-r", "limited", *quantizers)
make("grey", [small], "-y", "400", *quantizers)
make("identity", [small], "--lossless")
make("alpha", [png("clear.png", W, H, True)], "-y", "420", *quantizers)
make("grid", [png("left.png", 64, 64), png("right.png", 64, 64)], "--grid", "2x1", "-y", "420",
     *quantizers)
for orientation, transform in ((3, ("--irot", "2")), (4, ("--imir", "0")), (5, ("--irot", "1", "--imir", "0")),
                               (6, ("--irot", "3")), (8, ("--irot", "1"))):
    make("orientation-%d" % orientation, [small], "-y", "420", *transform, reference=False)
make("sequence", [small, small], "-y", "420", reference=False)

# A second item of ten times as many columns and rows, as gain maps and larger versions are stored.
run("heif-enc", "-A", "-q", "80", small, png("large.png", 10 * W, 10 * H), "-o", "larger-item.avif")
run("avifdec", "-u", "bilinear", "larger-item.avif", os.path.join(work, "back.png"))
Image.open(os.path.join(work, "back.png")).convert("RGB").save("larger-item.ppm")
