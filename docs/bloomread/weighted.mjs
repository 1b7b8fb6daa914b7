/* format/weighted.md. */

export const KINDS = {};
