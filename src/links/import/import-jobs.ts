import { declareJobs } from '../../platform/queue/jobs.js'

declare module '../../platform/queue/jobs.js' {
  interface Jobs {
    /** An import may go on. */
    import: { importId: string }
    /** Looks for imports that no runner has, and throws away what is past its time. */
    imports: Record<string, never>
  }
}

const everyMs = 15_000

export const importJobs = declareJobs({
  import: { hintKey: ({ importId }) => importId },
  imports: { everyMs: () => everyMs },
})
