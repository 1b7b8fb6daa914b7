package io.bloomery.cli.reconcile;

import io.bloomery.sync.SetReconciliation;
import io.bloomery.tools.input.KeyPrinter;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a reconciliation found and what it cost, as text and as JSON. */
final class ReconcileReport {

  private ReconcileReport() {}

  /** The report in one line. */
  static String text(SetReconciliation.Result result) {
    return "%s against %s: %s only here, %s only there%s%s: %s sent, %s received, %s"
        .formatted(
            Text.count(result.keysHere(), "key"),
            Text.count(result.keysThere()),
            Text.count(result.onlyHere().size()),
            Text.count(result.onlyThere().size()),
            result.exact() ? "; " : ", perhaps more; ",
            result.method(),
            Text.count(result.bytesSent(), "byte"),
            Text.count(result.bytesReceived()),
            Text.count(result.rounds(), "round"));
  }

  /** The report as JSON. */
  static String json(String file, String peer, long badRows, SetReconciliation.Result result) {
    return new Report()
        .value("file", file)
        .value("peer", peer)
        .value("keysHere", result.keysHere())
        .value("keysThere", result.keysThere())
        .value("badRows", badRows)
        .value("onlyHere", result.onlyHere().size())
        .value("onlyThere", result.onlyThere().size())
        .value("exact", result.exact())
        .value("method", result.method().toString().toLowerCase(Locale.ROOT))
        .value("bytesSent", result.bytesSent())
        .value("bytesReceived", result.bytesReceived())
        .value("rounds", result.rounds())
        .json();
  }

  /** Prints all keys that one side lacks: a line for each, or a line of JSON. */
  static void print(KeyPrinter printer, SetReconciliation.Result result, boolean json) {
    sorted(result.onlyHere()).forEach(key -> print(printer, key, true, json));
    sorted(result.onlyThere()).forEach(key -> print(printer, key, false, json));
  }

  private static void print(KeyPrinter printer, byte[] key, boolean here, boolean json) {
    if (json) {
      Map<String, Object> fields = printer.json(key, 0, key.length);
      fields.put("side", here ? "here" : "there");
      printer.printJson(fields);
    } else {
      printer.print(here ? "< " : "> ", key, 0, key.length);
    }
  }

  /** Keys in the order of their bytes. */
  static List<byte[]> sorted(List<byte[]> keys) {
    return keys.stream().sorted(Arrays::compareUnsigned).toList();
  }
}
