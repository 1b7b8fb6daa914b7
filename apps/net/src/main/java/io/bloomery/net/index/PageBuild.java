package io.bloomery.net.index;

import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.index.FlowList.Flow;
import io.bloomery.net.packet.FlowBytes;
import io.bloomery.net.packet.Unchanged;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.jspecify.annotations.Nullable;

/** The traffic of a page, kept as it is until the page ends; only then are sizes known. */
final class PageBuild {

  private static final int PACKET_BITS = 10; // of a digest of packets: a rate of 0.8 %
  private static final int MOST_PACKET_BITS = 24;
  private static final int LEAST_BYTES = 640; // of a page
  private static final int LEAST_BITS = 64;
  private static final int OVERHEAD = 320; // of an empty page, compressed
  private static final int BYTES_PER_OVERHEAD = 2_000; // of incompressible bytes
  private static final int ATTEMPTS = 6;

  /** A flow as a key of a table, hashed under the secret of the page. */
  private static final class Name {
    private final byte[] bytes;
    private final int hash;

    Name(byte[] bytes, int hash) {
      this.bytes = bytes;
      this.hash = hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Name name && Arrays.equals(bytes, name.bytes);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  private final IndexOptions options;
  private final byte[] key = new byte[PageFile.KEY];
  private final Hasher hasher;
  private final Payloads payloads = new Payloads();
  private final Map<Name, Integer> numbers = new HashMap<>();
  private final List<byte[]> flows = new ArrayList<>();
  private long[] first = new long[64]; // by flow
  private long[] last = new long[64];
  private long[] bytes = new long[64]; // of payload
  private long[] marks = new long[1 << 10]; // by packet
  private int packets;
  private long traffic;
  private long tooShort;
  private long start = Long.MAX_VALUE;
  private long end;
  private final byte[] flow = new byte[FlowBytes.TUPLE];
  private final byte[] mark = new byte[Unchanged.MOST];

  PageBuild(IndexOptions options) {
    this.options = options;
    options.random().nextBytes(key);
    this.hasher = Hasher.keyed(key);
  }

  boolean isEmpty() {
    return packets == 0;
  }

  long traffic() {
    return traffic;
  }

  /** The bytes of a packet that were captured, from its IP header on. */
  static int captured(Packet packet) {
    return packet.payloadOffset() + packet.payloadLength() - packet.headerOffset();
  }

  void add(Packet packet) {
    long time = Math.max(0, packet.nanos());
    start = Math.min(start, time);
    end = Math.max(end, time);
    traffic += captured(packet);
    if (packets == marks.length) {
      marks = Arrays.copyOf(marks, 2 * packets);
    }
    marks[packets++] = hasher.hash(mark, 0, Unchanged.of(packet, mark));
    int length = packet.payloadLength();
    if (length == 0 || (length < options.blockBytes() && !options.joined())) {
      tooShort += length == 0 ? 0 : 1;
      return;
    }
    FlowBytes.put(packet, flow);
    int number = number();
    first[number] = bytes[number] == 0 ? time : Math.min(first[number], time);
    last[number] = Math.max(last[number], time);
    bytes[number] += length;
    payloads.add(packet, number);
  }

  private int number() {
    Name name = new Name(flow, (int) hasher.hash(flow));
    Integer known = numbers.get(name);
    if (known != null) {
      return known;
    }
    int number = flows.size();
    byte[] copy = flow.clone();
    flows.add(copy);
    numbers.put(new Name(copy, name.hash), number);
    if (number == first.length) {
      first = Arrays.copyOf(first, 2 * number);
      last = Arrays.copyOf(last, 2 * number);
      bytes = Arrays.copyOf(bytes, 2 * number);
    }
    return number;
  }

  /**
   * The page as it is stored, which takes its share of the traffic unless that is tiny; all but the
   * last leave some of theirs to the last one, which may be.
   */
  byte[] end(boolean isLast) throws IOException {
    long share = (long) (options.share() * traffic);
    long allowed = Math.max(LEAST_BYTES, isLast ? share : share - LEAST_BYTES);
    boolean[] listed = new boolean[flows.size()];
    long room = allowed - OVERHEAD - allowed / BYTES_PER_OVERHEAD;
    long wanted = Math.min((long) PACKET_BITS * packets / Byte.SIZE, room / 3);
    FlowList list = list((room - wanted) / 2, listed);
    long[] ids = ids(listed);
    long rest = Byte.SIZE * Math.max(0, room - size(list));
    long packetBits =
        payloads.isEmpty()
            ? Math.min(rest, (long) MOST_PACKET_BITS * packets)
            : Math.min(rest / 2, Byte.SIZE * wanted);
    packetBits = Math.max(LEAST_BITS, packetBits);
    BloomFilter passed =
        BloomFilter.create(BloomShape.forBudget(packets, packetBits), hasher, Writers.ONE);
    passed.addHashes(marks, 0, packets);

    long payloadBits = Math.max(LEAST_BITS, rest - packetBits);
    Page.Facts facts =
        new Page.Facts(
            start,
            end,
            traffic,
            packets,
            payloads.size(),
            tooShort,
            flows.size() - list.size(),
            options.joined());
    for (int attempt = 1; ; attempt++) {
      BloomFilter found = payloads.isEmpty() ? null : best(ids, payloadBits);
      byte[] stored =
          PageFile.toBytes(
              new Page(facts, hasher, options.blockBytes(), options.levels(), list, found, passed),
              key);
      long excess = Byte.SIZE * (stored.length - allowed);
      if (excess <= 0 || payloadBits == LEAST_BITS || attempt == ATTEMPTS || found == null) {
        return stored;
      }
      payloadBits = Math.max(LEAST_BITS, payloadBits - excess - LEAST_BITS);
    }
  }

  /** The flows with the most payload of which the list takes no more bytes than given. */
  private FlowList list(long most, boolean[] listed) throws IOException {
    int[] order =
        IntStream.range(0, flows.size())
            .boxed()
            .sorted(Comparator.comparingLong((Integer each) -> -bytes[each]))
            .mapToInt(Integer::intValue)
            .toArray();
    int count = order.length;
    while (true) {
      List<Flow> chosen = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        chosen.add(new Flow(flows.get(order[i]), first[order[i]], last[order[i]]));
      }
      FlowList list = new FlowList(chosen);
      long size = size(list);
      if (size <= most || count == 0) {
        for (int i = 0; i < count; i++) {
          listed[order[i]] = true;
        }
        return list;
      }
      count = (int) Math.min(count - 1, count * Math.max(0, most) / size);
    }
  }

