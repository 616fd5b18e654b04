package io.headrace.cloud;

import io.headrace.error.ConfigException;
import java.net.URI;
import java.util.List;

/// `hf://datasets/OWNER/NAME[@REVISION]/PATH`, a dataset of the Hugging Face hub, or of another one
/// that `HF_ENDPOINT` names. OpenDAL knows no other, and no list of more than a page.
public final class HubProvider extends CloudProvider {
  private static final List<String> KINDS = List.of("datasets", "models", "spaces");

  /// For the service loader.
  public HubProvider() {
    super("hf");
  }

  @Override
  URI rootOf(URI address) {
    String[] parts = address.getPath().split("/", 4);
    if (!KINDS.contains(address.getAuthority()) || parts.length < 3 || parts[2].isEmpty()) {
      throw new ConfigException("hf://: expected an address like hf://datasets/OWNER/NAME/FOLDER");
    }
    return URI.create("hf://%s/%s/%s".formatted(address.getAuthority(), parts[1], parts[2]));
  }

  @Override
  Bucket connect(URI root) {
    String hub = System.getProperty("headrace.hub", setting("HF_ENDPOINT"));
    String token = setting("HF_TOKEN");
    return new HubBucket(
        root,
        hub.isEmpty() ? "https://huggingface.co" : hub,
        token.isEmpty() ? setting("HUGGING_FACE_HUB_TOKEN") : token,
        network);
  }

  private static String setting(String name) {
    String value = System.getenv(name);
    return value == null ? "" : value.strip();
  }
}
