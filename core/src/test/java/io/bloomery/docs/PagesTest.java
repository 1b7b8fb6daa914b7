package io.bloomery.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages of the project, and the links between them. */
class PagesTest {

  private static final Path ROOT = Path.of("..");
  private static final Path DOCS = ROOT.resolve("docs");

  /**
   * A link in Markdown to a file, a heading of one, or a heading of the same page.
   *
   * @param target the file, empty for the same page
   * @param heading the heading as addresses have it, or null
   */
  private record Link(String target, String heading) {

    private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]*)(?:#([^)\\s]+))?\\)");
    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```|`[^`\n]*`");

    static List<Link> of(Path page) throws IOException {
      String text = CODE.matcher(Files.readString(page)).replaceAll("code");
      return LINK.matcher(text)
          .results()
          .map(link -> new Link(link.group(1), link.group(2)))
          .filter(link -> !link.target().contains(":"))
          .toList();
    }

    boolean leadsSomewhereFrom(Path page) throws IOException {
      Path file = target.isEmpty() ? page : page.resolveSibling(target);
      return Files.exists(file) && (heading == null || headings(file).contains(heading));
    }

    private static Set<String> headings(Path page) throws IOException {
      return Files.readAllLines(page).stream()
          .filter(line -> line.matches("#{1,6} .*"))
          .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
          .map(line -> line.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
          .collect(Collectors.toSet());
    }
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    try (Stream<Path> root = Files.list(ROOT);
        Stream<Path> docs = Files.walk(DOCS)) {
      Stream.concat(root, docs).filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
    }
    return pages;
  }

  @Test
  void theIndexHasEveryPage() throws IOException {
    List<Path> linked = new ArrayList<>();
    for (Link link : Link.of(DOCS.resolve("README.md"))) {
      linked.add(DOCS.resolve(link.target()).normalize());
    }
    assertThat(linked).contains(DOCS.resolve("decisions"));
    for (Path page : pages()) {
      boolean listed = page.startsWith(DOCS) && !page.startsWith(DOCS.resolve("decisions"));
      if (listed && !page.equals(DOCS.resolve("README.md"))) {
        assertThat(linked).contains(page);
      }
    }
  }

  @Test
  void everyLinkLeadsSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      for (Link link : Link.of(page)) {
        if (!link.leadsSomewhereFrom(page)) {
          broken.add(page + ": " + link.target() + "#" + link.heading());
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  /** Thirty seconds of a visitor. */
  @Test
  void theReadmeStaysShort() throws IOException {
    String text = Files.readString(ROOT.resolve("README.md"));
    assertThat(text.split("\\s+")).hasSizeLessThan(650);
    Set<String> classes =
        Pattern.compile("\\b[A-Z][a-z]+(?:[A-Z][a-z]+)*(?:Filter|Map|Set|Sketch)\\b")
            .matcher(text)
            .results()
            .map(match -> match.group())
            .collect(Collectors.toSet());
    assertThat(classes).hasSizeLessThan(13);
  }
}
