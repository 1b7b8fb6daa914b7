/** How is it drawn? Curves over linear or logarithmic axes, as SVG, as PNG or on a terminal. */
package io.bloomery.chart;
