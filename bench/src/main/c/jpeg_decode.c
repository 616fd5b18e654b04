/* Decodes JPEGs over and over in one thread, as a C programmer would: the counterpart of
 * JpegDecodeLoop.java, run against it by jpeg-decode.sh.
 *
 * Files are in memory, sizes are known, handle and pixel buffer are reused.
 * Usage: jpeg_decode warm-up-rounds timed-rounds < list-of-files
 * Prints the medians of the rounds: images a second by the clock and by CPU time, MB of pixels a
 * second by the clock.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <turbojpeg.h>

struct image {
  unsigned char *bytes;
  unsigned long size;
  int width, height;
};

static double seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

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

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: jpeg_decode warm-up-rounds timed-rounds < list-of-files\n");
    return 2;
  }
  int warm_up = atoi(argv[1]), rounds = atoi(argv[2]);
  tjhandle handle = tjInitDecompress();
  struct image *images = NULL;
  size_t count = 0, largest = 0;
  double all = 0;
  char name[4096];
  while (fgets(name, sizeof name, stdin)) {
    name[strcspn(name, "\n")] = 0;
    images = realloc(images, (count + 1) * sizeof *images);
    struct image *image = images + count;
    int subsampling, colours;
    if (load(name, image) ||
        tjDecompressHeader3(handle, image->bytes, image->size, &image->width, &image->height,
                            &subsampling, &colours) ||
        colours == TJCS_CMYK || colours == TJCS_YCCK) {
      fprintf(stderr, "left out: %s\n", name);
      continue;
    }
    size_t rgb = (size_t)3 * image->width * image->height;
    largest = rgb > largest ? rgb : largest;
    all += rgb;
    count++;
  }
  unsigned char *pixels = calloc(1, largest);
  double *wall = calloc(rounds, sizeof *wall), *cpu = calloc(rounds, sizeof *cpu);
  if (!count || !pixels || !wall || !cpu) {
    fprintf(stderr, "no JPEG, or no memory\n");
    return 1;
  }
  for (int round = -warm_up; round < rounds; round++) {
    double wall_start = seconds(CLOCK_MONOTONIC), cpu_start = seconds(CLOCK_THREAD_CPUTIME_ID);
    for (size_t i = 0; i < count; i++) {
      struct image *image = images + i;
      if (tjDecompress2(handle, image->bytes, image->size, pixels, image->width, 3 * image->width,
                        image->height, TJPF_RGB, TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS) &&
          tjGetErrorCode(handle) == TJERR_FATAL) {
        fprintf(stderr, "%s\n", tjGetErrorStr2(handle));
        return 1;
      }
    }
    if (round >= 0) {
      wall[round] = seconds(CLOCK_MONOTONIC) - wall_start;
      cpu[round] = seconds(CLOCK_THREAD_CPUTIME_ID) - cpu_start;
    }
  }
  qsort(wall, rounds, sizeof *wall, ascending);
  qsort(cpu, rounds, sizeof *cpu, ascending);
  printf("%.1f %.1f %.1f\n", count / wall[rounds / 2], count / cpu[rounds / 2],
         all / 1e6 / wall[rounds / 2]);
  return 0;
}
