/**
 * Which keys are in a filter, and does it err as promised? {@code bloom check} and {@code bloom
 * verify}.
 */
package io.bloomery.cli.check;
