/** How does one get {@code bloom} without a build? It is packed as a file and as an image. */
package io.bloomery.dist;
