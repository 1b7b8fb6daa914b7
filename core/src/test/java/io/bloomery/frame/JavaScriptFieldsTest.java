package io.bloomery.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.SampleFilters;
import io.bloomery.Storable;
import io.bloomery.internal.frame.Frame;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The ranges of the fields are those of the pages: the reader in JavaScript, which has them from
 * there, accepts and refuses the same values.
 */
@Tag("long")
final class JavaScriptFieldsTest {

  private static final double[] REALS = {
    0, -0.0, -0x1p-60, 0x1p-50, 0.09, 0.1, 0.99, 0.991, 1, 1.5, Double.NaN
  };

  /** Exponents of two near which ranges of the pages end. */
  private static final int[] POWERS = {8, 12, 16, 18, 20, 27, 30, 31, 36, 37, 42, 53, 62};

  private static final String REFUSED = "error";

  @TempDir private Path directory;

  @BeforeAll
  static void node() throws Exception {
    NodeReader.assumeInstalled();
  }

  /** Files that are the same but for one field. */
  private final List<String> changes = new ArrayList<>();

  private final List<String> expected = new ArrayList<>();

  static Set<String> names() {
    return samples().keySet();
  }

  private static Map<String, Filter> samples() {
    Map<String, Filter> samples = SampleFilters.otherLayouts();
    Filters.kinds().forEach(kind -> samples.put(kind.name(), SampleFilters.of(kind)));
    return samples;
  }

  @ParameterizedTest
  @MethodSource("names")
  void bothReadersAcceptTheSameValues(String name) throws Exception {
    NodeReader reader = new NodeReader(directory);
    change(Objects.requireNonNull(samples().get(name)), reader);
    List<String> found = reader.run();
    assertThat(found).hasSameSizeAs(expected);
    List<String> differ = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      String answer = found.get(i).startsWith(REFUSED) ? REFUSED : found.get(i);
      if (!answer.equals(expected.get(i))) {
        differ.add(changes.get(i) + ": " + expected.get(i) + " here, there " + found.get(i));
      }
    }
    assertThat(differ).isEmpty();
  }

  private void change(Filter filter, NodeReader reader) throws IOException {
    FilterKind<?> kind = ((Storable) filter).kind();
    List<byte[]> keys = IntStream.range(0, 3).mapToObj(i -> SampleFilters.key(kind, i)).toList();
    reader.keys(keys);
    Frame fields = Frame.encode((Storable) filter);
    byte[] frame = SampleFilters.bytes(filter);
    int[] offsets = FrameBuilder.valueOffsets(frame);
    for (int i = 0; i < offsets.length; i++) {
      String field = fields.names().get(i);
      Number old = Objects.requireNonNull(fields.get(field));
      for (Number value : values(old)) {
        byte[] changed = frame.clone();
        ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN).putLong(offsets[i], bits(value));
        byte[] sealed = FrameBuilder.reseal(changed);
        String answer = answer(sealed, keys);
        if (!answer.isEmpty()) {
          reader.file(sealed);
          changes.add(field + " = " + value);
          expected.add(answer);
        }
      }
    }
  }

  private static long bits(Number value) {
    return value instanceof Double real ? Double.doubleToRawLongBits(real) : value.longValue();
  }

  private static Set<Number> values(Number old) {
    Set<Number> values = new LinkedHashSet<>();
    if (old instanceof Double) {
      Arrays.stream(REALS).forEach(values::add);
    } else {
      long number = old.longValue();
      values.addAll(List.of(number - 1, number + 1, 2 * number, 0L, 1L, -1L, 257L));
      for (int power : POWERS) {
        values.addAll(List.of((1L << power) - 1, 1L << power, (1L << power) + 1));
      }
    }
    values.remove(old);
    return values;
  }

  /** The answer of the library; nothing if it refuses the file by a limit of its own. */
  private static String answer(byte[] frame, List<byte[]> keys) throws IOException {
    try {
      return NodeReader.expected(
          Filters.read(frame, ReadOptions.defaults().withLimit(1 << 22)), keys);
    } catch (FilterFormatException e) {
      return String.valueOf(e.getMessage()).contains("and the next would have") ? "" : REFUSED;
    }
  }
}
