package io.bloomery.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Logs blooms that Ethereum's networks computed. */
final class EthereumFormatTest {

  private static final Object FACTS = Json.resource("/foreign/ethereum/logs-bloom.json");

  private static byte[] written(ForeignFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  private static ForeignBloomFilter of(Map<?, ?> receipt) {
    ForeignBloomFilter filter = EthereumFormat.create();
    BitcoinSubjects.logKeys(receipt).forEach(filter::add);
    return filter;
  }

  @Test
  void logsGiveTheBloomOfTheirReceipt() throws IOException {
    List<Map<?, ?>> receipts = new ArrayList<>(BitcoinSubjects.rows(FACTS, "receipts"));
    for (Map<?, ?> block : BitcoinSubjects.rows(FACTS, "blocks")) {
      receipts.addAll(BitcoinSubjects.rows(block, "receipts"));
    }
    assertThat(receipts).hasSizeGreaterThan(8);
    for (Map<?, ?> receipt : receipts) {
      assertThat(written(of(receipt))).isEqualTo(BitcoinSubjects.hex(receipt.get("logsBloom")));
    }
  }

  @Test
  void receiptsMergeToTheBloomOfTheirBlock() throws IOException {
    for (Map<?, ?> block : BitcoinSubjects.rows(FACTS, "blocks")) {
      ForeignBloomFilter merged = EthereumFormat.create();
      for (Map<?, ?> receipt : BitcoinSubjects.rows(block, "receipts")) {
        merged.merge(of(receipt));
      }
      assertThat(written(merged)).isEqualTo(BitcoinSubjects.hex(block.get("logsBloom")));
    }
  }
}
