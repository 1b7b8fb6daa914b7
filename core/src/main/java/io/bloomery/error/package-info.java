/**
 * Which argument was refused, and why? {@link io.bloomery.error.ArgumentException} says so in
 * parts, for programs whose users know the arguments by other names.
 */
@NullMarked
package io.bloomery.error;

import org.jspecify.annotations.NullMarked;
