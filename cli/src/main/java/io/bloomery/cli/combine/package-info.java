/** How do several filters become one? {@code bloom merge} and {@code bloom intersect}. */
package io.bloomery.cli.combine;
