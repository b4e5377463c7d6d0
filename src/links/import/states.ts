/** The states of an import. They are apart from the entity, because commands use them without the database. */

/**
 * An import is `uploading`, and hidden from callers, until its whole body is stored. `waiting` and `running` imports
 * go on by themselves. The other states are final.
 */
export const importStatuses = ['uploading', 'waiting', 'running', 'finished', 'canceled', 'failed'] as const
export type ImportStatus = (typeof importStatuses)[number]
