/** All facts of an audit entry, with the IDs of its object and actor. */
import type { AuditEntry } from '@link-service/client'

import { CopyButton, Moment } from '../../components/basics.js'
import { Dialog } from '../../components/dialog.js'
import { CodeBox } from '../../components/json.js'
import { AuditActor, AuditObject } from './audit-names.js'

export function AuditEntryDialog({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const { action, object, actor, address, occurred_at, details, request_id } = entry
  const facts = JSON.stringify({ ...details, object_id: object.id, actor_id: actor.id, request_id }, null, 2)
  return (
    <Dialog title={action} onClose={onClose}>
      <div class="stack">
        <dl class="facts">
          <dt>Object</dt>
          <dd>
            <AuditObject object={object} />
          </dd>
          <dt>Actor</dt>
          <dd>
            <AuditActor actor={actor} />
          </dd>
          <dt>IP address</dt>
          <dd>{address ?? '–'}</dd>
          <dt>Time</dt>
          <dd>
            <Moment at={occurred_at} />
          </dd>
        </dl>
        <CodeBox text={facts} />
        <div class="row end">
          <CopyButton text={facts} label="Copy details" />
        </div>
      </div>
    </Dialog>
  )
}
