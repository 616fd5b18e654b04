/// Temporary files for writers whose head says what only the end knows.
@NullMarked
package io.headrace.interop.spool;

import org.jspecify.annotations.NullMarked;
