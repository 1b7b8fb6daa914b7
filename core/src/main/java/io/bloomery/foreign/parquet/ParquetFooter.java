package io.bloomery.foreign.parquet;

import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.foreign.parquet.ParquetFile.Column;
import io.bloomery.foreign.parquet.ParquetFile.Presence;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads a Parquet file's FileMetaData as far as it concerns Bloom filters. */
final class ParquetFooter {

  private static final int MAGIC_BYTES = 4;

  private final ForeignBytes in;
  private final long end;
  private final ThriftCompact thrift;
  private final List<Column> columns = new ArrayList<>();
  private Map<String, ParquetType> types = Map.of();

  private ParquetFooter(ForeignBytes in, long end) {
    this.in = in;
    this.end = end;
    thrift = new ThriftCompact(in, end);
  }

  /** Reads from the current position up to {@code end}. */
  static ParquetFooter read(ForeignBytes in, long end) throws IOException {
    ParquetFooter footer = new ParquetFooter(in, end);
    footer.read();
    return footer;
  }

  /** All columns of all row groups, in the order of the file. */
  List<Column> columns() {
    return columns;
  }

  /** The types of the columns' values by their paths. */
  Map<String, ParquetType> types() {
    return types;
  }

  private void read() throws IOException {
    thrift.enter();
    for (int field = thrift.field(); field != 0; field = thrift.field()) {
      switch (field) {
        case 2 -> types = new ParquetSchema(thrift).read();
        case 4 -> {
          int groups = thrift.list(ThriftCompact.STRUCT, "row groups");
          for (int group = 0; group < groups; group++) {
            rowGroup(group);
          }
        }
        default -> thrift.skip();
      }
    }
    thrift.leave();
  }

  private void rowGroup(int group) throws IOException {
    thrift.enter();
    for (int field = thrift.field(); field != 0; field = thrift.field()) {
      if (field == 1) {
        int chunks = thrift.list(ThriftCompact.STRUCT, "columns");
        for (int i = 0; i < chunks; i++) {
          chunk(group);
        }
      } else {
        thrift.skip();
      }
    }
    thrift.leave();
  }

  private void chunk(int group) throws IOException {
    Column column = null;
    Presence elsewhere = null;
    String hidden = "?";
    thrift.enter();
    for (int field = thrift.field(); field != 0; field = thrift.field()) {
      switch (field) {
        case 1 -> {
          elsewhere = Presence.ELSEWHERE;
          thrift.skip();
        }
        case 3 -> column = metadata(group);
        case 8 -> {
          elsewhere = Presence.ENCRYPTED;
          hidden = encrypted(hidden);
        }
        default -> thrift.skip();
      }
    }
    thrift.leave();
    if (column == null && elsewhere != Presence.ENCRYPTED) {
      throw in.problem(in.position(), "a column of row group %d has no description", group);
    }
    if (column == null) {
      column = new Column(group, hidden, null, Presence.ENCRYPTED, 0, 0);
    } else if (elsewhere != null && column.presence() == Presence.PRESENT) {
      column = new Column(group, column.path(), column.type(), elsewhere, 0, 0);
    }
    columns.add(column);
  }

  /**
   * Reads the key with which a column is encrypted; it names the column unless it is the footer's
   * key.
   */
  private String encrypted(String unnamed) throws IOException {
    String path = unnamed;
    thrift.want(ThriftCompact.STRUCT, "the encryption of a column").enter();
    for (int choice = thrift.field(); choice != 0; choice = thrift.field()) {
      thrift.want(ThriftCompact.STRUCT, "the encryption of a column").enter();
      for (int field = thrift.field(); field != 0; field = thrift.field()) {
        if (field == 1) {
          path = path();
        } else {
          thrift.skip();
        }
      }
      thrift.leave();
    }
    thrift.leave();
    return path;
  }

  private Column metadata(int group) throws IOException {
    int type = -1;
    String path = null;
    long offset = 0;
    int length = 0;
    thrift.want(ThriftCompact.STRUCT, "a column's description").enter();
    for (int field = thrift.field(); field != 0; field = thrift.field()) {
      switch (field) {
        case 1 -> type = thrift.i32("a column's type");
        case 3 -> path = path();
        case 14 -> {
          offset = thrift.i64("the place of a filter");
          in.within(offset, MAGIC_BYTES, end - 1, "the place of a filter");
        }
        case 15 -> {
          length = thrift.i32("the length of a filter");
          in.within(length, 1, Integer.MAX_VALUE, "the length of a filter");
        }
        default -> thrift.skip();
      }
    }
    thrift.leave();
    if (path == null) {
      throw in.problem(in.position(), "a column of row group %d has no name", group);
    }
    in.within(type, 0, ParquetFile.TYPES.size() - 1, "a column's type");
    Presence presence = offset == 0 ? Presence.ABSENT : Presence.PRESENT;
    return new Column(
        group, path, ParquetFile.TYPES.get(type), presence, offset, offset == 0 ? 0 : length);
  }

  private String path() throws IOException {
    int parts = thrift.list(ThriftCompact.BINARY, "a column's name");
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < parts; i++) {
      path.append(i == 0 ? "" : ".").append(thrift.text("a column's name"));
    }
    return path.toString();
  }
}
