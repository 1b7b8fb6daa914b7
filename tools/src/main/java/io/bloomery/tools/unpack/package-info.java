/**
 * What is in a packed file? How it is packed is known by its first bytes, and it is checked to its
 * last.
 */
package io.bloomery.tools.unpack;
