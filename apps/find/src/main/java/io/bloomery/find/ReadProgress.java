package io.bloomery.find;

/** Receives the progress of reading files. Called by one thread at a time. */
public interface ReadProgress {

  /** How many bytes there are to read, before decompression; called once, before all others. */
  void begin(long bytes);

  /** More bytes were read, or need not be read. */
  void read(long bytes);
}
