package io.bloomery.foreign;

/** What a system hashes for keys of each type. */
public interface KeyCoding {

  /**
   * The keys of the type that the file states, or that all files of the format have; texts where
   * neither states a type.
   *
   * @return the keys
   */
  TypedKeys assumed();

  /**
   * The keys of a type.
   *
   * @param type the type
   * @return the keys
   * @throws IllegalArgumentException if the system has no keys of this type
   */
  TypedKeys as(KeyType type);
}
