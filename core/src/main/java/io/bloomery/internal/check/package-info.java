/** Is this argument allowed? One wording for all refusals, and the largest sizes. */
package io.bloomery.internal.check;
