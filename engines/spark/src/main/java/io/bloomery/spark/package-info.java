/**
 * How are filters used with data in Spark? {@link io.bloomery.spark.SparkKeys} defines the 64-bit
 * hash of a column's value, the same as in Java and on the command line.
 */
@NullMarked
package io.bloomery.spark;

import org.jspecify.annotations.NullMarked;
