/// Decodes only the restart segments that a window needs, and makes the JPEGs that have them.
///
/// Leaves out where tables are kept, and which windows are wanted.
@NullMarked
package io.headrace.codec.jpeg.tiles;

import org.jspecify.annotations.NullMarked;
