/**
 * How fast are the filters, compared with their peers and with the limits of memory? {@link
 * io.bloomery.bench.Bench} runs races and JMH forks and prints their tables; {@code
 * docs/benchmarks.md} explains the method.
 */
package io.bloomery.bench;
