/** How is it drawn? Curves over linear or logarithmic axes, as SVG, as PNG or on a terminal. */
@NullMarked
package io.bloomery.chart;

import org.jspecify.annotations.NullMarked;
