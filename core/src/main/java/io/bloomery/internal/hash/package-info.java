/** Hash functions of the keys that are hashed most often. */
package io.bloomery.internal.hash;
