/**
 * How are the bytes of other systems read and written? Not exported: {@link
 * io.bloomery.foreign.bytes.ForeignBytes} reads with checks, {@link
 * io.bloomery.foreign.bytes.ForeignOutput} writes.
 */
package io.bloomery.foreign.bytes;
