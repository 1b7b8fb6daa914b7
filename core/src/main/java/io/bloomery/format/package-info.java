/**
 * How is it stored? {@link io.bloomery.format.FilterKind} names each kind of filter as files do;
 * docs/format.md specifies the bytes.
 */
package io.bloomery.format;
