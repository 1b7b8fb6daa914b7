/** How many different keys are there? Sketches in the file layout of Apache DataSketches. */
package io.bloomery.tools.distinct;
