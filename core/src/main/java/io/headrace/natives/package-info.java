/// Finds the C libraries the codecs stand on, and says what to install where one is missing.
///
/// Knows no function of theirs: bindings live beside the codec that calls them.
@NullMarked
package io.headrace.natives;

import org.jspecify.annotations.NullMarked;
