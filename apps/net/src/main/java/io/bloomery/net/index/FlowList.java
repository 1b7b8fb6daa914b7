package io.bloomery.net.index;

import io.bloomery.hash.Hasher;
import io.bloomery.net.packet.FlowBytes;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The flows of a page, in order, each with its first and last time. */
final class FlowList {

  /** A flow. */
  static final class Flow {
    private final byte[] bytes;
    private final long first;
    private final long last;

    Flow(byte[] bytes, long first, long last) {
      this.bytes = bytes;
      this.first = first;
      this.last = last;
    }

    byte[] bytes() {
      return bytes;
    }

    long first() {
      return first;
    }

    long last() {
      return last;
    }
  }

  private static final long MILLI = 1_000_000;

  private final List<Flow> flows;

  /** Sorts the flows. */
  FlowList(List<Flow> flows) {
    this.flows = new ArrayList<>(flows);
    this.flows.sort((a, b) -> Arrays.compareUnsigned(a.bytes, b.bytes));
  }

  int size() {
    return flows.size();
  }

  Flow get(int index) {
    return flows.get(index);
  }

  /** What stands for a flow in the keys of a page. */
  static long id(byte[] flow, Hasher hasher) {
    return hasher.hash(flow);
  }

  /** Writes the flows; times are whole milliseconds after a start. */
  void write(DataOutputStream out, long start) throws IOException {
    Numbers.write(out, flows.size());
    byte[] before = new byte[FlowBytes.TUPLE];
    for (Flow flow : flows) {
      int same = Math.max(0, Arrays.mismatch(before, flow.bytes));
      out.writeByte(same);
      out.write(flow.bytes, same, FlowBytes.TUPLE - same);
      before = flow.bytes;
    }
    for (Flow flow : flows) {
      Numbers.write(out, (flow.first - start) / MILLI);
    }
    for (Flow flow : flows) {
      long first = (flow.first - start) / MILLI;
      Numbers.write(out, (flow.last - start + MILLI - 1) / MILLI - first);
    }
  }

  /** Reads flows; their number is believed only as far as they come. */
  static FlowList read(DataInputStream in, long start) throws IOException {
    long count = Numbers.read(in);
    List<byte[]> read = new ArrayList<>();
    byte[] before = new byte[FlowBytes.TUPLE];
    for (long i = 0; i < count; i++) {
      int same = in.readUnsignedByte();
      if (same >= FlowBytes.TUPLE) {
        throw new IOException("a flow repeats " + same + " bytes of the one before");
      }
      byte[] flow = before.clone();
      in.readFully(flow, same, FlowBytes.TUPLE - same);
      read.add(flow);
      before = flow;
    }
    long[] firsts = new long[read.size()];
    for (int i = 0; i < firsts.length; i++) {
      firsts[i] = Math.min(Numbers.read(in), (Long.MAX_VALUE - start) / MILLI);
    }
    List<Flow> flows = new ArrayList<>();
    for (int i = 0; i < firsts.length; i++) {
      long most = (Long.MAX_VALUE - start) / MILLI;
      long last = firsts[i] + Math.min(Numbers.read(in), most - firsts[i]);
      flows.add(new Flow(read.get(i), start + firsts[i] * MILLI, start + last * MILLI));
    }
    return new FlowList(flows);
  }
}
