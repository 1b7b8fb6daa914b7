/**
 * How does RedisBloom store its Bloom and cuckoo filters? Read and written as the chunks of {@code
 * BF.SCANDUMP} and {@code CF.SCANDUMP}, and read as {@code DUMP} replies.
 */
@NullMarked
package io.bloomery.foreign.redis;

import org.jspecify.annotations.NullMarked;
