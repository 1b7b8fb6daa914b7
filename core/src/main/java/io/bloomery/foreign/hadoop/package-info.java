/** How does Hadoop store its plain, counting and dynamic Bloom filters? */
package io.bloomery.foreign.hadoop;
