package io.bloomery.frame;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.SampleFilters;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The reader under arbitrary bytes. */
class FrameFuzzTest {

  /** Any bytes, as they are and with their checksums made right. */
  @FuzzTest(maxDuration = "5m")
  void bytes(byte[] data) {
    HostileFrame.check(data);
    HostileFrame.check(FrameBuilder.reseal(data));
  }

  /** Any bytes as the description of a sound frame. */
  @FuzzTest(maxDuration = "5m")
  void description(byte[] data) {
    HostileFrame.check(FrameBuilder.bloom().section(3, 4).described(data).build());
  }

  /** The sample of some kind with a few values of its header and payload replaced. */
  @FuzzTest(maxDuration = "5m")
  void edits(FuzzedDataProvider data) {
    FilterKind<?> kind = Filters.kinds().get(data.consumeInt(0, Filters.kinds().size() - 1));
    byte[] frame = SampleFilters.bytes(SampleFilters.of(kind));
    ByteBuffer bytes = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
    int[] fields = FrameBuilder.valueOffsets(frame);
    while (data.remainingBytes() > 0) {
      int field = data.consumeInt(0, fields.length + 1);
      if (field < fields.length) {
        bytes.putLong(fields[field], data.consumeLong());
      } else if (field == fields.length) {
        frame[data.consumeInt(0, 255)] = data.consumeByte();
      } else {
        bytes.put(data.consumeInt(4096, frame.length - 1), data.consumeByte());
      }
    }
    HostileFrame.check(FrameBuilder.reseal(frame));
  }
}
