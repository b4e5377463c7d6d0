/** Audit entries as part of the statement that makes the changes: they cost no round trip, and neither comes alone. */
import type { AuditAction, AuditDetails, AuditedType } from './audit-entry.entity.js'
import { entryOf } from './audit.service.js'
import type { Actor } from './audit.service.js'

export interface AuditedChange {
  action: AuditAction
  object: { type: AuditedType; id: string }
  details: AuditDetails
}

/** A part of a WITH list, behind a part `change` with the column id: what was not changed is not audited. */
export function auditPart(parameter: number): string {
  return `audited AS (
    INSERT INTO audit_log (id, workspace_id, action, actor_token_id, object_type, object_id, address, request_id, details,
      occurred_at)
    SELECT entry.* FROM json_to_recordset($${parameter}) AS entry (id uuid, workspace_id uuid, action text,
      actor_token_id uuid, object_type text, object_id uuid, address text, request_id text, details jsonb,
      occurred_at timestamptz)
    JOIN change ON change.id = entry.object_id
  )`
}

/** The parameter that such a part reads. */
export function auditParameter(actor: Actor, changes: readonly AuditedChange[]): string {
  return JSON.stringify(
    changes.map(({ action, object, details }) => {
      const entry = entryOf(actor, action, object, details)
      return {
        id: entry.id,
        workspace_id: entry.workspaceId,
        action: entry.action,
        actor_token_id: entry.actorTokenId,
        object_type: entry.objectType,
        object_id: entry.objectId,
        address: entry.address,
        request_id: entry.requestId,
        details: entry.details,
        occurred_at: entry.occurredAt,
      }
    }),
  )
}
