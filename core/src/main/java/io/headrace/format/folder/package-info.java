/// Folders with a file for each sample: read, with what lies beside pictures, and written.
@NullMarked
package io.headrace.format.folder;

import org.jspecify.annotations.NullMarked;
