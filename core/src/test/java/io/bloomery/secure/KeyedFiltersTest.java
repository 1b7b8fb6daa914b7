package io.bloomery.secure;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.AddableFilter;
import io.bloomery.Filter;
import io.bloomery.FilterBuilder;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.FrameHeader;
import io.bloomery.HashedFilter;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.ReadOptions;
import io.bloomery.SampleFilters;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BloomFilter;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Seeds;
import io.bloomery.weighted.GeneralizedBloomFilter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class KeyedFiltersTest {

  @TempDir private Path directory;

  private final Secret secret = SecureIndexSamples.secret(20);
  private final KeyedFilters keyed = KeyedFilters.of(secret);

  @AfterEach
  void close() {
    secret.close();
  }

  static byte[] nonce(int seed) {
    byte[] nonce = new byte[16];
    Seeds.random(seed).nextBytes(nonce);
    return nonce;
  }

  static Stream<FilterKind<?>> kinds() {
    return Filters.kinds().stream().filter(FilterKind::isHashed);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void everyKindIsStoredWithItsNonceAndOpensWithTheSecret(FilterKind<?> kind) throws IOException {
    Hasher hasher = keyed.hasher(nonce(7));
    Path file = directory.resolve("keyed.bloom");
    Filter original = SampleFilters.of(kind, hasher);
    // Added keys overwrite each other's bits there, with 30 % of all nonces some of these twenty.
    if (kind != GeneralizedBloomFilter.KIND) {
      assertThat(SampleFilters.hasAllKeys(original)).isTrue();
    }
    ((Storable) original).writeTo(file);
    byte[] frame = Files.readAllBytes(file);

    for (Filter again :
        List.of(
            Filters.open(file, ReadOptions.defaults().withHashers(keyed)),
            Filters.map(file, ReadOptions.defaults().withHashers(keyed)),
            Filters.open(file, ReadOptions.defaults().withHasher(hasher)),
            Filters.read(
                new ByteArrayInputStream(frame),
                ReadOptions.defaults().withLimit(frame.length).withHashers(keyed)))) {
      assertThat(SampleFilters.heldKeys(again)).isEqualTo(SampleFilters.heldKeys(original));
      assertThat(SampleFilters.bytes(again)).isEqualTo(frame);
    }
    FrameHeader header = Filters.verify(file);
    assertThat(header.isKeyed()).isTrue();
    assertThat(header.nonce()).hasValue(hasher.nonce().orElseThrow());
    assertThat(header.fields()).doesNotContainKeys("nonce 0", "nonce 1");
    String nonce = HexFormat.of().formatHex(header.nonce().orElseThrow());
    assertThat(header.hash()).endsWith(", nonce " + nonce);
    assertThat(hasher.toString()).endsWith(", nonce " + nonce);
  }

  @Test
  void noNonceIsUsedTwice() {
    assertThat(keyed.newHasher()).isNotEqualTo(keyed.newHasher());
    assertThat(keyed.newHasher().nonce().orElseThrow())
        .isNotEqualTo(keyed.newHasher().nonce().orElseThrow());
    assertThat(keyed.hasher(nonce(1))).isEqualTo(keyed.hasher(nonce(1)));
    assertThat(keyed.hasher(nonce(1)).hashCode()).isEqualTo(keyed.hasher(nonce(1)).hashCode());
  }

  /** As docs/hashing.md says, computed by the JDK's classes alone. */
  @Test
  void theKeyIsTheHmacOfTheNonce() throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.toBytes(), "HmacSHA256"));
    mac.update("bloomery keyed filter".getBytes(US_ASCII));
    byte[] key = Arrays.copyOf(mac.doFinal(nonce(2)), 16);
    Hasher hasher = keyed.hasher(nonce(2));
    assertThat(hasher.hash("x")).isEqualTo(Hasher.keyed(key).hash("x"));
    assertThat(hasher.seedOrKeyCheck()).isEqualTo(Hasher.keyed(key).seedOrKeyCheck());
    assertThat(hasher).isNotEqualTo(Hasher.keyed(key));
    assertThat(hasher.wireId()).isEqualTo(Hasher.SIPHASH_2_4_NONCE).isEqualTo(5);
  }

  /** RFC 4231, test cases 1, 2 and 6, whose key is longer than a block. */
  @Test
  void hmacGivesTheVectorsOfTheRfc() {
    byte[] ones = new byte[20];
    Arrays.fill(ones, (byte) 0x0b);
    byte[] longer = new byte[131];
    Arrays.fill(longer, (byte) 0xaa);
    try (Hmac hmac = new Hmac()) {
      assertThat(hmac.of(ones, "Hi ".getBytes(US_ASCII), "There".getBytes(US_ASCII)))
          .asHexString()
          .isEqualToIgnoringCase(
              "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
      assertThat(
              hmac.of("Jefe".getBytes(US_ASCII), "what do ya want for nothing?".getBytes(US_ASCII)))
          .asHexString()
          .isEqualToIgnoringCase(
              "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
      assertThat(
              hmac.of(
                  longer,
                  "Test Using Larger Than Block-Size Key - Hash Key First".getBytes(US_ASCII)))
          .asHexString()
          .isEqualToIgnoringCase(
              "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    }
  }

  @Test
  void anotherSecretIsAnError() throws IOException {
    Path file = directory.resolve("keyed.bloom");
    BloomFilter.create(BloomFilter.create(100, 0.01).shape(), keyed.newHasher()).writeTo(file);
    try (Secret other = SecureIndexSamples.secret(21)) {
      KeyedFilters others = KeyedFilters.of(other);
      assertThatThrownBy(() -> Filters.open(file, ReadOptions.defaults().withHashers(others)))
          .isInstanceOf(FilterFormatException.class)
          .hasMessageContaining("wrong key");
      assertThatThrownBy(() -> Filters.map(file, ReadOptions.defaults().withHashers(others)))
          .hasMessageContaining("wrong key");
      assertThatThrownBy(
              () -> Filters.open(file, ReadOptions.defaults().withHasher(keyed.newHasher())))
          .hasMessageContaining("wrong key");
    }
    assertThatThrownBy(() -> Filters.open(file))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("made with a secret key")
        .hasMessageContaining("KeyedFilters.of(secret)");
    assertThatThrownBy(
            () -> Filters.open(file, ReadOptions.defaults().withHasher(Hasher.keyed(new byte[16]))))
        .hasMessageContaining("wrong key");
  }

  /** Replacing a keyed file by one without a key is detected. */
  @Test
  void aFileWithoutAKeyIsRefused() throws IOException {
    Path file = directory.resolve("plain.bloom");
    BloomFilter.create(100, 0.01).writeTo(file);
    assertThatThrownBy(() -> Filters.open(file, ReadOptions.defaults().withHashers(keyed)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("wrong hasher: the filter was made with XXH3-64, seed 0");
  }

  @Test
  void filesOfThePlainKeyedHasherOpenWithTheirKeyAsSecret() throws IOException {
    Path file = directory.resolve("old.bloom");
    byte[] key = nonce(3);
    BloomFilter.create(BloomFilter.create(100, 0.01).shape(), Hasher.keyed(key)).writeTo(file);
    try (Secret same = Secret.of(key)) {
      assertThat(Filters.open(file, ReadOptions.defaults().withHashers(KeyedFilters.of(same))))
          .isInstanceOf(BloomFilter.class);
    }
    assertThatThrownBy(() -> Filters.open(file, ReadOptions.defaults().withHashers(keyed)))
        .hasMessageContaining("wrong key");
  }

  @Test
  void filtersThatShareAHasherAreMerged() {
    BloomFilter first = BloomFilter.create(BloomFilter.create(99, 0.01).shape(), keyed.newHasher());
    BloomFilter second = BloomFilter.create(first.shape(), first.hasher());
    BloomFilter other = BloomFilter.create(first.shape(), keyed.newHasher());
    second.add("x");
    first.merge(second);
    assertThat(first.mightContain("x")).isTrue();
    assertThatThrownBy(() -> first.merge(other)).isInstanceOf(IncompatibleFiltersException.class);
  }

  @Test
  void plansAreMadeUnderTheSecret() throws IOException {
    Planner planner = Planner.standard();
    Plan plan = planner.plan(Needs.forKeys(1_000, 0.01).with(Need.PRIVATE)).best();
    assertThat(plan.keyed()).isTrue();
    AddableFilter filter = (AddableFilter) keyed.create(plan);
    filter.add("x");
    assertThat(filter.mightContain("x")).isTrue();
    assertThat(filter.hasher().nonce()).isPresent();

    Plan fixed =
        planner.plan(Needs.forKeys(1_000, 0.01).with(Need.PRIVATE).with(Need.FROZEN_SET)).best();
    Hasher hasher = keyed.newHasher();
    FilterBuilder builder = keyed.builder(fixed, hasher, 1);
    long[] hashes = Arrays.stream(Keys.members(1_000)).map(hasher::hash).toArray();
    builder.addHashes(hashes, 0, hashes.length);
    HashedFilter built = builder.build();
    assertThat(built.mightContainHash(hashes[7])).isTrue();
    assertThat(built.hasher()).isEqualTo(hasher);
    assertThatThrownBy(() -> keyed.builder(fixed, Hasher.xxh3(), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nonce");
  }

  @Test
  void theSecretIsShownNowhere() throws IOException {
    Path file = directory.resolve("keyed.bloom");
    BloomFilter.create(BloomFilter.create(100, 0.01).shape(), keyed.newHasher()).writeTo(file);
    String bytes = new String(secret.toBytes(), ISO_8859_1);
    assertThat(new String(Files.readAllBytes(file), ISO_8859_1)).doesNotContain(bytes);
    assertThat(keyed).hasToString("KeyedFilters[Secret[32 bytes]]");
    try (ObjectOutputStream out = new ObjectOutputStream(new ByteArrayOutputStream())) {
      assertThatThrownBy(() -> out.writeObject(secret))
          .isInstanceOf(NotSerializableException.class);
    }
  }

  @Test
  void aClosedSecretIsOfNoUseButItsFiltersAre() {
    BloomFilter filter = BloomFilter.create(BloomFilter.create(9, 0.1).shape(), keyed.newHasher());
    byte[] copy = secret.toBytes();
    secret.close();
    filter.add("x");
    assertThat(filter.mightContain("x")).isTrue();
    for (Runnable use : List.<Runnable>of(keyed::newHasher, secret::toBytes)) {
      assertThatThrownBy(use::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the secret is closed");
    }
    assertThat(copy).isNotEqualTo(new byte[32]);
    try (Secret one = Secret.generate();
        Secret two = Secret.generate()) {
      assertThat(one.toBytes()).hasSize(32).isNotEqualTo(two.toBytes());
    }
  }

  @Test
  void keysAndNoncesHave16Bytes() {
    assertThatThrownBy(() -> keyed.hasher(new byte[15]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("nonce has 15 bytes; it must have 16");
    assertThatThrownBy(() -> Hasher.keyed(new byte[17], new byte[16]))
        .hasMessage("key has 17 bytes; it must have 16");
  }
}
