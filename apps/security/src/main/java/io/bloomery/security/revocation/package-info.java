/**
 * Was this certificate, token or card revoked?
 *
 * <p><b>Source.</b> A cascade of filters that is exact for all issued certificates: Larisch,
 * Choffnes, Levin, Maggs, Mislove and Wilson 2017, "CRLite: A Scalable System for Pushing All TLS
 * Revocations to All Browsers". Deviation: a daily update is not the difference between two
 * cascades but an exact set of the keys for which the earlier list is wrong, in two ribbons
 * (Dillinger, Hübschle-Schneider, Sanders and Walzer 2022, "Fast Succinct Retrieval and Approximate
 * Membership using Ribbon"), the first of which lets through a few other keys, which the second
 * tells apart.
 *
 * <p><b>Promise.</b> For every key of the universe that the publisher gave, the answer is right. A
 * list is read only if its signature is the publisher's, its time has come and is not over, and no
 * newer list was seen before. For keys outside the universe there is no answer: the caller says
 * which keys those are.
 *
 * <p><b>Cost.</b> 12.4 bits per revoked key if 2 % are revoked; an update takes the information of
 * the changed keys, a tenth more, and some 300 bytes. A check reads two layers at most for most
 * keys. Building reads all keys three times.
 *
 * <p><b>When not to use it.</b> Where not all issued keys are known to the publisher; where a key
 * has to be refused in the second in which it is revoked; and where a list of the revoked keys
 * themselves is small enough.
 */
@NullMarked
package io.bloomery.security.revocation;

import org.jspecify.annotations.NullMarked;
