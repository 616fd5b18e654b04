/// Laws of datasets on disk.
@NullMarked
package io.headrace.format;

import org.jspecify.annotations.NullMarked;
