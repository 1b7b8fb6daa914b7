package io.bloomery.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filters;
import io.bloomery.HashedFilter;
import io.bloomery.ReadOptions;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.probe.Probes;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.testkit.Keys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Filters beyond what an int counts: bits, bytes, and the segments of mapped memory. */
class LargeFilterTest {

  private static final int KEYS = 200;
  private static final long GIB = 1L << 33; // in bits

  @TempDir Path directory;

  /** A sparse file of 3 GiB and a bit, in which only the words of a few keys are written. */
  @Test
  void mapsSeveralSegments() throws IOException {
    long bits = 3 * GIB + 12_345;
    long words = Words.wordsFor(bits);
    Probes probes = new Probes(IndexScheme.INDEPENDENT, bits, 5);
    long[] members = Keys.members(KEYS);
    Path file = directory.resolve("sparse.bloom");
    byte[] header =
        new FrameBuilder()
            .number("bits", bits)
            .number("probes", 5)
            .number("scheme", IndexScheme.INDEPENDENT.wireId())
            .header(List.of(words));
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.SPARSE,
            StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(header));
      for (var word : wordsOf(members, probes).entrySet()) {
        ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        channel.write(bytes.putLong(0, word.getValue()), 4096 + 8 * word.getKey());
      }
      long length = 4096 + 8 * words + 4 * ((8 * words + 65_535) / 65_536);
      channel.write(ByteBuffer.allocate(1), length - 1);
    }

    HashedFilter mapped = Filters.map(file, ReadOptions.as(HashedFilter.class));

    assertThat(mapped.sizeInBits()).isEqualTo(bits);
    assertThat(hits(mapped, members)).isEqualTo(KEYS);
    assertThat(hits(mapped, Keys.outsiders(KEYS))).isZero();
  }

  /** The words that hold a bit of some key, by their index. */
  private static Map<Long, Long> wordsOf(long[] hashes, Probes probes) {
    Map<Long, Long> words = new TreeMap<>();
    long[] indexes = new long[probes.count()];
    for (long hash : hashes) {
      probes.indexes(hash, indexes);
      for (long index : indexes) {
        words.merge(index >>> 6, 1L << index, (a, b) -> a | b);
      }
    }
    return words;
  }

  @Test
  @Tag("long")
  void addsSavesMapsAndAnswersBeyondIntRange() throws IOException {
    long bits = (1L << 31) + 777;
    BloomFilter filter = BloomFilter.create(BloomShape.of(bits, 5));
    long[] members = Keys.members(2_000_000);
    long[] outsiders = Keys.outsiders(2_000_000);
    filter.addHashes(members, 0, members.length);
    Path file = directory.resolve("large.bloom");
    filter.writeTo(file);

    assertThat(Filters.verify(file).payloadBytes()).isEqualTo(8 * Words.wordsFor(bits));
    for (BloomFilter again :
        List.of(
            Filters.map(file, ReadOptions.as(BloomFilter.class)),
            Filters.open(file, ReadOptions.as(BloomFilter.class)))) {
      assertThat(hits(again, members)).isEqualTo(members.length);
      assertThat(answers(again, outsiders)).isEqualTo(answers(filter, outsiders));
      assertThat(again.falsePositiveRate()).isEqualTo(filter.falsePositiveRate());
    }
  }

  private static long hits(HashedFilter filter, long[] hashes) {
    return Arrays.stream(hashes).filter(filter::mightContainHash).count();
  }

  private static long[] answers(HashedFilter filter, long[] hashes) {
    long[] answers = new long[(hashes.length + 63) / 64];
    filter.mightContainHashes(hashes, 0, hashes.length, answers);
    return answers;
  }
}
