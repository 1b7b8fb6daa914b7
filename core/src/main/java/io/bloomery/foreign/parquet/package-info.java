/** How does Parquet store the Bloom filters of its columns, alone and inside data files? */
@NullMarked
package io.bloomery.foreign.parquet;

import org.jspecify.annotations.NullMarked;
