package io.bloomery.internal.check;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The name of a shape's component in file headers, where it is not the component's own name in
 * words: {@code blockBits} is stored as "block bits" by default.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface FieldName {

  /**
   * The stored name.
   *
   * @return 1…255 ASCII characters
   */
  String value();
}
