/**
 * How do filters work where the data is in Spark? {@link io.bloomery.spark.SparkKeys} says which 64
 * bits stand for a value of a column, the same as in Java and on the command line.
 */
@NullMarked
package io.bloomery.spark;

import org.jspecify.annotations.NullMarked;
