/// What the fields of samples are: texts, numbers, arrays and images, each with type and shape, and
/// which of them a batch is to deliver.
///
/// Knows nothing of files. Decodes no image.
@NullMarked
package io.headrace.format.field;

import org.jspecify.annotations.NullMarked;
