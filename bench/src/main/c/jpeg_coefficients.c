/* Reads the coefficients of a JPEG with libjpeg: Huffman decoding, and nothing else. PackedLoop.java
 * calls it from its process; packed.sh compiles it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <jpeglib.h>

static struct jpeg_decompress_struct info;
static struct jpeg_error_mgr errors;

/* Returns the blocks of the first component, across. The JPEG must be sound. */
int headrace_coefficients(unsigned char *jpeg, unsigned long bytes) {
  if (!info.err) {
    info.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&info);
  }
  jpeg_mem_src(&info, jpeg, bytes);
  jpeg_read_header(&info, TRUE);
  int across = jpeg_read_coefficients(&info) ? (int)info.comp_info[0].width_in_blocks : 0;
  jpeg_finish_decompress(&info);
  return across;
}
