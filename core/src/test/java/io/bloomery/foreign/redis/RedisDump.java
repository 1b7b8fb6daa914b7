package io.bloomery.foreign.redis;

import io.bloomery.FilterFormatException;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.ForeignSubject;
import io.bloomery.foreign.GuavaSubjects;
import io.bloomery.testkit.Json;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What Redis replied.
 *
 * @param name the file
 * @param chunks the replies of SCANDUMP
 * @param known keys whose adding replied 0, by number
 * @param matching absent keys that are answered with 1, by number
 */
public record RedisDump(
    String name, List<RedisBloomFilter.Chunk> chunks, List<Integer> known, List<Integer> matching) {

  public static RedisDump of(String name) {
    Map<?, ?> facts = (Map<?, ?>) Json.resource("/foreign/redis/" + name + ".json");
    List<RedisBloomFilter.Chunk> chunks = new ArrayList<>();
    for (Object chunk : (List<?>) facts.get("scandump")) {
      Map<?, ?> row = (Map<?, ?>) chunk;
      chunks.add(
          new RedisBloomFilter.Chunk(
              ((Double) row.get("iterator")).longValue(),
              Base64.getDecoder().decode((String) row.get("data_base64"))));
    }
    return new RedisDump(
        name,
        chunks,
        numbers(facts.get("i_whose_add_replied_0")),
        numbers(facts.get("probe_i_that_match")));
  }

  /** The numbers of a JSON list; none if there is no list. */
  public static List<Integer> numbers(Object list) {
    return list == null
        ? List.of()
        : ((List<?>) list).stream().map(i -> ((Double) i).intValue()).toList();
  }

  /** As a file; keys from 0 to {@code added} are in it except for the multiples of a number. */
  public ForeignSubject subject(ForeignFormat<?> format, int added, int without) {
    try {
      return new ForeignSubject(
          name,
          format,
          RedisBloomFilter.Chunk.join(chunks),
          IntStream.range(0, added)
              .filter(i -> without == 1 || i % without != 0)
              .mapToObj(GuavaSubjects::text)
              .toList(),
          IntStream.range(added, 3 * added).mapToObj(GuavaSubjects::text).toList(),
          matching.stream().map(GuavaSubjects::text).toList(),
          true);
    } catch (FilterFormatException e) {
      throw new IllegalStateException(e);
    }
  }
}
