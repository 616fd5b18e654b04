/// What every reader and writer of JPEG knows: the header, the standard's tables, the quality.
///
/// The rooms below decode and rewrite; they see this one, and it sees none of them.
@NullMarked
package io.headrace.codec.jpeg;

import org.jspecify.annotations.NullMarked;
