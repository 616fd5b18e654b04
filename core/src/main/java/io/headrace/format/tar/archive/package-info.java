/// Tar archives as rows of members: their headers, read and written, and the bytes between these.
///
/// Which members make a sample, and what they hold, is the business of the room above.
@NullMarked
package io.headrace.format.tar.archive;

import org.jspecify.annotations.NullMarked;
