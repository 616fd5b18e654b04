/// Tests of Progressive Compressed Records.
@NullMarked
package io.headrace.interop.pcr;

import org.jspecify.annotations.NullMarked;
