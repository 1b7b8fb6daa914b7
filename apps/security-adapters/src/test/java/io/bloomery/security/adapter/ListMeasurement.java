package io.bloomery.security.adapter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.foreign.ForeignFilter;
import io.bloomery.foreign.registry.ForeignFormats;
import io.bloomery.secure.Secret;
import io.bloomery.security.deny.DenyList;
import io.bloomery.security.deny.DenyList.Verdict;
import io.bloomery.security.deny.DenyOptions;
import io.bloomery.security.known.KnownFiles;
import io.bloomery.security.known.KnownOptions;
import io.bloomery.testkit.Seeds;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;

/**
 * Figures of deny lists and of sets of known files; {@code bench/security deny} and {@code known}
 * run it, and it is not a test.
 *
 * <ul>
 *   <li>{@code deny FILE}: a gzip file of domains
 *   <li>{@code known FILE}: a filter that DCSO's tool wrote
 * </ul>
 */
final class ListMeasurement {

  private static final int OTHERS = 1_000_000;
  private static final int FILES = 300;
  private static final long SEED = 31;

  private ListMeasurement() {}

  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[1]);
    Path directory = Files.createTempDirectory("lists");
    try {
      if (arguments[0].equals("deny")) {
        deny(file, directory);
      } else {
        dcso(file);
        changes(directory);
      }
    } finally {
      try (var files = Files.list(directory)) {
        for (Path each : files.toList()) {
          Files.delete(each);
        }
      }
      Files.delete(directory);
    }
  }

  private static void deny(Path file, Path directory) throws IOException {
    List<String> domains;
    try (var in = new GZIPInputStream(Files.newInputStream(file));
        var lines = new BufferedReader(new InputStreamReader(in, UTF_8))) {
      domains = lines.lines().toList();
    }
    Path target = directory.resolve("list");
    double start = Measured.cpuSeconds();
    DenyList.build(List.of(file), target, DenyOptions.DEFAULT);
    DenyList list = DenyList.open(target);
    long rules = list.info().rules();
    System.out.printf(
        Locale.ROOT,
        "%,d rules at %.2g per lookup in %,d bytes, %.2f each; built and read in %.1f s of CPU"
            + " time%n",
        rules,
        list.info().rate(),
        Files.size(target),
        (double) Files.size(target) / rules,
        Measured.cpuSeconds() - start);
    long missed = 0;
    for (String domain : domains) {
      for (String item : List.of(domain, "mail." + domain, "http://a.b." + domain + "/c?d")) {
        missed += list.check(item).verdict() == Verdict.DENIED ? 0 : 1;
      }
    }
    System.out.printf(
        Locale.ROOT, "%,d of %,d names, names below them and URLs missed%n", missed, 3 * rules);
    remote(domains, file, target);
    declared(file, directory);
  }

  /** Names of three labels that are on no list. */
  private static List<String> others() {
    SplittableRandom random = Seeds.random(SEED);
    return random
        .longs(OTHERS)
        .mapToObj(
            drawn -> {
              String text = Long.toString(drawn >>> 1, Character.MAX_RADIX);
              return "a." + text + ".g" + text;
            })
        .toList();
  }

  private static void remote(List<String> domains, Path file, Path target) throws IOException {
    DenyList.build(List.of(file), target, DenyOptions.DEFAULT.withRate(1e-3));
    DenyList list = DenyList.open(target);
    Set<String> exact = new HashSet<>(domains);
    int[] calls = {0};
    long bad = 0;
    double chance = 0;
    for (String domain : domains) {
      bad += list.check("x." + domain, rules -> ++calls[0] > 0).rules().isEmpty() ? 0 : 1;
    }
    int confirmed = calls[0];
    for (String name : others()) {
      list.check(
          name,
          rules -> {
            calls[0]++;
            return rules.stream().anyMatch(rule -> exact.contains(rule.text()));
          });
      chance += list.chance(name) / OTHERS;
    }
    System.out.printf(
        Locale.ROOT,
        "%,d remote calls for %,d bad names, %,d denied%n",
        confirmed,
        exact.size(),
        bad);
    Measured.rate("good names with a remote call", calls[0] - confirmed, OTHERS, chance);
  }

  private static void declared(Path file, Path directory) throws IOException {
    List<String> names = others();
    Path universe = Files.write(directory.resolve("universe"), names);
    Path plain = directory.resolve("plain");
    Path target = directory.resolve("exact");
    DenyOptions options = DenyOptions.DEFAULT.withRate(1e-3).withSeed(SEED);
    DenyList.build(List.of(file), plain, options);
    DenyList.build(List.of(file), target, options.withUniverse(List.of(universe)));
    System.out.printf(
        Locale.ROOT,
        "%,d of %,d declared names denied by chance in %,d bytes; %,d in %,d bytes when declared%n",
        denied(plain, names),
        names.size(),
        Files.size(plain),
        denied(target, names),
        Files.size(target));
  }

  private static long denied(Path list, List<String> names) throws IOException {
    DenyList opened = DenyList.open(list);
    return names.stream().filter(name -> opened.check(name).verdict() == Verdict.DENIED).count();
  }

  private static void dcso(Path file) throws IOException {
    ForeignFilter filter = ForeignFormats.open(file, "dcso");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    boolean isSame = Arrays.equals(out.toByteArray(), Files.readAllBytes(file));
    long found =
        List.of("foo", "bar", "baz").stream().filter(key -> filter.mightContain(key)).count();
    System.out.printf(
        Locale.ROOT,
        "DCSO's filter of %,d bytes: %d of foo, bar, baz found; written again: %s%n",
        out.size(),
        found,
        isSame ? "the same bytes" : "other bytes");
  }

  private static void changes(Path directory) throws IOException {
    Path tree = Files.createDirectory(directory.resolve("tree"));
    for (int i = 0; i < FILES; i++) {
      Files.writeString(tree.resolve("name " + i), "content");
    }
    Path set = directory.resolve("set");
    try (Secret secret = Secret.generate()) {
      KnownOptions options = KnownOptions.DEFAULT.withPlaces(secret).withRate(1e-3);
      KnownFiles.build(List.of(tree), set, options, total -> read -> {});
      KnownFiles known = KnownFiles.open(set, options);
      String[] real = new String[1];
      known.check(List.of(tree), found -> real[0] = found.digest(), total -> read -> {});
      byte[] digest = HexFormat.of().parseHex(real[0]);
      SplittableRandom random = Seeds.random(SEED);
      long[] missed = new long[3];
      for (int i = 0; i < OTHERS; i++) {
        byte[] other = digest.clone();
        random.nextBytes(other);
        missed[0] += known.mightContain("name 0", 7, other) ? 1 : 0;
        missed[1] += known.mightContain("name 0", 8 + i, digest) ? 1 : 0;
        missed[2] += known.mightContain("other " + i, 7, digest) ? 1 : 0;
      }
      String[] what = {"changed contents missed", "changed sizes missed", "changed names missed"};
      for (int i = 0; i < missed.length; i++) {
        Measured.rate(what[i], missed[i], OTHERS, known.info().rate());
      }
    } finally {
      for (int i = 0; i < FILES; i++) {
        Files.delete(tree.resolve("name " + i));
      }
      Files.delete(tree);
    }
  }
}
