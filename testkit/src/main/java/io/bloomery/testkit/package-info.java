/**
 * Code shared by the tests of all modules: seeds, keys, rates in standard deviations, seeded
 * properties, races, faulty disks, JSON. Knows nothing of the library, so that its own tests can
 * use it.
 */
package io.bloomery.testkit;
