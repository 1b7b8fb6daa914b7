/**
 * Hash functions that the formats of other systems name; keys of our own filters never use them.
 */
package io.bloomery.foreign.hash;
