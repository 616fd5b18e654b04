/// Says what a dataset is made of, from its images' headers.
///
/// Times nothing.
@NullMarked
package io.headrace.lab.inspect;

import org.jspecify.annotations.NullMarked;
