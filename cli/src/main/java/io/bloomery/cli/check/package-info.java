/**
 * Which keys are in a filter, and does it keep its false-positive rate? {@code bloom check} and
 * {@code bloom verify}.
 */
package io.bloomery.cli.check;
