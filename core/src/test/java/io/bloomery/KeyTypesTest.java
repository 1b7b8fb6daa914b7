package io.bloomery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.deletable.CuckooFilter;
import io.bloomery.frequency.CountMinFilter;
import io.bloomery.frozen.FuseFilter;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.lookup.BloomierMap;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.DirectBitSet;
import io.bloomery.membership.DirectShape;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The bytes that represent keys of each type, wherever a key can be passed. */
final class KeyTypesTest {

  private static final Hasher HASHER = Hasher.xxh3();
  private static final UUID ID = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
  private static final byte[] ID_BYTES =
      HexFormat.of().parseHex("00112233445566778899aabbccddeeff");

  private enum Color {
    RED,
    GREEN
  }

  private record Order(int id, Color color, String coupon) {}

  @Test
  void smallerNumbersAreTheLongOfTheSameValue() {
    BloomFilter filter = BloomFilter.create(100, 1e-6);
    int number = -7;
    filter.add(number);
    assertThat(filter.mightContain(-7L)).isTrue();
    assertThat(filter.mightContain((short) -7)).isTrue();
    assertThat(filter.mightContain((byte) -7)).isTrue();
    assertThat(filter.mightContain(Integer.valueOf(-7))).isTrue();
    assertThat(filter.mightContain(7)).isFalse();
  }

  @Test
  void aCharacterIsText() {
    BloomFilter filter = BloomFilter.create(100, 1e-6);
    filter.add('A');
    assertThat(filter.mightContain("A")).isTrue();
    assertThat(filter.mightContain('A')).isTrue();
    assertThat(filter.mightContain(Character.valueOf('A'))).isTrue();
    assertThat(filter.mightContain(65)).isFalse();
    assertThat(HASHER.hash('é')).isEqualTo(HASHER.hash("é"));
    assertThat(HASHER.hash('\ud83d')).isEqualTo(HASHER.hash("?"));
    DirectBitSet numbers = DirectBitSet.create(new DirectShape(100));
    numbers.add('A');
    assertThat(numbers.mightContain('A')).isTrue();
    assertThat(numbers.contains(65)).isTrue();
  }

  @Test
  void uuidsAndBuffersAreTheirBytes() {
    assertThat(Funnel.Fields.bytesOf(ID)).isEqualTo(ID_BYTES);
    assertThat(HASHER.hash(ID)).isEqualTo(HASHER.hash(ID_BYTES));
    byte[] padded = HexFormat.of().parseHex("ffff00112233445566778899aabbccddeeffff");
    ByteBuffer direct = ByteBuffer.allocateDirect(19).put(padded);
    for (ByteBuffer buffer :
        List.of(ByteBuffer.wrap(padded), direct, ByteBuffer.wrap(padded).asReadOnlyBuffer())) {
      buffer.position(2).limit(18);
      assertThat(HASHER.hash(buffer)).isEqualTo(HASHER.hash(ID));
      assertThat(Funnel.Fields.bytesOf(buffer)).isEqualTo(ID_BYTES);
      ByteBuffer slice = buffer.slice();
      assertThat(HASHER.hash(slice)).isEqualTo(HASHER.hash(ID));
      assertThat(buffer.position()).isEqualTo(2);
      assertThat(buffer.limit()).isEqualTo(18);
    }
    assertThat(HASHER.hash(ByteBuffer.allocate(0))).isEqualTo(HASHER.hash(""));
    assertThatThrownBy(() -> HASHER.hash((UUID) null)).hasMessage("key");
    assertThatThrownBy(() -> HASHER.hash((ByteBuffer) null)).hasMessage("key");
  }

  @Test
  void everyCapabilityTakesThem() {
    ByteBuffer buffer = ByteBuffer.wrap(ID_BYTES);
    CuckooFilter cuckoo = CuckooFilter.create(100, 0.001);
    assertThat(cuckoo.add(ID)).isTrue();
    assertThat(cuckoo.mightContain(buffer)).isTrue();
    assertThat(cuckoo.remove(buffer)).isTrue();
    assertThat(cuckoo.remove(ID)).isFalse();
    assertThat(cuckoo.add('x')).isTrue();
    assertThat(cuckoo.remove('x')).isTrue();
    CountMinFilter counts = CountMinFilter.create(100, 0.001);
    counts.add(ID, 3);
    counts.add(buffer, 2);
    counts.add('x', 4);
    assertThat(counts.count(ID)).isEqualTo(5);
    assertThat(counts.count(buffer)).isEqualTo(5);
    assertThat(counts.count('x')).isEqualTo(4);
    assertThat(counts.count("x")).isEqualTo(4);
    FuseFilter fuse =
        FuseFilter.builder().falsePositiveRate(0.001).add(ID).add('x').add(buffer).build();
    assertThat(fuse.mightContain(ID)).isTrue();
    assertThat(fuse.mightContain("x")).isTrue();
    BloomierMap map = BloomierMap.builder().falsePositiveRate(0.001).put(ID, 3).put('x', 4).build();
    assertThat(map.get(buffer)).isEqualTo(3);
    assertThat(map.get('x')).isEqualTo(4);
    assertThat(map.get(ID)).isEqualTo(3);
  }

