/** From hash to positions: mixing, exact reduction, and the probe loops. */
package io.bloomery.internal.probe;
