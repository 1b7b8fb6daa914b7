/** How are results written? Tables and lines as text, JSON for programs. */
package io.bloomery.tools.report;
