package io.bloomery.format;

import java.util.List;

/** Files of RedisBloom, Parquet, Hive, Cassandra and xor. */
final class RedisSubjects {

  private RedisSubjects() {}

  static List<ForeignSubject> all() {
    return List.of();
  }
}
