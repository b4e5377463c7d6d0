/** The states of an import: apart from the entity, for commands that load no database. */

/**
 * `uploading` until the whole body is there; nobody is shown it before. `waiting` and `running` go on by themselves; the
 * others are ends.
 */
export const importStatuses = ['uploading', 'waiting', 'running', 'finished', 'canceled', 'failed'] as const
export type ImportStatus = (typeof importStatuses)[number]
