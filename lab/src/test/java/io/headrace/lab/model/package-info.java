/// Laws of predicting.
@NullMarked
package io.headrace.lab.model;

import org.jspecify.annotations.NullMarked;
