package io.headrace.convert;

import io.headrace.convert.ShardTally.Skipped;
import io.headrace.format.SetDigest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The text a [ShardTally] is kept as beside its shard.
@SuppressWarnings("EnumOrdinal") // an index into an array that is written out by name
final class TallyJson {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private TallyJson() {}

  static String write(ShardTally tally) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("samples", tally.samples);
    map.put("file_bytes", tally.fileBytes);
    map.put("file_crc32c", tally.fileCrc);
    map.put("set_digest", tally.set.hex());
    map.put("label_digest", tally.set.labelHex());
    map.put("encoded_bytes_in", tally.encodedBytesIn);
    map.put("encoded_bytes_out", tally.encodedBytesOut);
    map.put("unlabelled", tally.unlabelled);
    map.put("list_labels", tally.listLabels);
    map.put("fields_of_old_size", tally.fieldsOfOldSize);
    map.put("orientations_dropped", tally.orientationsDropped);
    map.put("alphas_dropped", tally.alphasDropped);
    map.put("depths_reduced", tally.depthsReduced);
    map.put("measured", tally.measured);
    map.put("psnr_sum", tally.psnrSum);
    map.put("ssim_sum", tally.ssimSum);
    map.put("ms_ssim_sum", tally.msSsimSum);
    map.put("measuring_nanos", tally.measuringNanos);
    map.put("packed", tally.packed);
    map.put("packed_exact", tally.exact);
    map.put("trailers_dropped", tally.trailersDropped);
    map.put("trailing_bytes_dropped", tally.trailingBytesDropped);
    Map<String, Object> outcomes = new LinkedHashMap<>();
    for (Outcome outcome : Outcome.values()) {
      outcomes.put(outcome.name(), tally.outcomes[outcome.ordinal()]);
    }
    map.put("outcomes", outcomes);
    map.put("skipped", list(tally.skipped));
    map.put("passed", list(tally.passed));
    return MAPPER.writeValueAsString(map);
  }

  private static List<Map<String, String>> list(List<Skipped> samples) {
    List<Map<String, String>> list = new ArrayList<>();
    for (Skipped sample : samples) {
      list.add(Map.of("where", sample.where(), "reason", sample.reason()));
    }
    return list;
  }

  static ShardTally read(String json) {
    JsonNode node = MAPPER.readTree(json);
    var tally = new ShardTally();
    tally.samples = node.path("samples").asLong();
    tally.fileBytes = node.path("file_bytes").asLong();
    tally.fileCrc = node.path("file_crc32c").asLong();
    tally.set.addAll(
        SetDigest.parse(node.path("set_digest").asString()),
        SetDigest.parse(node.path("label_digest").asString()),
        tally.samples);
    tally.encodedBytesIn = node.path("encoded_bytes_in").asLong();
    tally.encodedBytesOut = node.path("encoded_bytes_out").asLong();
    tally.unlabelled = node.path("unlabelled").asLong();
    tally.listLabels = node.path("list_labels").asLong();
    tally.fieldsOfOldSize = node.path("fields_of_old_size").asLong();
    tally.orientationsDropped = node.path("orientations_dropped").asLong();
    tally.alphasDropped = node.path("alphas_dropped").asLong();
    tally.depthsReduced = node.path("depths_reduced").asLong();
    for (Outcome outcome : Outcome.values()) {
      tally.outcomes[outcome.ordinal()] = node.path("outcomes").path(outcome.name()).asLong();
    }
    tally.measured = node.path("measured").asLong();
    tally.psnrSum = node.path("psnr_sum").asDouble();
    tally.ssimSum = node.path("ssim_sum").asDouble();
    tally.msSsimSum = node.path("ms_ssim_sum").asDouble();
    tally.measuringNanos = node.path("measuring_nanos").asLong();
    tally.packed = node.path("packed").asLong();
    tally.exact = node.path("packed_exact").asLong();
    tally.trailersDropped = node.path("trailers_dropped").asLong();
    tally.trailingBytesDropped = node.path("trailing_bytes_dropped").asLong();
    readList(node.path("skipped"), tally.skipped);
    readList(node.path("passed"), tally.passed);
    return tally;
  }

  private static void readList(JsonNode list, List<Skipped> into) {
    for (JsonNode sample : list) {
      into.add(new Skipped(sample.path("where").asString(), sample.path("reason").asString()));
    }
  }
}
