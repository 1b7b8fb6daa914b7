/** The words that filters lie in: heap array or mapped file, shared between threads or not. */
package io.bloomery.internal.bits;
