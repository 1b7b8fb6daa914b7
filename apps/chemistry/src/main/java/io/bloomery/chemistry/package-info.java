/**
 * Which molecule does this SMILES stand for? Graphs for the fingerprints of {@link
 * io.bloomery.similarity}, read by the Chemistry Development Kit.
 */
@NullMarked
package io.bloomery.chemistry;

import org.jspecify.annotations.NullMarked;
