/**
 * What is in a packed file? Its first bytes tell how it is packed, and it is checked to its last.
 */
package io.bloomery.tools.unpack;
