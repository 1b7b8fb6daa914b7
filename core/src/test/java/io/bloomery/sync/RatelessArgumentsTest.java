package io.bloomery.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.hash.Hasher;
import java.io.ByteArrayInputStream;
import org.junit.jupiter.api.Test;

/** What rateless tables refuse. */
final class RatelessArgumentsTest {

  @Test
  void argumentsAreChecked() {
    RatelessTable table = RatelessTableTest.of(1);
    assertThatThrownBy(() -> RatelessTable.create(null, Hasher.xxh3())).hasMessage("keys");
    assertThatThrownBy(() -> RatelessTable.create(InvertibleShape.KeyFormat.LONGS, null))
        .hasMessage("hasher");
    assertThatThrownBy(() -> table.add("123")).hasMessage("key has 3 bytes; it must have 8");
    assertThatThrownBy(() -> table.add((byte[]) null)).hasMessage("key");
    assertThatThrownBy(() -> table.writeSymbols(null, 0, 1)).hasMessage("out");
    assertThatThrownBy(() -> RatelessTableTest.symbols(table, 2, 1))
        .hasMessageContaining("from = 2");
    assertThatThrownBy(() -> RatelessTableTest.symbols(table, 0, RatelessTable.MAX_SYMBOLS + 1))
        .hasMessageContaining("0 … 67108864");
    assertThatThrownBy(() -> table.decoder(0)).hasMessageContaining("maxSymbols = 0");
    assertThatThrownBy(() -> table.decoder(9).readSymbols(null, 1)).hasMessage("in");
    assertThatThrownBy(
            () -> table.decoder(9).readSymbols(new ByteArrayInputStream(new byte[0]), -1))
        .hasMessageContaining("count = -1");
    assertThat(table.keyFormat()).isEqualTo(InvertibleShape.KeyFormat.LONGS);
    assertThat(table.hasher()).isEqualTo(Hasher.xxh3());
    assertThat(table.decoder(9)).hasToString("RatelessDecoder[symbols=0, keys=0]");
  }
}
