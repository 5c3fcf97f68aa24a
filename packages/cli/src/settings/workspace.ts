/** The service's own name for the workspace of the key (specification, "Resources"); part of every effect's key. */
export const WORKSPACE = 'active';
