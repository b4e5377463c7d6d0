/** The limits of imports. What callers meet of them stands in docs/import.md too. */

/** Of an upload. */
export const mostBodyBytes = 256 * 1024 * 1024
/** Of a record; a CSV record may have several lines, within its quotes. */
export const longestRecord = 64 * 1024
/** Of a body as it is kept. A step reads two of these, so a record never needs a third. */
export const chunkBytes = 256 * 1024
/** Names of columns that are not used, as the answer lists them. */
export const mostIgnoredColumns = 100
/** Of a body that waits for its import. */
export const runningInWorkspace = 2
/** In one process, over all workspaces: the others wait, so that imports leave room for the other jobs. */
export const runningInProcess = 2
/** Of a step: its transaction holds up the feed of events, and its work the event loop, for a moment only. */
export const linesInStep = 1_000
/** Lines are read this many at a time; between them the event loop belongs to others. */
export const linesInSlice = 25
/** A runner that is silent for so long is gone, and another one goes on. Each step begins the time anew. */
export const leaseSeconds = 15
/** Runners that took an import and finished no step of it, before it is given up. */
export const mostAttempts = 20
/** Bodies, reports and the imports themselves. */
export const keptDays = 7
/** An upload that brought nothing for so long has broken off with its process. */
export const silentUploadMinutes = 10
