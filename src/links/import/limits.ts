/** The limits of imports. Those that callers can meet stand in docs/import.md too. */

/** An upload has at most this many bytes. */
export const mostBodyBytes = 256 * 1024 * 1024
/** A record has at most this many bytes. A CSV record may span several lines inside quotes. */
export const longestRecord = 64 * 1024
/** A stored body is cut into chunks of this size. A step reads two of them, so a record never needs a third. */
export const chunkBytes = 256 * 1024
/** The answer lists at most this many names of columns that are not used. */
export const mostIgnoredColumns = 100
/** Imports of one workspace that run at the same time. Further ones wait. */
export const runningInWorkspace = 2
/** Imports that run at the same time in one process. Further ones wait, so that there is room for other jobs. */
export const runningInProcess = 2
/** A step takes this many lines: few enough that its transaction holds up the feed of events only for a moment. */
export const linesInStep = 1_000
/** The event loop is given to others after this many lines. */
export const linesInSlice = 25
/** The lease of a runner, renewed by each step. When it runs out, another runner takes the import over. */
export const leaseSeconds = 15
/** An import is given up when this many runners in a row took it and finished no step. */
export const mostAttempts = 20
/** Imports are deleted this long after their end, with their bodies and reports. */
export const keptDays = 7
/** An upload that brought nothing for this long was broken off, and its process is gone. */
export const silentUploadMinutes = 10
