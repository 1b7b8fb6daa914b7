/**
 * Is this name, URL, address or file on a deny list?
 *
 * <p><b>Source.</b> Broder and Mitzenmacher 2004, "Network Applications of Bloom Filters: A
 * Survey", sec. 5 (a filter of the annotated URLs saves most questions to a server), and the rules
 * for canonical URLs of the Safe Browsing update API, version 4. Deviation: lists are published as
 * a whole, so a static filter takes the place of a Bloom filter. The exact form is a cascade as in
 * Larisch, Choffnes, Levin, Maggs, Mislove and Wilson 2017, "CRLite: A Scalable System for Pushing
 * All TLS Revocations to All Browsers", whose first layer is that filter, so that the rate for all
 * that was not declared stays the chosen one.
 *
 * <p><b>Promise.</b> What a rule covers is always found, unless an allow rule covers it too. Other
 * items are found with a probability that is known for each of them; a hit can be confirmed by a
 * callback, and items that were declared when the list was built are never found by chance.
 *
 * <p><b>Cost.</b> 2.5 bytes per rule at one in a million, and a lookup for each rule that could
 * cover an item: one for each part of a name, up to 25 more for a URL.
 *
 * <p><b>When not to use it.</b> Where the reason for a rule is needed, or the list changes with
 * each event: a filter stores no rules, and is rebuilt as a whole. A list that fits in memory as
 * text is simpler.
 */
@NullMarked
package io.bloomery.security.deny;

import org.jspecify.annotations.NullMarked;
