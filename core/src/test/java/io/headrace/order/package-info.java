/// Laws of orders.
@NullMarked
package io.headrace.order;

import org.jspecify.annotations.NullMarked;
