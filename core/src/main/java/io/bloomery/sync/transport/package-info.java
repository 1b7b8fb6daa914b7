/**
 * How do processes reach each other? A {@link io.bloomery.sync.transport.Transport} exchanges
 * messages between a fixed number of processes: between threads, or over TCP.
 */
@NullMarked
package io.bloomery.sync.transport;

import org.jspecify.annotations.NullMarked;
