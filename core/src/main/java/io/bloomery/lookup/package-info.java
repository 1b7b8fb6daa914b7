/**
 * Which value does x have, or which of many sets hold it? Maps and banks of filters that answer
 * with a number where {@link io.bloomery.membership} answers yes.
 */
@NullMarked
package io.bloomery.lookup;

import org.jspecify.annotations.NullMarked;
