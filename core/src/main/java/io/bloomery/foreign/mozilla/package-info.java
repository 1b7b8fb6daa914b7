/** How does Mozilla store its filter cascades of revoked certificates? */
@NullMarked
package io.bloomery.foreign.mozilla;

import org.jspecify.annotations.NullMarked;
