/** How many different keys are there? Estimates by sketches, and exact counts. */
package io.bloomery.cli.distinct;
