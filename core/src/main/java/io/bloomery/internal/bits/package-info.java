/**
 * The words that filters are stored in: heap array or mapped file, shared between threads or not.
 */
package io.bloomery.internal.bits;
