/** Is x in the set, when nobody knows how many come? Scalable, dynamic and split Bloom filters. */
package io.bloomery.growing;
