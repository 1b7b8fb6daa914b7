package io.bloomery.security.adapter;

import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.GuavaFormat;
import io.bloomery.security.password.PasswordList;
import io.bloomery.security.password.PasswordOptions;
import io.bloomery.testkit.Seeds;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;
import org.keycloak.policy.DenylistPasswordPolicyProviderFactory.FileBasedPasswordDenylist;

/**
 * Figures of lists of passwords; {@code bench/security} runs it, and it is not a test.
 *
 * <ul>
 *   <li>{@code passwords FILE}: a gzip file of passwords, most frequent first
 *   <li>{@code keycloak FILE}: the same file, as a deny list that Keycloak's own class opens
 *   <li>{@code digests FILE COUNT}: writes made-up digests, sorted as the published ones
 *   <li>{@code leaked FILE}: builds a list of that file
 * </ul>
 */
final class PasswordMeasurement {

  private static final long SEED = 31;
  private static final int STRONG = 2_000_000;
  private static final int CHANGED = 10_000;
  private static final String LETTERS =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

  private PasswordMeasurement() {}

  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[1]);
    switch (arguments[0]) {
      case "passwords" -> passwords(file);
      case "keycloak" -> keycloak(file);
      case "digests" -> digests(file, Integer.parseInt(arguments[2]));
      case "leaked" -> leaked(file);
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static List<String> lines(Path file) throws IOException {
    try (var in = new GZIPInputStream(Files.newInputStream(file));
        var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return lines.lines().toList();
    }
  }

  private static PasswordList build(Path file, PasswordOptions options) throws IOException {
    Path target = Files.createTempFile("passwords", ".bloom");
    try {
      double start = Measured.cpuSeconds();
      PasswordList.Built built = PasswordList.build(List.of(file), target, options);
      System.out.printf(
          Locale.ROOT,
          "built of %,d passwords in %.1f s of CPU time, %,d bytes, %s%n",
          built.passwords(),
          Measured.cpuSeconds() - start,
          Files.size(target),
          options.oneChange() ? "one change" : "no changes");
      return PasswordList.open(target);
    } finally {
      Files.delete(target); // it stays mapped
    }
  }

  private static void passwords(Path file) throws IOException {
    List<char[]> all = new ArrayList<>();
    for (String line : lines(file)) {
      if (!line.isEmpty()) {
        all.add(line.toCharArray());
      }
    }
    PasswordList list = build(file, PasswordOptions.DEFAULT.withRate(1e-3));
    long missed = all.stream().filter(password -> list.check(password).isEmpty()).count();
    System.out.printf(Locale.ROOT, "%,d of %,d missed%n", missed, all.size());
    strong(list, 12);
    speed("listed ones", list, all);
    PasswordList changed = build(file, PasswordOptions.DEFAULT.withRate(1e-4).withOneChange());
    changes(changed, all);
    strong(changed, 12);
    speed("listed ones, list with changes", changed, all);
    List<char[]> random = new ArrayList<>();
    SplittableRandom draw = Seeds.random(SEED);
    for (int i = 0; i < 1_000_000; i++) {
      random.add(strong(draw, 12));
    }
    speed("strong ones", list, random);
    speed("strong ones, list with changes", changed, random);
  }

  /** No character follows itself, so that all lookups differ. */
  private static char[] strong(SplittableRandom random, int length) {
    char[] password = new char[length];
    for (int i = 0; i < length; i++) {
      do {
        password[i] = LETTERS.charAt(random.nextInt(LETTERS.length()));
      } while (i > 0 && password[i] == password[i - 1]);
    }
    return password;
  }

  private static void strong(PasswordList list, int length) {
    SplittableRandom random = Seeds.random(SEED + length);
    long refused = 0;
    for (int i = 0; i < STRONG; i++) {
      refused += list.check(strong(random, length)).isPresent() ? 1 : 0;
    }
    Measured.rate("strong passwords refused", refused, STRONG, list.refusalRate(length));
  }

  private static void changes(PasswordList list, List<char[]> all) {
    SplittableRandom random = Seeds.random(SEED);
    int refused = 0;
    for (int i = 0; i < CHANGED; i++) {
      StringBuilder changed = new StringBuilder().append(all.get(random.nextInt(all.size())));
      char other = LETTERS.charAt(random.nextInt(LETTERS.length()));
      int at = random.nextInt(changed.length());
      switch (i % 3) {
        case 0 -> changed.insert(random.nextInt(changed.length() + 1), other);
        case 1 -> changed.setCharAt(at, other);
        default -> changed.deleteCharAt(at);
      }
      refused += list.check(changed.toString().toCharArray()).isPresent() ? 1 : 0;
    }
    System.out.printf(Locale.ROOT, "%,d of %,d changed ones refused%n", refused, CHANGED);
  }

  private static void speed(String what, PasswordList list, List<char[]> passwords) {
    double least =
        Measured.leastSeconds(
            5,
            () -> {
              long found = 0;
              for (char[] password : passwords) {
                found += list.check(password).isPresent() ? 1 : 0;
              }
              return found;
            });
    System.out.printf(
        Locale.ROOT, "%,.0f checks per second of CPU time: %s%n", passwords.size() / least, what);
  }

  private static void keycloak(Path file) throws IOException {
    List<String> passwords =
        lines(file).stream()
            .filter(line -> !line.isEmpty())
            .map(line -> line.toLowerCase(Locale.ROOT))
            .distinct()
            .toList();
    Path directory = Files.createTempDirectory("denylist");
    Path target = directory.resolve("denylist.bloom");
    try {
      ForeignBloomFilter filter = GuavaFormat.create(passwords.size(), 1e-4);
      passwords.forEach(filter::add);
      filter.writeTo(target);
      FileBasedPasswordDenylist denylist =
          new FileBasedPasswordDenylist(directory, "denylist.bloom", 1e-4, Long.MAX_VALUE);
      long missed = passwords.stream().filter(word -> !denylist.contains(word)).count();
      System.out.printf(
          Locale.ROOT, "%,d of %,d missed by Keycloak's class%n", missed, passwords.size());
      SplittableRandom random = Seeds.random(SEED);
      long refused = 0;
      for (int i = 0; i < 1_000_000; i++) {
        String word = new String(strong(random, 16)).toLowerCase(Locale.ROOT);
        refused += denylist.contains(word) ? 1 : 0;
      }
      Measured.rate("strong passwords refused", refused, 1_000_000, filter.falsePositiveRate());
    } finally {
      Files.deleteIfExists(target);
      Files.delete(directory);
    }
  }

  /** The first 8 of 20 bytes rise as those of sorted random digests do; the others are drawn. */
  private static void digests(Path file, int count) throws IOException {
    SplittableRandom random = Seeds.random(SEED);
    byte[] hex = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);
    double step = 0x1p64 / count;
    double sum = 0;
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
      byte[] line = new byte[40];
      for (int i = 0; i < count; i++) {
        sum += step * 2 * random.nextDouble();
        long first = (long) (Math.min(sum, 0x1.fffffffffffffp63) - 0x1p63) ^ Long.MIN_VALUE;
        long[] words = {first, random.nextLong(), random.nextLong()};
        for (int digit = 0; digit < line.length; digit++) {
          line[digit] = hex[(int) (words[digit / 16] >>> (60 - 4 * (digit % 16))) & 15];
        }
        out.write(line);
        out.write(':');
        int seen = (int) Math.min(1e7, 1 / random.nextDouble());
        out.write(Integer.toString(seen).getBytes(StandardCharsets.US_ASCII));
        out.write('\r');
        out.write('\n');
      }
    }
  }

  private static void leaked(Path file) throws IOException {
    build(file, PasswordOptions.DEFAULT.withRate(1e-9));
    System.out.printf(
        Locale.ROOT,
        "-Xmx %,d MB; resident at most %s; input %,d bytes%n",
        Runtime.getRuntime().maxMemory() >> 20,
        Measured.mostResident(),
        Files.size(file));
    long planned = PasswordOptions.DEFAULT.withRate(1e-9).plannedBytes(847_000_000);
    System.out.printf(Locale.ROOT, "847 million at 1e-9 by plan: %,d bytes%n", planned);
  }
}
