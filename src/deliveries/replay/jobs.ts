import { declareJobs } from '../../platform/queue/jobs.js'

declare module '../../platform/queue/jobs.js' {
  interface Jobs {
    /** Completed deliveries are to be sent again. */
    replay: { replayId: string }
  }
}

export const replayJobs = declareJobs({ replay: { hintKey: ({ replayId }) => replayId } })
