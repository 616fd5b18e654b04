/// Says why a trainer waits for data, and what would end that.
///
/// Changes nothing: what it advises is for commands to do.
@NullMarked
package io.headrace.lab.diagnose;

import org.jspecify.annotations.NullMarked;
