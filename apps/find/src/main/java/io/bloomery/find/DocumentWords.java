package io.bloomery.find;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.tools.input.KeyStreams;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The words of documents and of queries: runs of letters, digits and the marks above and below
 * them, in lower case and composed (NFC). Of a longer word the first 200 characters count.
 */
final class DocumentWords {

  private static final int LONGEST = 200;
  private static final int PROBE = 1 << 13;

  private final int most;
  private final Set<String> words = new HashSet<>();
  private final StringBuilder word = new StringBuilder();

  private DocumentWords(int most) {
    this.most = most;
  }

  /**
   * The different words of a file, which may be packed; empty if it looks binary and should be left
   * out then.
   *
   * @param most fails if there are more
   */
  static Optional<Set<String>> of(Path file, boolean binaryToo, int most) throws IOException {
    if (!Files.isReadable(file)) {
      throw new AccessDeniedException(file.toString());
    }
    try (KeyStreams streams = new KeyStreams(file, bytes -> {})) {
      InputStream content = streams.nextText();
      if (content == null) {
        return Optional.of(Set.of());
      }
      BufferedInputStream in = new BufferedInputStream(content, 1 << 16);
      in.mark(PROBE);
      byte[] probe = in.readNBytes(PROBE);
      in.reset();
      if (!binaryToo && Pieces.isBinary(probe, probe.length)) {
        return Optional.empty();
      }
      DocumentWords document = new DocumentWords(most);
      document.read(new InputStreamReader(in, UTF_8));
      return Optional.of(document.words);
    }
  }

  /** A word as documents have it; fails unless it is one. */
  static String only(String text) {
    DocumentWords document = new DocumentWords(Integer.MAX_VALUE);
    for (int i = 0; i < text.length(); i++) {
      document.take(text.charAt(i));
    }
    document.finish();
    if (document.words.size() != 1) {
      throw new Problem("'" + text + "' is not one word of letters and digits");
    }
    return document.words.iterator().next();
  }

  private void read(Reader reader) throws IOException {
    char[] buffer = new char[1 << 14];
    for (int n = reader.read(buffer); n >= 0; n = reader.read(buffer)) {
      for (int i = 0; i < n; i++) {
        take(buffer[i]);
      }
      checkCount();
    }
    finish();
    checkCount();
  }

  private void checkCount() throws IOException {
    if (words.size() > most) {
      throw new IOException("more than " + Text.count(most) + " different words");
    }
  }

  private void take(char c) {
    if (!isOfWord(c)) {
      finish();
    } else if (word.length() < LONGEST) {
      word.append(c);
    }
  }

  /** A single surrogate may belong to a letter of a rare script, and counts as one. */
  private static boolean isOfWord(char c) {
    return Character.isLetterOrDigit(c)
        || Character.isSurrogate(c)
        || Character.getType(c) == Character.NON_SPACING_MARK
        || Character.getType(c) == Character.COMBINING_SPACING_MARK;
  }

  private void finish() {
    if (word.length() > 0) {
      words.add(Normalizer.normalize(word, Normalizer.Form.NFC).toLowerCase(Locale.ROOT));
      word.setLength(0);
    }
  }
}
