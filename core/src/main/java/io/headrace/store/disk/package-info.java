/// What the system does with the files of local disks: keep pages of them, or read past these.
///
/// Knows nothing of stores.
@NullMarked
package io.headrace.store.disk;

import org.jspecify.annotations.NullMarked;
