/**
 * How do other systems store their filters? {@link io.bloomery.foreign.ForeignFormats} lists the
 * formats that can be read and written; docs/formats.md describes each.
 */
package io.bloomery.foreign;
