/* Resizes and normalises the planes of a photo as a C programmer would for the vectoriser of his
 * compiler: the counterpart of Headrace's kernels in KernelLoop.java, built and run by kernels.sh.
 *
 * A triangle filter whose width follows the reduction (Pillow's BILINEAR, torchvision's antialias);
 * chrominance, which has half the resolution, is filtered with weights that do libjpeg-turbo's
 * upsampling and the resize at once. Rows first, into a ring that the filter down the columns
 * reads: the neighbours of an output are fetched as one word of four bytes, which the vectoriser
 * makes vectors of. Columns first, in floats or in 16 bits, takes 1.3 to 1.8 times as long, and so
 * do gather instructions (-mtune=haswell).
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN 4
#define RING 64 /* rows that a reduction by up to 31 reads */
#define INLINE static inline __attribute__((always_inline))

/* How one axis of a plane is filtered: output i is the sum over t < count of
 * weights[t * outputs + i] * sample[first[i] + t]. */
struct axis {
  int outputs, count, begin, end, room;
  int *first;
  float *weights;
};

/* Rows of a plane that were filtered along the row; row y is rows[y % RING]. */
struct ring {
  float *rows[RING];
  int room, ready;
};

typedef uint32_t word __attribute__((may_alias, aligned(1)));

static int smaller(int a, int b) { return a < b ? a : b; }
static int larger(int a, int b) { return a > b ? a : b; }

static void reserve(struct axis *axis, int outputs, int count) {
  axis->outputs = outputs;
  axis->count = count;
  if (outputs * count > axis->room) {
    axis->room = outputs * count;
    axis->first = realloc(axis->first, sizeof(int) * axis->room);
    axis->weights = realloc(axis->weights, sizeof(float) * axis->room);
  }
}

static void set(struct axis *axis, int output, const float *shares, float sum, int n, int start) {
  int first = larger(axis->begin, smaller(start, axis->end - axis->count));
  int shift = start - first;
  float scale = 1 / sum;
  axis->first[output] = first;
  for (int t = 0; t < axis->count; t++) {
    int share = t - shift;
    axis->weights[t * axis->outputs + output] = share >= 0 && share < n ? shares[share] * scale : 0;
  }
}

/* Weights of luminance, and of chrominance at half the resolution. */
static void prepare(struct axis *luma, struct axis *chroma, int samples, int from, int length,
                    int outputs, int mirrored) {
  float step = (float)length / outputs, reach = step > 1 ? step : 1, inverse = 1 / reach;
  int taps = (int)ceilf(2 * reach), low = from, high = from + length;
  int halves = taps / 2 + 2, last = (samples + 1) / 2 - 1;
  float memory[taps + 2 * MARGIN], half[halves];
  float *shares = memory + MARGIN;
  luma->begin = low;
  luma->end = high;
  chroma->begin = larger(0, low - 1) / 2;
  chroma->end = smaller(last, high / 2) + 1;
  reserve(luma, outputs, smaller(taps, high - low));
  reserve(chroma, outputs, smaller(halves, chroma->end - chroma->begin));
  memset(memory, 0, sizeof memory);
  for (int i = 0; i < outputs; i++) {
    float centre = from + ((mirrored ? outputs - 1 - i : i) + 0.5f) * step, sum = 0;
    int start = (int)floorf(centre - reach + 0.5f), c = (start - 1) >> 1;
    for (int t = 0; t < taps; t++) {
      float share = 1 - fabsf(start + t + 0.5f - centre) * inverse;
      shares[t] = share > 0 && start + t >= low && start + t < high ? share : 0;
      sum += shares[t];
    }
    set(luma, i, shares, sum, taps, start);
    for (int t = 0; t < halves; t++) { /* 3/4 to the two samples covered, 1/4 to their neighbours */
      const float *x = shares + 2 * (c + t) - start;
      half[t] = 0.25f * (x[-1] + x[2]) + 0.75f * (x[0] + x[1]);
    }
    if (c < 0) { /* the picture's edges are their own neighbours */
      half[-c] += 0.25f * shares[-start];
    }
    if (c + halves > last && 2 * last + 1 < samples && 2 * last + 1 - start < taps) {
      half[last - c] += 0.25f * shares[2 * last + 1 - start];
    }
    set(chroma, i, half, sum, halves, c);
  }
}

INLINE void across(const uint8_t *restrict row, const int *restrict first, const float *restrict w,
                   int n, int count, float *restrict out) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int t = 0; t < count; t += 4) {
      uint32_t four = *(const word *)(row + first[i] + t);
      for (int k = t; k < t + 4 && k < count; k++) {
        sum += w[k * n + i] * (float)(int)(four >> 8 * (k - t) & 255);
      }
    }
    out[i] = sum;
  }
}

static void filter_row(const uint8_t *row, const struct axis *axis, float *out) {
  const int *first = axis->first;
  const float *w = axis->weights;
  int n = axis->outputs;
  switch (axis->count) { /* the loop over taps is gone where their number is known */
    case 2: across(row, first, w, n, 2, out); break;
    case 3: across(row, first, w, n, 3, out); break;
    case 4: across(row, first, w, n, 4, out); break;
    case 5: across(row, first, w, n, 5, out); break;
    case 6: across(row, first, w, n, 6, out); break;
    default: across(row, first, w, n, axis->count, out);
  }
}

