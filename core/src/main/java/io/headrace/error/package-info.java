/// The failures, each with its place: file, record, key, byte offset.
///
/// Leaves out what to do about them: policies live in `load` and `convert`.
@NullMarked
package io.headrace.error;

import org.jspecify.annotations.NullMarked;
