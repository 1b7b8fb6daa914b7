/**
 * Which argument was refused, and why? {@link io.bloomery.error.ArgumentException} holds its
 * message in parts, for programs that present arguments under other names.
 */
@NullMarked
package io.bloomery.error;

import org.jspecify.annotations.NullMarked;
