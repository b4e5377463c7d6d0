/**
 * What happens where a link of the workspace has the slug or the external id already: a fault; nothing; or it is changed by
 * the fields that came. Apart from the entities, for commands that load no database.
 */
export const conflictModes = ['fail', 'skip', 'update'] as const
export type ConflictMode = (typeof conflictModes)[number]