  @Test
  void staticFiltersOfKeysAndOfHashes() {
    long[] keys = {1, 2, 3, 1};
    assertThat(HASHER.hashAll(keys))
        .containsExactly(HASHER.hash(1), HASHER.hash(2), HASHER.hash(3), HASHER.hash(1));
    long[] values = {5, 6, 7, 5};
    assertThat(BloomierMap.ofKeys(keys, values, 0.01).get(2)).isEqualTo(6);
    assertThat(
            BloomierMap.ofKeys(keys, values, 0.01)
                .sameContent(BloomierMap.ofHashes(HASHER.hashAll(keys), values, 0.01)))
        .isTrue();
    assertThatThrownBy(() -> HASHER.hashAll(null)).hasMessage("keys");
  }

  @Test
  void fieldsOfEveryType() {
    String hex = HexFormat.of().formatHex(Funnel.Fields.bytesOf(1, (n, into) -> into.put(7)));
    assertThat(hex).isEqualTo("080000000700000000000000");
    assertThat(bytes(into -> into.put(true))).isEqualTo("0100000001");
    assertThat(bytes(into -> into.put(false))).isEqualTo("0100000000");
    assertThat(bytes(into -> into.put(1.5))).isEqualTo("08000000000000000000f83f");
    assertThat(bytes(into -> into.put(1.5f))).isEqualTo("08000000000000000000f83f");
    assertThat(bytes(into -> into.put(0.0))).isNotEqualTo(bytes(into -> into.put(-0.0)));
    assertThat(bytes(into -> into.put(Color.RED))).isEqualTo(bytes(into -> into.put("RED")));
    assertThat(bytes(into -> into.put('é'))).isEqualTo("02000000c3a9");
    assertThat(bytes(into -> into.put(ID)))
        .isEqualTo("10000000" + "00112233445566778899aabbccddeeff");
    assertThat(bytes(into -> into.put(ByteBuffer.wrap(new byte[] {1, 2, 3}, 1, 1))))
        .isEqualTo("0100000002");
    assertThat(bytes(into -> into.putNullable(null, Funnel.text()))).isEqualTo("ffffffff");
    assertThat(bytes(into -> into.putNullable("ab", Funnel.text())))
        .isEqualTo(bytes(into -> into.put("ab")));
    assertThat(bytes(into -> into.putNullable("", Funnel.text()))).isEqualTo("00000000");
    assertThat(bytes(into -> into.put("ab", (text, inner) -> inner.put(text))))
        .isEqualTo("06000000" + "020000006162");
    assertThat(bytes(into -> into.putPlain(new byte[] {9}).putPlain(new byte[70])))
        .isEqualTo("09" + "00".repeat(70));
  }

  private static String bytes(java.util.function.Consumer<Funnel.Fields> fields) {
    return HexFormat.of().formatHex(Funnel.Fields.bytesOf("", (text, into) -> fields.accept(into)));
  }

  /** An object that lacks a field is not one that has it, at any depth. */
  @Test
  void nothingIsNoValue() {
    Funnel<Order> inner =
        (order, into) ->
            into.put(order.id()).put(order.color()).putNullable(order.coupon(), Funnel.text());
    Funnel<Order[]> pair =
        (orders, into) -> into.putNullable(orders[0], inner).putNullable(orders[1], inner);
    Order without = new Order(1, Color.RED, null);
    List<Order[]> pairs =
        List.of(
            new Order[] {null, null},
            new Order[] {without, null},
            new Order[] {null, without},
            new Order[] {new Order(1, Color.RED, ""), null},
            new Order[] {new Order(1, Color.GREEN, null), null},
            new Order[] {new Order(2, Color.RED, null), null},
            new Order[] {without, without});
    assertThat(pairs.stream().map(orders -> HASHER.hash(orders, pair))).doesNotHaveDuplicates();
  }

  @Test
  void plainFunnelsAreTheKeysThemselves() {
    assertThat(HASHER.hash("é", Funnel.text())).isEqualTo(HASHER.hash("é"));
    assertThat(HASHER.hash(7L, Funnel.longs())).isEqualTo(HASHER.hash(7));
    assertThat(HASHER.hash(-7, Funnel.ints())).isEqualTo(HASHER.hash(-7));
    assertThat(HASHER.hash(ID, Funnel.uuids())).isEqualTo(HASHER.hash(ID));
    assertThat(HASHER.hash(ID_BYTES, Funnel.bytes())).isEqualTo(HASHER.hash(ID_BYTES));
  }

