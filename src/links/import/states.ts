/** The states of an import, and the choice it is made with: apart from the entity, for commands that load no database. */

/**
 * `uploading` until the whole body is there; nobody is shown it before. `waiting` and `running` go on by themselves; the
 * others are ends.
 */
export const importStatuses = ['uploading', 'waiting', 'running', 'finished', 'canceled', 'failed'] as const
export type ImportStatus = (typeof importStatuses)[number]

/** What happens where a link of the workspace has the slug or the external id already. */
export const onConflict = ['fail', 'skip', 'update'] as const
export type OnConflict = (typeof onConflict)[number]
