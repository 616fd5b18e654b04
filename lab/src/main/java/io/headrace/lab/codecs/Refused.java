package io.headrace.lab.codecs;

/// A setting that could not be measured.
///
/// @param name of the setting
/// @param reason such as a library that is missing, or data that the encoding cannot hold
public record Refused(String name, String reason) {}
