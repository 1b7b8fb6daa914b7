/**
 * Plain JMH benchmarks of one kind, for use with profilers: {@code bench/run jmh Query -p
 * kind=bloom -prof gc}. They decide nothing; races do.
 */
package io.bloomery.bench.jmh;
