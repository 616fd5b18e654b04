/// Encoded samples, brought from storage or a cache to whoever decodes them.
@NullMarked
package io.headrace.load.fetch;

import org.jspecify.annotations.NullMarked;
