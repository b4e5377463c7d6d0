/** Limits of imports. `docs/import.md` documents those that affect callers. */

/** Maximum size of a file. */
export const maxBodyBytes = 256 * 1024 * 1024
/** Maximum size of a record. A CSV record can span several lines inside quotes. */
export const maxRecordBytes = 64 * 1024
/** Size of a stored chunk. A step reads two chunks, which always contain a whole record. */
export const chunkBytes = 256 * 1024
/** Maximum number of ignored columns that the response lists. */
export const maxIgnoredColumns = 100
/** Maximum number of lines that the preview of a dry run lists. */
export const previewLines = 10
/** Number of imports of a workspace that run at the same time. Further imports wait. */
export const runningInWorkspace = 2
/** Number of imports that run in a process at the same time, so that other jobs can run too. */
export const runningInProcess = 2
/** Number of lines in a step. An open transaction holds back the event feed, so steps must be short. */
export const linesInStep = 1_000
/** Number of lines to process before yielding to the event loop. */
export const linesInSlice = 25
/** Lease of a runner, renewed by each step. After it expires, another runner continues the import. */
export const leaseSeconds = 15
/** An import fails after this many claims in a row without a completed step. */
export const maxAttempts = 20
/** Retention of imports after their end, with their files and reports. */
export const retentionDays = 7
/** An upload without a new chunk for this long was abandoned. */
export const abandonedUploadMinutes = 10
