package io.bloomery.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.HashedFilter;
import io.bloomery.SampleFilters;
import io.bloomery.Storable;
import io.bloomery.frame.NodeReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reader in JavaScript answers as we do, for every variety of every kind. */
final class JavaScriptContractTest {

  private static final int MEMBERS = 600;
  private static final int KEYS = 1_200;

  @TempDir private Path directory;

  @BeforeAll
  static void node() throws Exception {
    NodeReader.assumeInstalled();
  }

  @Test
  void everyVarietyAnswersTheSame() throws Exception {
    List<byte[]> keys = LongStream.range(0, KEYS).mapToObj(JavaScriptContractTest::key).toList();
    NodeReader reader = new NodeReader(directory).keys(keys);
    List<Subject> subjects =
        Subjects.all().stream().filter(each -> each.of() instanceof Storable).toList();
    long[] members = LongStream.range(0, MEMBERS).map(Subject.HASHER::hash).toArray();
    List<HashedFilter> filters = subjects.stream().map(each -> each.of(members)).toList();
    for (HashedFilter filter : filters) {
      reader.file(SampleFilters.bytes(filter));
    }
    List<String> answers = reader.run();
    assertThat(answers).hasSameSizeAs(subjects);
    for (int i = 0; i < filters.size(); i++) {
      assertThat(timeless(answers.get(i)))
          .as(subjects.get(i).name())
          .isEqualTo(timeless(NodeReader.expected(filters.get(i), keys)));
    }
  }

  /** Answers without weights, which fade between the two readings. */
  private static String timeless(String answers) {
    return answers.replaceAll("weight=\\S+", "");
  }

  private static byte[] key(long number) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
  }
}
