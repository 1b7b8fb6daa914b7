/**
 * Which distributions lie behind a rate? Occupancy, binomial windows and the search for the
 * smallest size; the helpers of {@link io.bloomery.plan}, not exported.
 */
package io.bloomery.internal.math;
