/// Laws of Example messages in the wire format.
@NullMarked
package io.headrace.format.example;

import org.jspecify.annotations.NullMarked;
