package io.headrace.natives;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What is known about one C library on this machine.
///
/// @param name such as `libturbojpeg`
/// @param purpose what it is used for
/// @param found whether it could be loaded
/// @param path the loaded file with links resolved, or null where the system does not say
/// @param version such as `0.7.3`, or null if not found
/// @param remedy how to install it
public record NativeStatus(
    String name,
    String purpose,
    boolean found,
    @Nullable Path path,
    @Nullable String version,
    String remedy) {}
