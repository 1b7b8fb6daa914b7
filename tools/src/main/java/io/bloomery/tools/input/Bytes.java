package io.bloomery.tools.input;

import java.util.Arrays;

/** A growing array of bytes. */
public final class Bytes implements KeySink {

  private byte[] array = new byte[256];
  private int length;

  @Override
  public void key(byte[] bytes, int offset, int count) {
    makeRoom(count);
    System.arraycopy(bytes, offset, array, length, count);
    length += count;
  }

  /** Appends one byte. */
  public void add(int b) {
    makeRoom(1);
    array[length++] = (byte) b;
  }

  /** Appends a number, 4 bytes. */
  public void addInt(int number) {
    makeRoom(Integer.BYTES);
    length += Integer.BYTES;
    setInt(length - Integer.BYTES, number);
  }

  /** Changes the number at a place. */
  public void setInt(int at, int number) {
    for (int i = 0; i < Integer.BYTES; i++) {
      array[at + i] = (byte) (number >>> (Byte.SIZE * i));
    }
  }

  /** The number at a place of an array, as {@link #addInt} wrote it. */
  public static int readInt(byte[] bytes, int at) {
    return (bytes[at] & 0xFF)
        | (bytes[at + 1] & 0xFF) << 8
        | (bytes[at + 2] & 0xFF) << 16
        | (bytes[at + 3] & 0xFF) << 24;
  }

  /** Removes everything. */
  public void clear() {
    length = 0;
  }

  /** The array that holds them, from 0 on. */
  public byte[] array() {
    return array;
  }

  /** How many there are. */
  public int length() {
    return length;
  }

  private void makeRoom(int count) {
    if (count > array.length - length) {
      array = Arrays.copyOf(array, Math.max(Math.addExact(length, count), 2 * array.length));
    }
  }
}
