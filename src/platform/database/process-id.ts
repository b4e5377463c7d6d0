import { newId } from './ids.js'

/** Injects the ID of this process in the database. Its worker has the same ID. */
export const PROCESS_ID = Symbol('PROCESS_ID')

export const processId = { provide: PROCESS_ID, useFactory: newId }
