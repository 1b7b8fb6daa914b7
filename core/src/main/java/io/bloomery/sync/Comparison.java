package io.bloomery.sync;

import io.bloomery.sync.SingleShotFilter.Marks;
import io.bloomery.sync.transport.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The exact phase of a single-shot filter: the distinct elements of each process go to their
 * owners, which answer which of them several processes have. A message holds the number of elements
 * and each element with its length; an answer has a bit for each.
 */
final class Comparison {

  private static final byte ELEMENTS = 5;
  private static final byte VERDICTS = 6;

  private final Transport transport;
  private final Messages messages;

  /** By owner: the distinct elements, with the indexes of each. */
  private final List<Map<byte[], List<Integer>>> groups = new ArrayList<>();

  Comparison(Transport transport, Messages messages) {
    this.transport = transport;
    this.messages = messages;
    for (int i = 0; i < transport.size(); i++) {
      groups.add(new TreeMap<>(Arrays::compareUnsigned));
    }
  }

  void add(int index, byte[] element, int owner) {
    groups.get(owner).computeIfAbsent(element, key -> new ArrayList<>()).add(index);
  }

  BitSet run(Marks marks) throws IOException {
    int size = transport.size();
    byte[][] sent = new byte[size][];
    for (int owner = 0; owner < size; owner++) {
      sent[owner] = encode(groups.get(owner));
    }
    byte[][] received = transport.exchange(sent);
    List<List<byte[]>> lists = new ArrayList<>();
    for (int from = 0; from < size; from++) {
      lists.add(decode(from, received[from]));
    }
    byte[][] answers = transport.exchange(judge(lists, marks));
    BitSet duplicates = new BitSet();
    for (int owner = 0; owner < size; owner++) {
      collect(owner, answers[owner], marks, duplicates);
    }
    return duplicates;
  }

  private byte[] encode(Map<byte[], List<Integer>> group) {
    int length = Integer.BYTES;
    for (byte[] element : group.keySet()) {
      length = Math.addExact(length, Integer.BYTES + element.length);
    }
    byte[] message = messages.begin(ELEMENTS, length);
    ByteBuffer body = Messages.body(message).putInt(group.size());
    group.keySet().forEach(element -> body.putInt(element.length).put(element));
    return message;
  }

  private List<byte[]> decode(int from, byte[] message) throws Transport.PeerException {
    ByteBuffer fields = messages.open(from, message, ELEMENTS);
    int count = fields.remaining() < Integer.BYTES ? -1 : fields.getInt();
    if (count < 0 || count > fields.remaining() / Integer.BYTES) {
      throw new Transport.PeerException(from, "sent a list of elements that is damaged");
    }
    List<byte[]> elements = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int length = fields.remaining() < Integer.BYTES ? -1 : fields.getInt();
      if (length < 0 || length > fields.remaining()) {
        throw new Transport.PeerException(from, "sent an element that is longer than its message");
      }
      byte[] element = new byte[length];
      fields.get(element);
      elements.add(element);
    }
    if (fields.hasRemaining()) {
      throw new Transport.PeerException(from, "sent bytes after the last element");
    }
    return elements;
  }

  /** For each process a bit per element: whether another, or an earlier one, has it too. */
  private byte[][] judge(List<List<byte[]>> lists, Marks marks) {
    Map<byte[], Integer> owners = new TreeMap<>(Arrays::compareUnsigned);
    lists.forEach(list -> list.forEach(element -> owners.merge(element, 1, Integer::sum)));
    byte[][] verdicts = new byte[lists.size()][];
    Map<byte[], Integer> seen = new TreeMap<>(Arrays::compareUnsigned);
    for (int to = 0; to < verdicts.length; to++) {
      List<byte[]> list = lists.get(to);
      byte[] bits = new byte[(list.size() + 7) / 8];
      for (int i = 0; i < list.size(); i++) {
        int before = seen.merge(list.get(i), 1, Integer::sum) - 1;
        boolean marked = marks == Marks.ALL ? owners.getOrDefault(list.get(i), 0) > 1 : before > 0;
        bits[i / 8] |= (byte) (marked ? 1 << (i % 8) : 0);
      }
      verdicts[to] = messages.begin(VERDICTS, bits.length);
      Messages.body(verdicts[to]).put(bits);
    }
    return verdicts;
  }

  private void collect(int owner, byte[] answer, Marks marks, BitSet duplicates)
      throws Transport.PeerException {
    ByteBuffer bits = messages.open(owner, answer, VERDICTS).slice();
    Map<byte[], List<Integer>> group = groups.get(owner);
    if (bits.remaining() != (group.size() + 7) / 8) {
      throw new Transport.PeerException(owner, "answered for another number of elements");
    }
    int at = 0;
    for (List<Integer> indexes : group.values()) {
      boolean elsewhere = (bits.get(at / 8) >>> (at % 8) & 1) != 0;
      at++;
      boolean first = elsewhere || (indexes.size() > 1 && marks == Marks.ALL);
      for (int i = 0; i < indexes.size(); i++) {
        duplicates.set(indexes.get(i), i > 0 || first);
      }
    }
  }
}
