import { declareJobs } from '../../platform/queue/jobs.js'

declare module '../../platform/queue/jobs.js' {
  interface Jobs {
    /** A hint that this import may begin or go on. */
    import: { importId: string }
    /** Looks for imports without a runner, and deletes broken uploads and old imports. */
    imports: Record<string, never>
  }
}

const everyMs = 15_000

export const importJobs = declareJobs({
  import: { hintKey: ({ importId }) => importId },
  imports: { everyMs: () => everyMs },
})
