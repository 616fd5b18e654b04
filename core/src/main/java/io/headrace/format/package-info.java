/// Datasets on disk: which samples there are, where their bytes lie, what their labels are.
///
/// Readers and writers, manifest. Decodes no pixels and decides no order.
@NullMarked
package io.headrace.format;

import org.jspecify.annotations.NullMarked;
