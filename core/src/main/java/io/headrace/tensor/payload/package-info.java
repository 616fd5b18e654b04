/// What stands between header and checksum of an encoded tensor: words of any type, by each codec.
///
/// Knows nothing of element types, options or which codec to take.
@NullMarked
package io.headrace.tensor.payload;

import org.jspecify.annotations.NullMarked;
