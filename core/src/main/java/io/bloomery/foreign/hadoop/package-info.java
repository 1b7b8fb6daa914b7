/** How does Hadoop store its plain, counting and dynamic Bloom filters? */
@NullMarked
package io.bloomery.foreign.hadoop;

import org.jspecify.annotations.NullMarked;
