/** Codes: sorted numbers in Rice-coded blocks, bits in a range coder. */
package io.bloomery.internal.code;
