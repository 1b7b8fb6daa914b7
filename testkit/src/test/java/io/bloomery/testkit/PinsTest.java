package io.bloomery.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Libraries and plugins are pinned by checksum. Maven 3.9 compares each file with {@code
 * .mvn/checksums/checksums.sha256} when it is resolved, before any of it runs; for Maven 3.8, which
 * cannot, this test compares what it left in its local repository.
 */
final class PinsTest {

  private static final Path ROOT = Path.of("..");
  private static final Path LIST = ROOT.resolve(".mvn/checksums/checksums.sha256");

  /** Plugins that a POM gives a version, and that no build runs by itself. */
  private static final Set<String> NOT_RUN =
      Set.of(
          "maven-clean-plugin",
          "maven-install-plugin",
          "maven-deploy-plugin",
          "maven-site-plugin",
          "versions-maven-plugin");

  @Test
  void filesInTheLocalRepositoryAreThoseOfTheList() throws Exception {
    Path repository = repository();
    List<String> replaced = new ArrayList<>();
    int found = 0;
    for (Map.Entry<String, String> pin : pins().entrySet()) {
      Path file = repository.resolve(pin.getKey());
      if (Files.exists(file)) {
        found++;
        if (!sha256(file).equals(pin.getValue())) {
          replaced.add(pin.getKey());
        }
      }
    }
    assertThat(replaced).as("files that differ from %s: do not build with them", LIST).isEmpty();
    assertThat(found).as("listed files in %s", repository).isPositive();
  }

  @Test
  void whatThePomsNameIsListed() throws Exception {
    Map<String, String> pins = pins();
    Set<String> missing = new TreeSet<>();
    Map<String, String> properties = properties(ROOT.resolve("pom.xml"));
    for (Path pom : poms()) {
      for (Element named : named(pom)) {
        String group = childText(named, "groupId");
        String artifact = childText(named, "artifactId");
        String version = interpolated(childText(named, "version"), properties);
        if (version.isEmpty() || group.equals("io.bloomery") || NOT_RUN.contains(artifact)) {
          continue;
        }
        String directory =
            (group.isEmpty() ? "org.apache.maven.plugins" : group).replace('.', '/')
                + ("/" + artifact + "/" + version + "/");
        if (pins.keySet().stream().noneMatch(path -> path.startsWith(directory))) {
          missing.add(artifact + " " + version);
        }
      }
    }
    assertThat(missing).as("not in %s; .ci/pin lists them", LIST).isEmpty();
  }

  @Test
  void whatTestsRunWithIsListed() throws IOException {
    Path repository = repository();
    Set<String> pins = pins().keySet();
    assertThat(classPath())
        .filteredOn(jar -> jar.startsWith(repository))
        .extracting(jar -> repository.relativize(jar).toString().replace(File.separatorChar, '/'))
        .filteredOn(path -> !path.startsWith("io/bloomery/"))
        .isNotEmpty()
        .allMatch(pins::contains);
  }

  /** Sums by the path in a repository. */
  private static Map<String, String> pins() throws IOException {
    Map<String, String> pins = new TreeMap<>();
    for (String line : Files.readAllLines(LIST)) {
      assertThat(line).matches("[0-9a-f]{64}  [^ ]+\\.(jar|pom)");
      pins.put(line.substring(66), line.substring(0, 64));
    }
    assertThat(pins).isNotEmpty();
    return pins;
  }

  private static List<Path> classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .toList();
  }

  /** The local repository, found by a library of this test's class path. */
  private static Path repository() {
    Path inRepository = Path.of("org", "junit", "jupiter", "junit-jupiter-api");
    for (Path jar : classPath()) {
      Path artifact = jar.getNameCount() > 2 ? jar.getParent().getParent() : jar;
      if (artifact.endsWith(inRepository)) {
        return artifact.getParent().getParent().getParent().getParent();
      }
    }
    throw new AssertionError("no JUnit from a Maven repository on the class path");
  }

  private static String sha256(Path file) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
      in.transferTo(java.io.OutputStream.nullOutputStream());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static List<Path> poms() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT, 3)) {
      return files
          .filter(file -> file.endsWith("pom.xml"))
          .filter(file -> !file.toString().contains("target"))
          .filter(file -> !file.startsWith(ROOT.resolve("examples")))
          .toList();
    }
  }

  /**
   * Elements that name an artifact with a version: dependencies, plugins, annotation processors.
   */
  private static List<Element> named(Path pom) throws Exception {
    List<Element> named = new ArrayList<>();
    for (String tag : List.of("dependency", "plugin", "path")) {
      var elements = parsed(pom).getElementsByTagName(tag);
      for (int i = 0; i < elements.getLength(); i++) {
        Element element = (Element) elements.item(i);
        if (!childText(element, "artifactId").isEmpty()) {
          named.add(element);
        }
      }
    }
    return named;
  }

  private static Map<String, String> properties(Path pom) throws Exception {
    Map<String, String> properties = new HashMap<>();
    Node section = parsed(pom).getElementsByTagName("properties").item(0);
    for (Node node = section.getFirstChild(); node != null; node = node.getNextSibling()) {
      properties.put("${" + node.getNodeName() + "}", node.getTextContent().strip());
    }
    return properties;
  }

  private static String interpolated(String version, Map<String, String> properties) {
    return properties.getOrDefault(version, version);
  }

  private static Element parsed(Path pom) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(pom.toFile())
        .getDocumentElement();
  }

  private static String childText(Element element, String name) {
    for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node.getNodeName().equals(name)) {
        return node.getTextContent().strip();
      }
    }
    return "";
  }
}
