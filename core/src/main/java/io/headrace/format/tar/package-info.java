/// WebDataset: samples as runs of members of tar archives.
///
/// Reads ustar, PAX and GNU archives, plain or compressed as a whole, and writes plain ustar with
/// PAX records where they are needed. What the members hold is the codecs' business.
@NullMarked
package io.headrace.format.tar;

import org.jspecify.annotations.NullMarked;
