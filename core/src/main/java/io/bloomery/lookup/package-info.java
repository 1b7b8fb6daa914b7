/**
 * Which value does x have, or which of many sets hold it? Maps and banks of filters, which return a
 * number where {@link io.bloomery.membership} returns yes.
 */
@NullMarked
package io.bloomery.lookup;

import org.jspecify.annotations.NullMarked;
