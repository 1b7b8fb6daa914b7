/**
 * Which bytes did the ends of a connection send, in their order? Not exported.
 *
 * <p>{@link TcpStreams} puts segments of TCP in order, {@link Fragments} fragments of IP together,
 * both within a budget. Ptacek and Newsham 1998, "Insertion, Evasion, and Denial of Service", show
 * that who only listens cannot know which of several bytes for one place a receiver took; so
 * receivers here get the first ones as data, and all others as variants.
 */
@NullMarked
package io.bloomery.net.stream;

import org.jspecify.annotations.NullMarked;
