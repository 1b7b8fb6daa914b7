/**
 * Which molecules contain this part, or are like this one? Graphs for the fingerprints of {@link
 * io.bloomery.similarity}, read from SMILES by the Chemistry Development Kit.
 *
 * <p>Source: Swamidass and Baldi 2007, "Mathematical correction for fingerprint similarity measures
 * to improve chemical retrieval", for fingerprints as Bloom filters and their similarity; the model
 * of aromaticity is Daylight's.
 *
 * <p>Promise: a screen by {@link io.bloomery.similarity.MoleculeIndex} loses no molecule that
 * contains the part, also where toolkits disagree about the aromaticity of a charged ring.
 *
 * <p>Cost: 256 bytes per molecule with fingerprints of 2,048 bits, and a query reads all of them;
 * parsing takes the most time.
 *
 * <p>When not to use it: where stereochemistry or isotopes matter, which are left out. A candidate
 * is not yet a match; an exact search has to follow.
 */
@NullMarked
package io.bloomery.chemistry;

import org.jspecify.annotations.NullMarked;
