/**
 * How does Bitcoin send filters? Wallets send Bloom filters (BIP 37), nodes send the Golomb-coded
 * sets of blocks (BIP 158).
 */
@NullMarked
package io.bloomery.foreign.bitcoin;

import org.jspecify.annotations.NullMarked;
