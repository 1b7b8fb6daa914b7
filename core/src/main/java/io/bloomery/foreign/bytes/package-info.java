/**
 * How are the bytes of other systems read and written? {@link
 * io.bloomery.foreign.bytes.ForeignBytes} reads with checks, {@link
 * io.bloomery.foreign.bytes.ForeignBytes.Output} writes, and a {@link
 * io.bloomery.foreign.bytes.FileLayout} defines how a file is recognised.
 */
@NullMarked
package io.bloomery.foreign.bytes;

import org.jspecify.annotations.NullMarked;
