/**
 * Which release of a library is inside this jar? Releases that were shaded and relocated are found
 * by the content of their classes.
 *
 * <p><b>Source.</b> Roussev, Chen, Bourg and Richard 2006, "md5bloom: Forensic filesystem hashing
 * revisited", which finds versions of libraries by the overlap of filters. Deviation: what is
 * hashed is a class without the names of packages, since relocation changes those, and the classes
 * of each release are looked up in the filter of the jar, so that false positives do not grow with
 * the jar.
 *
 * <p><b>Promise.</b> A release whose classes are all in the jar, relocated or not, is found whole
 * and ranked before those that differ from it; releases that the jar does not tell apart are said
 * to be tied. The intervals hold the true numbers with 95 % confidence: the only error is that of
 * the filter.
 *
 * <p><b>Cost.</b> All classes of all jars are read once; 8 bytes per class of a release, and a few
 * bytes per class of the jar.
 *
 * <p><b>When not to use it.</b> Where somebody wants to hide a library: any change of a class hides
 * it. Where classes were obfuscated, instrumented or compiled again. Where the jar still has the
 * names of its parts: read its manifest.
 */
@NullMarked
package io.bloomery.security.version;

import org.jspecify.annotations.NullMarked;
