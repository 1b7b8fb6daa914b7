/** How are results written? Tables and lines for people, JSON for programs. */
package io.bloomery.cli.report;