INLINE void down(float *const *rows, int at, const float *w, int stride, int count, int n,
                 float *restrict out) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int t = 0; t < count; t++) {
      sum += w[t * stride] * rows[(at + t) % RING][i];
    }
    out[i] = sum;
  }
}

static void filter_rows(struct ring *ring, const struct axis *axis, int y, int n, float *out) {
  const float *w = axis->weights + y;
  int stride = axis->outputs, at = axis->first[y];
  switch (axis->count) {
    case 2: down(ring->rows, at, w, stride, 2, n, out); break;
    case 3: down(ring->rows, at, w, stride, 3, n, out); break;
    case 4: down(ring->rows, at, w, stride, 4, n, out); break;
    case 5: down(ring->rows, at, w, stride, 5, n, out); break;
    case 6: down(ring->rows, at, w, stride, 6, n, out); break;
    default: down(ring->rows, at, w, stride, axis->count, n, out);
  }
}

static void output_row(struct ring *ring, const uint8_t *plane, long stride,
                       const struct axis *columns, const struct axis *rows, int y, float *out) {
  for (; ring->ready < rows->first[y] + rows->count; ring->ready++) {
    filter_row(plane + ring->ready * stride, columns, ring->rows[ring->ready % RING]);
  }
  filter_rows(ring, rows, y, columns->outputs, out);
}

static void begin(struct ring *ring, int outputs, int first) {
  for (int i = 0; i < RING && outputs > ring->room; i++) {
    ring->rows[i] = realloc(ring->rows[i], sizeof(float) * outputs);
  }
  ring->room = larger(ring->room, outputs);
  ring->ready = first;
}

static float within(float x) { return x < 0 ? 0 : x > 255 ? 255 : x; }

/* JFIF 1.02: ITU-R BT.601, full range. */
static void colours(int n, const float *restrict y, const float *restrict cb,
                    const float *restrict cr, float *restrict red, float *restrict green,
                    float *restrict blue) {
  for (int i = 0; i < n; i++) {
    float u = cb[i] - 128, v = cr[i] - 128;
    red[i] = within(y[i] + 1.402f * v);
    green[i] = within(y[i] - 0.344136286f * u - 0.714136286f * v);
    blue[i] = within(y[i] + 1.772f * u);
  }
}

static void bytes(int n, const float *restrict x, uint8_t *restrict out) {
  for (int i = 0; i < n; i++) {
    out[i] = (uint8_t)(int)(x[i] + 0.5f);
  }
}

static void interleave(int n, const uint8_t *restrict red, const uint8_t *restrict green,
                       const uint8_t *restrict blue, uint8_t *restrict out) {
  for (int i = 0; i < n; i++) {
    out[3 * i] = red[i];
    out[3 * i + 1] = green[i];
    out[3 * i + 2] = blue[i];
  }
}

static void normalise(int n, const float *restrict x, float scale, float shift,
                      float *restrict out) {
  for (int i = 0; i < n; i++) {
    out[i] = x[i] * scale + shift;
  }
}

/* Makes outputs x outputs pixels of a box: uint8 [outputs, outputs, 3], or float32 [3, outputs,
 * outputs] with value * scales[channel] + shifts[channel]. Planes are 4:2:0, and three bytes behind
 * them can be read. For one thread; memory is kept for the next call. */
void headrace_resize(const uint8_t *y, const uint8_t *cb, const uint8_t *cr, int y_stride,
                     int c_stride, int height, int width, int top, int left, int box_height,
                     int box_width, int outputs, int mirrored, int floats, const float *scales,
                     const float *shifts, void *target) {
  static struct axis y_columns, c_columns, y_rows, c_rows;
  static struct ring rings[3];
  float luma[outputs], blueness[outputs], redness[outputs];
  float red[outputs], green[outputs], blue[outputs];
  uint8_t reds[outputs], greens[outputs], blues[outputs];
  prepare(&y_columns, &c_columns, width, left, box_width, outputs, mirrored);
  prepare(&y_rows, &c_rows, height, top, box_height, outputs, 0);
  begin(&rings[0], outputs, y_rows.begin);
  begin(&rings[1], outputs, c_rows.begin);
  begin(&rings[2], outputs, c_rows.begin);
  for (int row = 0; row < outputs; row++) {
    output_row(&rings[0], y, y_stride, &y_columns, &y_rows, row, luma);
    output_row(&rings[1], cb, c_stride, &c_columns, &c_rows, row, blueness);
    output_row(&rings[2], cr, c_stride, &c_columns, &c_rows, row, redness);
    colours(outputs, luma, blueness, redness, red, green, blue);
    if (floats) {
      long plane = (long)outputs * outputs;
      float *out = (float *)target + (long)row * outputs;
      normalise(outputs, red, scales[0], shifts[0], out);
      normalise(outputs, green, scales[1], shifts[1], out + plane);
      normalise(outputs, blue, scales[2], shifts[2], out + 2 * plane);
    } else {
      bytes(outputs, red, reds);
      bytes(outputs, green, greens);
      bytes(outputs, blue, blues);
      interleave(outputs, reds, greens, blues, (uint8_t *)target + 3L * row * outputs);
    }
  }
}
