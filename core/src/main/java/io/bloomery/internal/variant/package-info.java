/** How does a kind state its variants? The facts beside each leaf, and the sizing they share. */
package io.bloomery.internal.variant;
