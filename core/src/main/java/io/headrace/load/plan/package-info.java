/// What is asked of a loader, and which sample comes when: options, fidelities, orders.
@NullMarked
package io.headrace.load.plan;

import org.jspecify.annotations.NullMarked;
