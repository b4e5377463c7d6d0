/** What a workspace is refused. */
import { declareProblems } from '../platform/http/problems/problems.js'

export const workspaceProblems = declareProblems({
  quota_exceeded: {
    status: 403,
    title: 'The quota of this workspace is used up',
    cause:
      'The workspace has as many webhooks, active tokens, live streams, unfinished imports, stored import bytes or unfinished replays as it may have.',
    remedy:
      'Remove what you no longer need, or wait until something finishes. The operator can raise the setting named in `setting`.',
    members: { limit: 100, setting: 'WORKSPACE_WEBHOOKS' },
  },
})

/** What the refusal carries beside the standard members, for the document. */
export const quotaMembers = {
  limit: { type: 'integer', description: 'How much the workspace may have.', example: 100 },
  setting: {
    type: 'string',
    description: 'The setting in which the operator can raise the limit.',
    example: 'WORKSPACE_WEBHOOKS',
  },
}