  @Test
  void typedViewsAddAndTest() {
    BloomFilter filter = BloomFilter.create(1000, 1e-6);
    TypedFilter<UUID> ids = Filters.typed(filter, Funnel.uuids());
    assertThat(ids.add(ID)).isTrue();
    assertThat(ids.add(ID)).isFalse();
    assertThat(ids.mightContain(ID)).isTrue();
    assertThat(filter.mightContain(ID)).isTrue();
    UUID other = new UUID(1, 2);
    ids.addAll(List.of(other));
    ids.addAll(Stream.of(new UUID(3, 4)));
    assertThat(Stream.of(ID, other, new UUID(3, 4), new UUID(5, 6)).filter(ids))
        .containsExactly(ID, other, new UUID(3, 4));
    assertThat(ids).hasToString("typed " + filter);
    Predicate<CharSequence> seen = Filters.typed((Filter) filter, Funnel.text());
    assertThat(seen.test("a")).isFalse();
    assertThat(seen.negate().test("a")).isTrue();
    assertThatThrownBy(() -> Filters.typed(filter, null)).hasMessage("funnel");
    assertThatThrownBy(() -> Filters.typed((Filter) null, Funnel.text())).hasMessage("filter");
  }

  @Test
  void staticBuildersTakeStreams() {
    FuseFilter filter =
        FuseFilter.builder()
            .falsePositiveRate(1e-6)
            .addAll(LongStream.range(0, 1000).parallel())
            .addAll(List.of(ID), Funnel.uuids())
            .addAll(Stream.of("text"))
            .build();
    assertThat(LongStream.range(0, 1000).allMatch(filter::mightContain)).isTrue();
    assertThat(filter.mightContain(ID)).isTrue();
    assertThat(filter.mightContain("text")).isTrue();
  }

  @Test
  void collectorsOfSeveralThreadsMerge() {
    List<String> texts = IntStream.range(0, 10_000).mapToObj(i -> "key-" + i).toList();
    BloomFilter expected = BloomFilter.create(10_000, 0.01);
    expected.addAll(texts);
    BloomFilter one =
        texts.stream().collect(Filters.collector(() -> BloomFilter.create(10_000, 0.01)));
    BloomFilter several =
        texts.parallelStream().collect(Filters.collector(() -> BloomFilter.create(10_000, 0.01)));
    assertThat(one.sameContent(expected)).isTrue();
    assertThat(several.sameContent(expected)).isTrue();
    BloomFilter sized = texts.parallelStream().collect(BloomFilter.collector(10_000, 0.01));
    assertThat(sized.sameContent(expected)).isTrue();
    BlockedBloomFilter blocked = BlockedBloomFilter.create(10_000, 0.01);
    blocked.addAll(texts);
    assertThat(texts.stream().collect(BlockedBloomFilter.collector(10_000, 0.01)))
        .matches(blocked::sameContent);
    assertThatThrownBy(() -> BloomFilter.collector(-1, 0.01))
        .isInstanceOf(IllegalArgumentException.class);
    CountingBloomFilter ids =
        Stream.of(ID, ID)
            .collect(
                Filters.collector(() -> CountingBloomFilter.create(100, 0.001), Funnel.uuids()));
    assertThat(ids.count(ID)).isEqualTo(2);
    BloomFilter numbers =
        LongStream.range(0, 100)
            .boxed()
            .collect(Filters.collector(() -> BloomFilter.create(100, 0.01), Funnel.longs()));
    assertThat(LongStream.range(0, 100).allMatch(numbers::mightContain)).isTrue();
  }

  @Test
  void viewsOfFiltersAreSavedAsTheFilter() throws FilterFormatException {
    AddableFilter locked = Filters.locked((AddableFilter) BloomFilter.create(1000, 0.01));
    locked.add("a");
    byte[] bytes = ((Storable) locked).toBytes();
    assertThat(Filters.read(bytes, ReadOptions.as(BloomFilter.class)).mightContain("a")).isTrue();
    assertThat(Filters.locked((RemovableFilter) CuckooFilter.create(9, 0.01)))
        .isInstanceOf(RemovableFilter.Locked.class);
    assertThat(Filters.locked((FrequencyFilter) CountMinFilter.create(9, 0.01)))
        .isInstanceOf(FrequencyFilter.Locked.class);
    assertThat(Filters.locked(Filters.oneWinner(BloomFilter.create(9, 0.01))))
        .isNotInstanceOf(Storable.class);
  }

  @Test
  void lockedFiltersAreSaved() throws FilterFormatException {
    RemovableFilter.Locked locked = RemovableFilter.Locked.of(CuckooFilter.create(1000, 0.01));
    locked.addAll(LongStream.range(0, 500));
    CuckooFilter saved = Filters.read(locked.toBytes(), ReadOptions.as(CuckooFilter.class));
    assertThat(LongStream.range(0, 500).allMatch(saved::mightContain)).isTrue();
    assertThat(locked.sameContent(saved)).isTrue();
    assertThat(saved.sameContent(locked)).isTrue();
    FrequencyFilter.Locked counted = FrequencyFilter.Locked.of(CountMinFilter.create(100, 0.01));
    counted.add("a", 3);
    assertThat(Filters.read(counted.toBytes(), ReadOptions.as(CountMinFilter.class)).count("a"))
        .isEqualTo(3);
    AddableFilter.Locked plain = AddableFilter.Locked.of(BloomFilter.create(100, 0.01));
    plain.add("a");
    assertThat(Filters.read(plain.toBytes()).mightContain("a")).isTrue();
    assertThat(locked.sameContent(plain)).isFalse();
    assertThatThrownBy(() -> SerializableFilter.of(plain)).hasMessageStartingWith("a view");
  }
}
