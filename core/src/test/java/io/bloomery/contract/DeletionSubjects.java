package io.bloomery.contract;

import java.util.List;

/** The multilayer, d-left and deletable filters that the contracts run over. */
final class DeletionSubjects {

  private DeletionSubjects() {}

  static List<Subject> all() {
    return List.of();
  }
}
