package io.bloomery.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.foreign.hadoop.HadoopDynamicFilter;
import io.bloomery.foreign.redis.RedisBloomFilter;
import io.bloomery.foreign.registry.ForeignFormats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Formats around a file of another format. */
final class EnvelopesTest {

  @TempDir private Path directory;

  @Test
  void theFilterInsideIsThatOfTheOtherFormat() throws IOException {
    Map<String, ForeignSubject> subjects =
        ForeignSubject.all()
            .collect(Collectors.toMap(ForeignSubject::name, Function.identity(), (a, b) -> a));
    for (var format : Envelopes.all().entrySet()) {
      for (Envelopes.Sample sample : format.getValue()) {
        Path file = Files.write(directory.resolve("file"), sample.bytes());
        ForeignSubject subject = subjects.get(sample.subject());
        ForeignFilter filter = (ForeignFilter) Filters.open(file);
        assertThat(ForeignSubject.written(filter)).isEqualTo(subject.bytes());
        assertThat(filter.format()).isSameAs(subject.format());
        assertThat(filter).isInstanceOf(format.getKey().type());
        assertThat(ForeignFormats.open(file, format.getKey().name()).fields())
            .isEqualTo(filter.fields());
        assertThat(subject.present()).allMatch(filter::mightContain);
      }
    }
  }

  @Test
  void everyTruncationIsRefusedAndNamed() throws IOException {
    for (var format : Envelopes.all().entrySet()) {
      byte[] bytes = format.getValue().get(0).bytes();
      int step = Math.max(1, bytes.length / 300);
      for (int length = 0; length < bytes.length; length += length < 100 ? 1 : step) {
        byte[] cut = Arrays.copyOf(bytes, length);
        assertThatThrownBy(() -> format.getKey().read(cut))
            .isInstanceOf(FilterFormatException.class);
      }
      Path file = Files.write(directory.resolve("cut"), Arrays.copyOf(bytes, bytes.length / 2 + 1));
      assertThatThrownBy(() -> Filters.open(file))
          .hasMessageContaining("begins like a filter of format ")
          .hasMessageContaining(format.getKey().name());
    }
  }

  @Test
  void everyChangedByteOfADumpIsRefused() {
    for (var format : Envelopes.all().entrySet()) {
      byte[] bytes = format.getValue().get(0).bytes();
      boolean dump = format.getKey().name().startsWith("redis");
      for (int at = 0; dump && at < bytes.length; at++) {
        byte[] damaged = bytes.clone();
        damaged[at] ^= (byte) (1 << at % 8);
        assertThatThrownBy(() -> format.getKey().read(damaged))
            .isInstanceOf(FilterFormatException.class);
      }
    }
  }

  @Test
  void checksumsOfDumpsAreThoseOfRedis() {
    byte[] bytes = Envelopes.all().get(RedisBloomFilter.DUMP).get(0).bytes();
    assertThat(Envelopes.sealed(bytes)).isEqualTo(bytes);
  }

  @Test
  void aTextOfHudiMayEndWithALineEnd() throws IOException {
    byte[] bytes = Envelopes.all().get(HadoopDynamicFilter.HUDI).get(0).bytes();
    byte[] line = Arrays.copyOf(bytes, bytes.length + 1);
    line[bytes.length] = '\n';
    assertThat(ForeignSubject.written(HadoopDynamicFilter.HUDI.read(line)))
        .isEqualTo(ForeignSubject.written(HadoopDynamicFilter.HUDI.read(bytes)));
    line[bytes.length] = 'A';
    assertThatThrownBy(() -> HadoopDynamicFilter.HUDI.read(line))
        .isInstanceOf(FilterFormatException.class);
  }
}
