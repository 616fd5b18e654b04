/// Tests of experiments.
@NullMarked
package io.headrace.lab.experiment;

import org.jspecify.annotations.NullMarked;
