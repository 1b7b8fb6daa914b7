/**
 * How fast are the filters, beside their peers and beside what the memory allows? {@link
 * io.bloomery.bench.Bench} schedules JMH forks and prints the table; {@code docs/benchmarks.md}
 * explains the method.
 */
package io.bloomery.bench;
