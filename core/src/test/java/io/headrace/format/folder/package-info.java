/// Folders of images as they are found.
@NullMarked
package io.headrace.format.folder;

import org.jspecify.annotations.NullMarked;
