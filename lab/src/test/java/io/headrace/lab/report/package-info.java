/// Laws of the report's file; what it looks like is for the eye.
@NullMarked
package io.headrace.lab.report;

import org.jspecify.annotations.NullMarked;
