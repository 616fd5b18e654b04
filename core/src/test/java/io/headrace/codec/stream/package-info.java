/// Laws of the compressed streams, checked against the JDK's own zlib and other tools' files.
@NullMarked
package io.headrace.codec.stream;

import org.jspecify.annotations.NullMarked;
