/** Is this argument allowed? Uniform error messages, and the largest sizes. */
package io.bloomery.internal.check;
