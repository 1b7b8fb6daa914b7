/**
 * Which filter, and how large? {@link io.bloomery.plan.Needs} describe what the user knows; {@link
 * io.bloomery.plan.Planner} sizes and ranks every kind that meets them. A {@link
 * io.bloomery.plan.Shape} holds the parameters of one filter and computes its size and its rate;
 * each kind's shape is next to its class.
 */
@NullMarked
package io.bloomery.plan;

import org.jspecify.annotations.NullMarked;
