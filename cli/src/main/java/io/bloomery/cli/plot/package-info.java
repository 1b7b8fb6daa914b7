/** What do the formulas predict? {@code bloom plot}. */
package io.bloomery.cli.plot;
