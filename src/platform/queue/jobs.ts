import { hash } from 'node:crypto'

import type { RunningSettings } from '../config/settings.js'

/** What is known of receivers where a job is made. */
interface Standing {
  /** The last attempt succeeded: they are not kept waiting behind those that have yet to show that they answer. */
  isProven?: boolean
}

/** Every job there is, with what it carries: ids only, for what they name may change before the job runs. */
export interface Jobs {
  /** Something may be due for this webhook. */
  lane: { webhookId: string } & Standing
  /** The same for many at once: where an event goes to thousands, a job for each would cost more than the sending. */
  lanes: { webhookIds: string[] } & Standing
  /** Completed deliveries are to be sent again. */
  replay: { replayId: string }
  /** What is done once in a while, by one of the workers. */
  upkeep: Record<string, never>
}

export type JobName = keyof Jobs

export type HintName = 'lane' | 'lanes' | 'replay'

/**
 * The jobs that may be hinted at. Those with one key and one standing are one job while it waits, and never run at the
 * same time.
 */
export const hintKeys: { [Name in HintName]: (payload: Jobs[Name]) => string } = {
  lane: ({ webhookId }) => webhookId,
  lanes: ({ webhookIds }) => hash('sha256', webhookIds.join(), 'base64url'),
  replay: ({ replayId }) => replayId,
}

const mostlyEveryMs = 60_000
const atMostEveryMs = 1_000

/** For each job whether it comes by itself, and how often: once over all replicas. */
export const repeatedEveryMs: Record<JobName, ((settings: RunningSettings) => number) | null> = {
  lane: null,
  lanes: null,
  replay: null,
  // Whoever shortens the times after which webhooks are judged wants them judged more often.
  upkeep: ({ webhookFailingAfter, webhookDisableAfter }) => {
    const shortestMs = Math.min(webhookFailingAfter, webhookDisableAfter) * 1000
    return Math.min(mostlyEveryMs, Math.max(atMostEveryMs, Math.floor(shortestMs / 10)))
  },
}

export const jobNames = Object.keys(repeatedEveryMs) as JobName[]
