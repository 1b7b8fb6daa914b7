package io.bloomery.cli.option;

import io.bloomery.tools.input.JsonSplitter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The option that says which values of lines of JSON are the key. */
public final class JsonKeyOption {

  @Option(
      names = "--json-key",
      paramLabel = "PATH",
      description =
          "Keys are a value in each line of JSON: .user.id, .\"user id\", .tags[0]. Repeated:"
              + " keys of several values.")
  private List<String> places = new ArrayList<>();

  /** Fails, before anything is read, if one of these is not a place. */
  public void check() {
    if (!places.isEmpty()) {
      JsonSplitter.check(places);
    }
  }

  /** The places of the values that are the key; none if lines are not JSON. */
  public List<String> places() {
    return List.copyOf(places);
  }
}
