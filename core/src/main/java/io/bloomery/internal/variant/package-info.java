/** How does a kind state its variants? The facts next to each class, and common sizing code. */
package io.bloomery.internal.variant;
