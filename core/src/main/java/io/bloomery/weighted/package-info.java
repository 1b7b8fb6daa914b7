/**
 * Is x in the set, when some keys matter more? Filters that err less on the keys that are queried
 * most.
 */
package io.bloomery.weighted;
