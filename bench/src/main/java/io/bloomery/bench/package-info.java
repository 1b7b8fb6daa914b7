/**
 * How fast are the filters, beside their peers and beside what the memory allows? {@link
 * io.bloomery.bench.Bench} runs races and JMH forks and prints their tables; {@code
 * docs/benchmarks.md} explains the method.
 */
package io.bloomery.bench;
