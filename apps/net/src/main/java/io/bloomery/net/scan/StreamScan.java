package io.bloomery.net.scan;

import io.bloomery.net.message.WebMessages;
import io.bloomery.net.scan.ContentScan.State;
import io.bloomery.net.scan.TrafficScanner.Hit;
import io.bloomery.net.stream.Receiver;
import io.bloomery.net.stream.TcpStream;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Looks for indicators in the streams that {@code TcpStreams} puts in order. */
final class StreamScan implements Receiver<State> {

  private static final int MOST_VARIED = 512; // streams with variants that are followed at a time
  private static final long VARIED_BYTES = 4L * 2 * Variants.WINDOW;

  private final Indicators indicators;
  private final ContentScan content;
  private final Consumer<Hit> hits;
  private final List<String> algorithms;
  private final boolean anyWeb;
  private Variants.@Nullable Parts parts; // made when they are first needed
  private int varied;
  private long unchecked;

  StreamScan(Indicators indicators, ContentScan content, Consumer<Hit> hits) {
    this.indicators = indicators;
    this.content = content;
    this.hits = hits;
    this.algorithms = indicators.algorithms();
    this.anyWeb = !indicators.urls.isEmpty() || !indicators.digests.isEmpty();
  }

  /** The memory that variants take at most, beside the parts of strings. */
  static long memory() {
    return MOST_VARIED * VARIED_BYTES;
  }

  long unchecked() {
    return unchecked;
  }

  @Override
  public State opened(TcpStream<State> stream) {
    return new State();
  }

  @Override
  public void data(TcpStream<State> stream, byte[] bytes, int from, int length) {
    State state = stream.state();
    content.next(stream, bytes, from, length);
    for (int i = 0; i < content.found(); i++) {
      boolean isPlace = content.place(i) != ContentScan.NO_PLACE;
      long position = isPlace ? stream.position() + content.place(i) : -1;
      hit(stream, content.indicator(i), position, false);
    }
    if (anyWeb) {
      web(stream, state, bytes, from, length);
    }
    Variants variants = state.variants;
    if (variants != null) {
      if (variants.isPast(stream.position())) {
        release(state);
      } else {
        variants.take(stream.position(), bytes, from, length);
        take(stream, variants);
      }
    }
  }

  private void web(TcpStream<State> stream, State state, byte[] bytes, int from, int length) {
    WebMessages web = state.web;
    if (web == null && WebMessages.mayBegin(bytes, from, length, stream.position() == 0)) {
      web =
          new WebMessages(
              url -> look(stream, indicators.urls, url),
              digest -> look(stream, indicators.digests, digest),
              algorithms);
      state.web = web;
    }
    if (web != null) {
      web.take(bytes, from, length);
      state.web = web.isOver() ? null : web;
    }
  }

  private void look(TcpStream<State> stream, Indicators.Table table, byte[] key) {
    int indicator = table.find(key, indicators.hash.of(key, 0, key.length));
    if (indicator >= 0) {
      hit(stream, indicator, -1, false);
    }
  }

  @Override
  public void missing(TcpStream<State> stream, long count) {
    endOfNames(stream);
    State state = stream.state();
    if (state.web != null) {
      state.web.lose();
      state.web = null;
    }
  }

  private void endOfNames(TcpStream<State> stream) {
    content.end(stream);
    for (int i = 0; i < content.found(); i++) {
      hit(stream, content.indicator(i), -1, false);
    }
  }

  @Override
  public void variant(TcpStream<State> stream, long position, byte[] bytes, int from, int length) {
    if (indicators.strings.isEmpty()) {
      return;
    }
    Variants.Parts all = parts == null ? Variants.Parts.of(indicators.strings.bytes()) : parts;
    parts = all;
    State state = stream.state();
    if (state.variants != null && state.variants.isPast(position + length)) {
      release(state);
    }
    if (all.isEmpty() || (state.variants == null && varied == MOST_VARIED)) {
      unchecked++;
      return;
    }
    Variants variants = state.variants;
    if (variants == null) {
      long before = stream.position() - stream.historyLength();
      variants = new Variants(all, Math.min(position, before));
      state.variants = variants;
      varied++;
      variants.take(before, stream.history(), 0, stream.historyLength());
    }
    variants.take(position, bytes, from, length);
    take(stream, variants);
  }

  private void take(TcpStream<State> stream, Variants variants) {
    for (int i = 0; i < variants.found(); i++) {
      hit(stream, indicators.strings.indicators()[variants.string(i)], -1, true);
    }
  }

  private void release(State state) {
    Variants variants = state.variants;
    if (variants != null) {
      unchecked += variants.isGivenUp() ? 1 : 0;
      varied--;
      state.variants = null;
    }
  }

  @Override
  public void ended(TcpStream<State> stream) {
    endOfNames(stream);
    State state = stream.state();
    if (state.web != null) {
      state.web.end();
    }
    release(state);
  }

  private void hit(TcpStream<State> stream, int indicator, long position, boolean isChoice) {
    hits.accept(indicators.hit(indicator, stream.nanos(), stream.text(), position, isChoice));
  }
}
