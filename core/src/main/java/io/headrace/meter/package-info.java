/// Counts and times what stages do (also as JFR events); says nothing about it.
///
/// Conclusions are drawn elsewhere.
@NullMarked
package io.headrace.meter;

import org.jspecify.annotations.NullMarked;
