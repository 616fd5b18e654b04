/// Says where the time goes and which representation would be faster, with the evidence.
@NullMarked
package io.headrace.lab;

import org.jspecify.annotations.NullMarked;
