/** Every kind of problem and every code of a wrong field, for the document and for the pages about errors. */
import { analyticsProblems } from '../../analytics/analytics-problems.js'
import { auditFieldErrors } from '../../audit/audit-field-errors.js'
import { tokenFieldErrors } from '../../auth/token-field-errors.js'
import { tokenProblems } from '../../auth/token-problems.js'
import { deliveryFieldErrors } from '../../deliveries/delivery-field-errors.js'
import { deliveryProblems } from '../../deliveries/delivery-problems.js'
import { eventFieldErrors } from '../../events/event-field-errors.js'
import { linkFieldErrors } from '../../links/link-field-errors.js'
import { linkProblems } from '../../links/link-problems.js'
import { fieldErrors } from '../../platform/http/input/field-errors.js'
import type { FieldErrorTexts } from '../../platform/http/input/field-errors.js'
import { problems } from '../../platform/http/problems/problems.js'
import type { ProblemKind } from '../../platform/http/problems/problems.js'
import { sessionProblems } from '../../sessions/session-problems.js'
import { webhookFieldErrors } from '../../webhooks/webhook-field-errors.js'
import { workspaceProblems } from '../../workspaces/workspace-problems.js'
import { healthProblems } from '../health/health-problems.js'

export const allProblems: readonly ProblemKind[] = [
  problems,
  tokenProblems,
  workspaceProblems,
  sessionProblems,
  linkProblems,
  deliveryProblems,
  analyticsProblems,
  healthProblems,
].flatMap((kinds) => Object.values<ProblemKind>(kinds))

export const allFieldErrors = {
  ...fieldErrors,
  ...tokenFieldErrors,
  ...auditFieldErrors,
  ...linkFieldErrors,
  ...eventFieldErrors,
  ...webhookFieldErrors,
  ...deliveryFieldErrors,
} satisfies FieldErrorTexts
