import { declareProblems } from '../../platform/http/problems/problems.js'

export const healthProblems = declareProblems({
  not_ready: {
    status: 503,
    title: 'The process is not ready',
    cause:
      'The process is shutting down, has not reached the database since it started, or lacks a component that API calls or deliveries need. `parts` has the state of each component.',
    remedy: 'Send requests to another process. `doctor` says what to do about a failing component.',
    members: { parts: { database: 'failing', migrations: 'failing', change_feed: 'failing', queue: 'ok' } },
  },
})

/** What a `not_ready` response carries beside the standard members, for the document. */
export const readinessMembers = {
  parts: {
    type: 'object',
    description: 'The state of each component: `ok` or `failing`.',
    additionalProperties: { type: 'string' },
    example: healthProblems.not_ready.members!['parts'],
  },
}
