/* format/similarity.md. */

export const KINDS = {};
