/** Why a delivery cannot be sent. */
import { declareProblems } from '../platform/http/problems/problems.js'

export const deliveryProblems = declareProblems({
  not_redeliverable: {
    status: 409,
    title: 'This delivery is not sent again',
    cause: 'The delivery was a test, which is sent once, or is older than events are kept.',
    remedy:
      'Ask for another test with POST /v1/webhooks/:id/test. What is too old can be read, as long as it is there.',
  },
  secret_unreadable: {
    status: 409,
    title: 'The secret of this webhook cannot be read',
    cause: 'It was sealed under another ENCRYPTION_KEY, so nothing can be signed with it.',
    remedy:
      'Give the webhook a new secret with PATCH /v1/webhooks/:id or POST /v1/webhooks/:id/secret/rotate, or have the operator put the old key back.',
  },
})
