package io.bloomery.foreign.bitcoin;

import io.bloomery.FilterFormatException;
import io.bloomery.foreign.ForeignBloomFilter;
import java.util.List;
import java.util.Objects;

/**
 * Implements a Bitcoin node's use of a wallet's filter: it tests whether a transaction concerns the
 * wallet and adds matching outputs, so that transactions that spend them match later.
 *
 * <p>A transaction matches by its id, by data that a script of its outputs pushes, by an outpoint
 * that it spends, or by data that a script of its inputs pushes; empty data never matches.
 */
final class Bip37Matcher {

  private static final int PUSH_33 = 33;
  private static final int PUSH_65 = 65;
  private static final int OP_1 = 0x51;
  private static final int OP_16 = 0x60;
  private static final int OP_CHECKSIG = 0xAC;
  private static final int OP_CHECKMULTISIG = 0xAE;

  private Bip37Matcher() {}

  static boolean isRelevantAndUpdate(ForeignBloomFilter filter, byte[] transaction)
      throws FilterFormatException {
    Bip37Format.Update update = Bip37Format.update(Objects.requireNonNull(filter, "filter"));
    BitcoinTransaction parsed = BitcoinTransaction.parse(transaction);
    boolean found = filter.mightContain(parsed.id());
    List<byte[]> outputs = parsed.outputScripts();
    for (int i = 0; i < outputs.size(); i++) {
      byte[] script = outputs.get(i);
      if (matches(filter, script)) {
        found = true;
        if (update == Bip37Format.Update.ALL
            || (update == Bip37Format.Update.P2PUBKEY_ONLY && paysToKeys(script))) {
          filter.add(parsed.outpoint(i));
        }
      }
    }
    if (found) {
      return true;
    }
    for (BitcoinTransaction.Input input : parsed.inputs()) {
      if (filter.mightContain(input.outpoint()) || matches(filter, input.script())) {
        return true;
      }
    }
    return false;
  }

  private static boolean matches(ForeignBloomFilter filter, byte[] script) {
    for (byte[] data : BitcoinTransaction.pushes(script)) {
      if (data.length > 0 && filter.mightContain(data)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a script is {@code <key> CHECKSIG} or {@code m <key>… n CHECKMULTISIG}. */
  private static boolean paysToKeys(byte[] script) {
    int last = script.length == 0 ? 0 : script[script.length - 1] & 0xFF;
    if (last == OP_CHECKSIG) {
      return afterKey(script, 0) == script.length - 1;
    }
    if (last != OP_CHECKMULTISIG || script.length < 3) {
      return false;
    }
    int needed = script[0] & 0xFF;
    int keys = 0;
    int at = 1;
    for (int next = afterKey(script, at); next > 0; next = afterKey(script, at)) {
      at = next;
      keys++;
    }
    int stated = script[script.length - 2] & 0xFF;
    return at == script.length - 2
        && needed >= OP_1
        && needed <= stated
        && stated <= OP_16
        && keys == stated - OP_1 + 1;
  }

  /** The end of the public key that is pushed at a position, or -1 if there is none. */
  private static int afterKey(byte[] script, int at) {
    int length = at < script.length ? script[at] & 0xFF : 0;
    if ((length != PUSH_33 && length != PUSH_65) || at + 1 + length > script.length) {
      return -1;
    }
    int form = script[at + 1];
    boolean sound =
        length == PUSH_33 ? form == 2 || form == 3 : form == 4 || form == 6 || form == 7;
    return sound ? at + 1 + length : -1;
  }
}
