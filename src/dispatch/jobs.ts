/** The jobs of the workers. Their handlers are beside this file. */
import { hash } from 'node:crypto'

import { declareJobs } from '../platform/queue/jobs.js'

/** What is known of receivers where a job is made. */
interface Standing {
  /** The last attempt succeeded: they are not kept waiting behind those that have yet to show that they answer. */
  isProven?: boolean
}

declare module '../platform/queue/jobs.js' {
  interface Jobs {
    /** Something may be due for this webhook. */
    lane: { webhookId: string } & Standing
    /** The same for many at once: where an event goes to thousands, a job for each would cost more than the sending. */
    lanes: { webhookIds: string[] } & Standing
    /** What is done once in a while, by one of the workers. */
    upkeep: Record<string, never>
  }
}

const mostlyEveryMs = 60_000
const atMostEveryMs = 1_000

const isBehind = ({ isProven }: Standing): boolean => isProven === false

export const dispatchJobs = declareJobs({
  lane: { hintKey: ({ webhookId }) => webhookId, isBehind },
  lanes: { hintKey: ({ webhookIds }) => hash('sha256', webhookIds.join(), 'base64url'), isBehind },
  upkeep: {
    // Whoever shortens the times after which webhooks are judged wants them judged more often.
    everyMs: ({ webhookFailingAfter, webhookDisableAfter }) => {
      const shortestMs = Math.min(webhookFailingAfter, webhookDisableAfter) * 1000
      return Math.min(mostlyEveryMs, Math.max(atMostEveryMs, Math.floor(shortestMs / 10)))
    },
  },
})
