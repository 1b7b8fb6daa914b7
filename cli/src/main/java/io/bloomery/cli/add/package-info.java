/** How do keys get into a saved filter? {@code bloom add}. */
package io.bloomery.cli.add;
