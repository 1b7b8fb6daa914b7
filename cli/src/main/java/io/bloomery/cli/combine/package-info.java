/** How are several filters combined? {@code bloom merge} and {@code bloom intersect}. */
package io.bloomery.cli.combine;
