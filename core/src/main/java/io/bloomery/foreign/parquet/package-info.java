/** How does Parquet store the Bloom filters of its columns, alone and inside of data files? */
package io.bloomery.foreign.parquet;
