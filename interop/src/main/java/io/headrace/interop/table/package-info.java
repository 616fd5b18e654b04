/// What the columns of a table are used for, whatever the format of the table: which is the image,
/// which the label, which are fields. Knows nothing of how values are stored.
@NullMarked
package io.headrace.interop.table;

import org.jspecify.annotations.NullMarked;
