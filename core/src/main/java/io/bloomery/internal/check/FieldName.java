package io.bloomery.internal.check;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The name of a stored record's component in file headers. Each has one, so that a component can be
 * renamed, by us or by a tool that shortens names, and files stay the same.
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
