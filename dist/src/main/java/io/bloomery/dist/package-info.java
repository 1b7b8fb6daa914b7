/** How does {@code bloom} run without a build? It is packed as one file and as a runtime image. */
package io.bloomery.dist;
