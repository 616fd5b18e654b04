/* Decodes JPEGs and encodes them again at another quality with libturbojpeg alone: what a
 * conversion costs at least. Run by convert-speed.sh.
 *
 * Files are in memory; each process has its own handles and buffers and every so-manieth file.
 * Usage: jpeg_recode quality processes < list-of-files
 * Prints images a second over all processes, by the clock.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <turbojpeg.h>
#include <unistd.h>

struct image {
  unsigned char *bytes;
  unsigned long size;
};

static int load(const char *name, struct image *image) {
  FILE *file = fopen(name, "rb");
  if (!file) {
    return -1;
  }
  fseek(file, 0, SEEK_END);
  image->size = (unsigned long)ftell(file);
  rewind(file);
  image->bytes = malloc(image->size);
  size_t read = image->bytes ? fread(image->bytes, 1, image->size, file) : 0;
  fclose(file);
  return read == image->size ? 0 : -1;
}

static int recode(struct image *images, size_t count, size_t from, size_t step, int quality) {
  tjhandle in = tjInitDecompress(), out = tjInitCompress();
  unsigned char *pixels = NULL, *jpeg = NULL;
  unsigned long largest = 0, room = 0;
  for (size_t i = from; i < count; i += step) {
    int width, height, subsampling, colours;
    if (tjDecompressHeader3(in, images[i].bytes, images[i].size, &width, &height, &subsampling,
                            &colours)) {
      return 1;
    }
    unsigned long rgb = 3UL * width * height, bound = tjBufSize(width, height, TJSAMP_420);
    if (rgb > largest) {
      pixels = realloc(pixels, largest = rgb);
    }
    if (bound > room) {
      jpeg = realloc(jpeg, room = bound);
    }
    unsigned long size = room;
    if (!pixels || !jpeg ||
        tjDecompress2(in, images[i].bytes, images[i].size, pixels, width, 0, height, TJPF_RGB,
                      0) ||
        tjCompress2(out, pixels, width, 0, height, TJPF_RGB, &jpeg, &size, TJSAMP_420, quality,
                    TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT)) {
      return 1;
    }
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: jpeg_recode quality processes < list-of-files\n");
    return 2;
  }
  int quality = atoi(argv[1]), processes = atoi(argv[2]);
  struct image *images = NULL;
  size_t count = 0;
  char name[4096];
  while (fgets(name, sizeof name, stdin)) {
    name[strcspn(name, "\n")] = 0;
    images = realloc(images, (count + 1) * sizeof *images);
    if (load(name, images + count)) {
      fprintf(stderr, "cannot read %s\n", name);
      return 1;
    }
    count++;
  }
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int i = 0; i < processes; i++) {
    if (fork() == 0) {
      _exit(recode(images, count, i, processes, quality));
    }
  }
  int failed = 0, status;
  for (int i = 0; i < processes; i++) {
    wait(&status);
    failed |= status;
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  if (failed || !count) {
    fprintf(stderr, "a file could not be recoded\n");
    return 1;
  }
  printf("%.1f\n", count / (end.tv_sec - start.tv_sec + (end.tv_nsec - start.tv_nsec) / 1e9));
  return 0;
}
