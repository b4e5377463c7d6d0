/** The actor and the object of an audit entry, by name. The tooltip shows the ID too. */
import type { AuditEntry } from '@link-service/client'

import { can } from '../../app/session.js'
import { A } from '../../components/basics.js'

const paths: Partial<Record<AuditEntry['object']['type'], string>> = {
  link: '/links/',
  webhook: '/webhooks/',
  token: '/settings/tokens?token=',
}

type AuditObjectValue = AuditEntry['object']
type AuditActorValue = AuditEntry['actor']

export function auditObjectName({ id, type, name }: AuditObjectValue): string {
  if (id === null) return '–'
  if (type === 'session') return type
  return type === 'link' && name !== null ? `/${name}` : (name ?? id)
}

export function auditActorName({ id, type, name }: AuditActorValue): string {
  return id === null ? type.replaceAll('_', ' ') : (name ?? id)
}

/** The name of a link, webhook or token links to its page. */
export function AuditObject({ object }: { object: AuditObjectValue }) {
  const text = auditObjectName(object)
  if (object.id === null) return <>{text}</>
  const title = `${text}\n${object.id}`
  const path = paths[object.type]
  if (path === undefined) return <span title={title}>{text}</span>
  return (
    <A to={`${path}${object.id}`} title={title}>
      {text}
    </A>
  )
}

/** The name of a token links to its audit entries. */
export function AuditActor({ actor }: { actor: AuditActorValue }) {
  const text = auditActorName(actor)
  if (actor.id === null) return <>{text}</>
  const title = `${text}\n${actor.id}`
  if (!can('audit:read')) return <span title={title}>{text}</span>
  return (
    <A to={`/settings/audit-log?token_id=${actor.id}`} title={title}>
      {text}
    </A>
  )
}
