/** The native frame of docs/format.md: its contents, its writer, its readers. */
package io.bloomery.internal.frame;
