/* Decodes random windows of JPEGs with libjpeg-turbo's own region decode, as a C programmer would:
 * the counterpart of JpegTiledLoop.java, run against it by jpeg-tiled.sh.
 *
 * Files are in memory, decoder and pixel buffer are reused. Four ways: the whole picture; the whole
 * at the smallest of 1/8, 1/4, 1/2 that still covers the target (pow2); jpeg_skip_scanlines and
 * jpeg_crop_scanline around the window, one pixel wider for chroma's sake; and that with pow2.
 * Ways take turns window by window.
 *
 * Usage: jpeg_roi windows-file target warm-up-rounds timed-rounds
 * The file has lines "top left height width path". Prints for each way the median over the rounds
 * of the mean CPU time for a window in microseconds, and a hash of all windows' pixels.
 */
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <jpeglib.h>

enum { FULL, FULL_POW2, ROI, ROI_POW2, WAYS };

static const char *NAMES[WAYS] = {"full", "full+pow2", "region", "region+pow2"};

struct window {
  unsigned char *bytes;
  unsigned long size;
  int top, left, height, width;
};

static struct jpeg_decompress_struct cinfo;
static struct jpeg_error_mgr errors;
static unsigned char *pixels;
static size_t capacity;

static double microseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static unsigned char *load(const char *name, unsigned long *size) {
  FILE *file = fopen(name, "rb");
  if (!file) {
    perror(name);
    exit(1);
  }
  fseek(file, 0, SEEK_END);
  *size = (unsigned long)ftell(file);
  rewind(file);
  unsigned char *bytes = malloc(*size);
  if (!bytes || fread(bytes, 1, *size, file) != *size) {
    perror(name);
    exit(1);
  }
  fclose(file);
  return bytes;
}

/* Decodes one window; returns the hash of its pixels where asked to. */
static uint64_t decode(const struct window *w, int way, int target, int hashing) {
  int eighths = 8;
  if (way == FULL_POW2 || way == ROI_POW2) {
    for (eighths = 1; eighths < 8; eighths *= 2) {
      if ((long)w->height * eighths >= 8L * target && (long)w->width * eighths >= 8L * target) {
        break;
      }
    }
  }
  jpeg_mem_src(&cinfo, w->bytes, w->size);
  jpeg_read_header(&cinfo, TRUE);
  cinfo.scale_num = eighths;
  cinfo.scale_denom = 8;
  cinfo.out_color_space = JCS_RGB;
  cinfo.dct_method = JDCT_ISLOW;
  jpeg_start_decompress(&cinfo);
  int top = w->top * eighths / 8, left = w->left * eighths / 8;
  int bottom = ((w->top + w->height) * eighths + 7) / 8;
  int right = ((w->left + w->width) * eighths + 7) / 8;
  int first = 0, last = cinfo.output_height;
  JDIMENSION x = 0, width = cinfo.output_width;
  if (way >= ROI) {
    first = top > 0 ? top - 1 : 0;
    last = bottom < (int)cinfo.output_height ? bottom + 1 : bottom;
    x = left > 0 ? left - 1 : 0;
    width = (right < (int)cinfo.output_width ? right + 1 : right) - x;
    jpeg_crop_scanline(&cinfo, &x, &width);
    jpeg_skip_scanlines(&cinfo, first);
  }
  size_t stride = (size_t)3 * cinfo.output_width;
  if (stride * (last - first) > capacity) {
    capacity = stride * (last - first);
    pixels = realloc(pixels, capacity);
    memset(pixels, 0, capacity);
  }
  while ((int)cinfo.output_scanline < last) {
    JSAMPROW rows[8];
    int count = last - cinfo.output_scanline < 8 ? last - (int)cinfo.output_scanline : 8;
    for (int i = 0; i < count; i++) {
      rows[i] = pixels + stride * (cinfo.output_scanline - first + i);
    }
    jpeg_read_scanlines(&cinfo, rows, count);
  }
  jpeg_abort_decompress(&cinfo);
  uint64_t hash = 0;
  for (int y = top; hashing && y < bottom; y++) {
    const unsigned char *row = pixels + stride * (y - first) + 3 * (left - (int)x);
    for (int i = 0; i < 3 * (right - left); i++) {
      hash = hash * 31 + row[i];
    }
  }
  return hash;
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: jpeg_roi windows-file target warm-up-rounds timed-rounds\n");
    return 2;
  }
  int target = atoi(argv[2]), warm_up = atoi(argv[3]), rounds = atoi(argv[4]);
  FILE *file = fopen(argv[1], "r");
  struct window *windows = NULL;
  int count = 0, top, left, height, width;
  char name[4096], last[4096] = "";
  while (file &&
         fscanf(file, "%d %d %d %d %4095[^\n]", &top, &left, &height, &width, name) == 5) {
    windows = realloc(windows, (count + 1) * sizeof *windows);
    struct window *w = windows + count;
    if (strcmp(name, last)) {
      w->bytes = load(name, &w->size);
      strcpy(last, name);
    } else {
      w->bytes = windows[count - 1].bytes;
      w->size = windows[count - 1].size;
    }
    w->top = top;
    w->left = left;
    w->height = height;
    w->width = width;
    count++;
  }
  if (!count) {
    fprintf(stderr, "no windows in %s\n", argv[1]);
    return 1;
  }
  cinfo.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&cinfo);
  uint64_t hashes[WAYS] = {0};
  for (int way = 0; way < WAYS; way++) {
    for (int i = 0; i < count; i++) {
      hashes[way] = hashes[way] * 1000003 + decode(windows + i, way, target, 1);
    }
  }
  double *times[WAYS];
  for (int way = 0; way < WAYS; way++) {
    times[way] = calloc(rounds, sizeof(double));
  }
  for (int round = -warm_up; round < rounds; round++) {
    double sums[WAYS] = {0};
    for (int i = 0; i < count; i++) {
      for (int turn = 0; turn < WAYS; turn++) {
        int way = (turn + i + round + warm_up) % WAYS;
        double start = microseconds();
        decode(windows + i, way, target, 0);
        sums[way] += microseconds() - start;
      }
    }
    for (int way = 0; way < WAYS && round >= 0; way++) {
      times[way][round] = sums[way] / count;
    }
  }
  for (int way = 0; way < WAYS; way++) {
    qsort(times[way], rounds, sizeof(double), ascending);
    printf("%s %.1f %016llx\n", NAMES[way], times[way][rounds / 2],
           (unsigned long long)hashes[way]);
  }
  return 0;
}
