package io.bloomery.foreign.parquet;

import io.bloomery.foreign.parquet.ParquetFile.PhysicalType;
import io.bloomery.foreign.parquet.ParquetType.Logical;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** Reads the types of a Parquet file's columns from its list of SchemaElement structures. */
final class ParquetSchema {

  private static final int DEEPEST = 64; // names of deeper columns are too long to be useful

  /** A group of columns that is not complete yet. */
  private static final class Group {
    private final String prefix;
    private int missing;

    Group(String prefix, int missing) {
      this.prefix = prefix;
      this.missing = missing;
    }
  }

  private final ThriftCompact thrift;
  private final Map<String, ParquetType> types = new HashMap<>();
  private final Deque<Group> open = new ArrayDeque<>();

  // of the element that is read
  private int physical;
  private int length;
  private int children;
  private int scale;
  private String name = "";
  private Logical logical = Logical.NONE;

  ParquetSchema(ThriftCompact thrift) {
    this.thrift = thrift;
  }

  /** Reads the list; the types by the paths of the columns. */
  Map<String, ParquetType> read() throws IOException {
    int elements = thrift.list(ThriftCompact.STRUCT, "the schema");
    for (int i = 0; i < elements; i++) {
      element();
      if (i == 0) {
        open.push(new Group("", children));
      } else if (open.size() < DEEPEST) {
        place();
      }
    }
    return types;
  }

  private void place() {
    while (!open.isEmpty() && open.peek().missing == 0) {
      open.pop();
    }
    if (open.isEmpty()) {
      return;
    }
    Group group = open.peek();
    group.missing--;
    String path = group.prefix + name;
    if (children > 0) {
      open.push(new Group(path + ".", children));
    } else if (physical >= 0 && physical < ParquetFile.TYPES.size()) {
      PhysicalType type = ParquetFile.TYPES.get(physical);
      boolean fixed = type == PhysicalType.FIXED_LEN_BYTE_ARRAY;
      types.put(path, new ParquetType(type, fixed ? Math.max(length, 0) : 0, logical, scale));
    }
  }

  private void element() throws IOException {
    physical = -1;
    length = 0;
    children = 0;
    scale = 0;
    name = "";
    logical = Logical.NONE;
    thrift.enter();
    for (int field = thrift.field(); field != 0; field = thrift.field()) {
      switch (field) {
        case 1 -> physical = thrift.i32("a column's type");
        case 2 -> length = thrift.i32("the length of a column's values");
        case 4 ->
            name = thrift.want(ThriftCompact.BINARY, "a column's name").text("a column's name");
        case 5 -> children = thrift.i32("the columns of a group");
        case 6 -> converted(thrift.i32("a column's converted type"));
        case 7 -> scale = thrift.i32("a column's scale");
        case 10 -> logicalType();
        default -> thrift.skip();
      }
    }
    thrift.leave();
  }

  /** For writers that predate logical types. */
  private void converted(int type) {
    logical =
        switch (type) {
          case 0, 4, 19 -> Logical.STRING;
          case 5 -> Logical.DECIMAL;
          case 6 -> Logical.DATE;
          case 9 -> Logical.TIMESTAMP_MILLIS;
          case 10 -> Logical.TIMESTAMP_MICROS;
          case 11, 12, 13, 14 -> Logical.UNSIGNED;
          default -> Logical.NONE;
        };
  }

  private void logicalType() throws IOException {
    thrift.want(ThriftCompact.STRUCT, "a column's logical type").enter();
    for (int choice = thrift.field(); choice != 0; choice = thrift.field()) {
      switch (choice) {
        case 1, 4, 12 -> plain(Logical.STRING);
        case 5 -> decimal();
        case 6 -> plain(Logical.DATE);
        case 8 -> timestamp();
        case 10 -> integer();
        case 14 -> plain(Logical.UUID);
        default -> thrift.skip();
      }
    }
    thrift.leave();
  }

  private void plain(Logical type) throws IOException {
    logical = type;
    thrift.skip();
  }

  private void decimal() throws IOException {
    logical = Logical.DECIMAL;
    thrift.want(ThriftCompact.STRUCT, "a decimal type").enter();
    for (int field = thrift.field(); field != 0; field = thrift.field()) {
      if (field == 1) {
        scale = thrift.i32("a column's scale");
      } else {
        thrift.skip();
      }
    }
    thrift.leave();
  }

  private void timestamp() throws IOException {
    thrift.want(ThriftCompact.STRUCT, "a time stamp").enter();
    for (int field = thrift.field(); field != 0; field = thrift.field()) {
      if (field == 2) {
        unit();
      } else {
        thrift.skip();
      }
    }
    thrift.leave();
  }

  private void unit() throws IOException {
    thrift.want(ThriftCompact.STRUCT, "the unit of a time stamp").enter();
    for (int choice = thrift.field(); choice != 0; choice = thrift.field()) {
      plain(
          switch (choice) {
            case 1 -> Logical.TIMESTAMP_MILLIS;
            case 2 -> Logical.TIMESTAMP_MICROS;
            case 3 -> Logical.TIMESTAMP_NANOS;
            default -> Logical.NONE;
          });
    }
    thrift.leave();
  }

  private void integer() throws IOException {
    logical = Logical.NONE;
    thrift.want(ThriftCompact.STRUCT, "an integer type").enter();
    for (int field = thrift.field(); field != 0; field = thrift.field()) {
      if (field == 2 && thrift.isFalse()) {
        logical = Logical.UNSIGNED;
      }
      thrift.skip();
    }
    thrift.leave();
  }
}
