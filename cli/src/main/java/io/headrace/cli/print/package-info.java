/// What commands print: tables, sizes and rates, results as text and as JSON.
@NullMarked
package io.headrace.cli.print;

import org.jspecify.annotations.NullMarked;
