package io.headrace.format.tar;

import io.headrace.format.OpenOptions;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Which members of a sample are what, by their extensions.
///
/// @param image of the image; null for the one that looks like it
/// @param label of the label; empty for none
/// @param path of the label in that member's JSON, such as `meta.label`; empty if the member is the
///     label
record MemberRoles(@Nullable String image, String label, String path) {
  static final MemberRoles USUAL = of(OpenOptions.DEFAULT);

  /// {@return what was said: an extension for the image, and one for the label, perhaps with a path
  ///     after a colon, as in `json:label`}
  static MemberRoles of(OpenOptions options) {
    String image = options.feature(OpenOptions.IMAGE);
    String said = options.feature(OpenOptions.LABEL);
    String label = said == null ? "cls" : said;
    int colon = label.indexOf(':');
    return new MemberRoles(
        image == null ? null : image.toLowerCase(Locale.ROOT),
        (colon < 0 ? label : label.substring(0, colon)).toLowerCase(Locale.ROOT),
        colon < 0 ? "" : label.substring(colon + 1));
  }
}
