package io.bloomery.tools.input;

import java.io.IOException;

/**
 * Records of another splitter whose keys pass a check; others are bad rows. Empty keys are not
 * checked.
 */
public final class CheckedSplitter implements Splitter {

  private final Splitter splitter;
  private final KeySink check;

  /**
   * Checks the keys of a splitter.
   *
   * @param check throws IllegalArgumentException if a key is not one
   */
  public CheckedSplitter(Splitter splitter, KeySink check) {
    this.splitter = splitter;
    this.check = check;
  }

  @Override
  public void split(Block block) {
    splitter.split(block);
    block.retain(
        i -> {
          int start = block.keyStarts()[i];
          int length = block.keyEnds()[i] - start;
          try {
            if (length > 0) {
              check.key(block.bytes(), start, length);
            }
            return true;
          } catch (IllegalArgumentException e) {
            block.addBad(
                block.starts()[i],
                block.ends()[i],
                () -> String.valueOf(Reading.problem(block, i, e).getMessage()));
            return false;
          }
        });
  }

  @Override
  public void startInput() {
    splitter.startInput();
  }

  @Override
  public int lastEnd(Block block, int from) {
    return splitter.lastEnd(block, from);
  }

  @Override
  public void begin(Block block) throws IOException {
    splitter.begin(block);
  }

  @Override
  public void arrange(Block block) {
    splitter.arrange(block);
  }

  @Override
  public int badEnd(Block block) {
    return splitter.badEnd(block);
  }

  @Override
  public boolean areRows(Block block) {
    return splitter.areRows(block);
  }

  @Override
  public boolean isRow() {
    return splitter.isRow();
  }

  @Override
  public byte[] recordEnd() {
    return splitter.recordEnd();
  }

  @Override
  public boolean isText() {
    return splitter.isText();
  }
}
