/**
 * Is this password on a list of leaked or weak ones, or one change away from one?
 *
 * <p><b>Source.</b> Spafford 1992, "OPUS: Preventing Weak Password Choices", and the extension to
 * one changed character by Manber and Wu 1994, "An Algorithm for Approximate Membership Checking
 * with Application to Password Security", both as in Broder and Mitzenmacher 2004, "Network
 * Applications of Bloom Filters: A Survey", sec. 3. Deviation: lists are published as a whole, so a
 * static filter takes the place of a Bloom filter; all keys of a list, those of changed passwords
 * and of counts included, are in one filter. Its lookups read neighbouring words, as those in
 * Manber and Wu's blocks of a page's size do; the lookups of one check for changes lie on different
 * pages.
 *
 * <p><b>Promise.</b> A listed password is always found, and so is a password one inserted, deleted
 * or replaced character away from a listed one where the list was built for that. Another password
 * is refused with a probability that is known exactly.
 *
 * <p><b>Cost.</b> Little more than log<sub>2</sub>(1/f) bits per listed password, 2.5 bytes at one
 * in a million, and a digest and a lookup per check; for one change, up to 2L + 1 times the memory
 * for words of L characters, and at most 2L + 2 lookups.
 *
 * <p><b>When not to use it.</b> Where no strong password may ever be refused, or where somebody has
 * to know which leak a password is from: a filter stores no passwords. Not to verify passwords at
 * sign-in either; that takes a slow, salted hash per user.
 */
@NullMarked
package io.bloomery.security.password;

import org.jspecify.annotations.NullMarked;
