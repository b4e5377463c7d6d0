/** An external id is unique in its workspace, which the database decides. */
import type { InputError } from '../platform/http/problems/problem.js'

export const externalIdTaken: InputError = {
  pointer: '/external_id',
  code: 'taken',
  detail: 'Another link of the workspace has this external_id. Choose another, or change that link.',
}

/** Whether a statement failed because another link has the external id. */
export function isTakenExternalId(error: unknown): boolean {
  return (error as { constraint?: unknown } | null)?.constraint === 'links_external_id_key'
}
