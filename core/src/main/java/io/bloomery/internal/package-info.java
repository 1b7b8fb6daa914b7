/** What families share and nobody else sees. */
package io.bloomery.internal;