  /** The bytes of a list, compressed. */
  private long size(FlowList list) throws IOException {
    ByteArrayOutputStream size = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(size, deflater))) {
      list.write(out, start);
    } finally {
      deflater.end();
    }
    return size.size();
  }

  /** What stands for each flow in keys. */
  private long[] ids(boolean[] listed) {
    long[] ids = new long[flows.size()];
    long unlisted = FlowList.id(Page.UNLISTED, hasher);
    for (int i = 0; i < ids.length; i++) {
      ids[i] = listed[i] ? FlowList.id(flows.get(i), hasher) : unlisted;
    }
    return ids;
  }

  /** The filter with the fewest errors, which depends on how many keys are equal. */
  private BloomFilter best(long[] ids, long most) {
    long bits = most / Long.SIZE * Long.SIZE; // whole words are set faster
    BloomFilter once = filled(BloomShape.of(bits, 1), ids);
    double written = 2.0 * payloads.size() / options.blockBytes();
    long distinct = Math.round(Math.min(written, once.cardinality()));
    BloomShape best = BloomShape.forBudget(Math.max(1, distinct), bits);
    return best.hashesPerKey() == 1 ? once : filled(best, ids);
  }

  private BloomFilter filled(BloomShape shape, long[] ids) {
    BloomFilter filter = BloomFilter.create(shape, hasher, Writers.ONE);
    PayloadKeys keys = new PayloadKeys(hasher, options.blockBytes(), options.levels());
    payloads.runs(
        options.joined(),
        (from, offset, length, number) -> keys.add(from, offset, length, ids[number], filter));
    keys.flush(filter);
    return filter;
  }
}
