/** What do the formulas look like? {@code bloom plot}. */
package io.bloomery.cli.plot;
