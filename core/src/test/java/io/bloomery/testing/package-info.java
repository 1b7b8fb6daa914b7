/** What all tests share: rates in standard deviations, reproducible keys, seeded properties. */
package io.bloomery.testing;
