/**
 * Plain JMH benchmarks of one kind, for use with profilers: {@code bench/run jmh Query -p
 * kind=bloom -prof gc}. Targets are judged by races, not by these.
 */
package io.bloomery.bench.jmh;
