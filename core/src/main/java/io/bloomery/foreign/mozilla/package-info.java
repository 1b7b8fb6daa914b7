/** How does Mozilla store its filter cascades of revoked certificates? */
package io.bloomery.foreign.mozilla;
