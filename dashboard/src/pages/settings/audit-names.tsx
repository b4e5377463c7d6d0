/** The actor and the object of an audit entry, by name. The ID is the tooltip, and part of the details. */
import type { AuditEntry } from '@link-service/client'

import { can } from '../../app/session.js'
import { A } from '../../components/basics.js'

const pages: Partial<Record<AuditEntry['object']['type'], string>> = { link: '/links', webhook: '/webhooks' }

/** The name of a link or webhook links to its page. */
export function AuditObject({ object: { id, type, name } }: { object: AuditEntry['object'] }) {
  if (id === null) return <>–</>
  const text = type === 'session' ? 'session' : (name ?? id)
  const shown = type === 'link' && name !== null ? `/${name}` : text
  const path = pages[type]
  if (path === undefined)
    return (
      <span class="clip" title={id}>
        {shown}
      </span>
    )
  return (
    <A to={`${path}/${id}`} class="clip" title={id}>
      {shown}
    </A>
  )
}

/** The name of a token links to its audit entries. */
export function AuditActor({ actor: { id, type, name } }: { actor: AuditEntry['actor'] }) {
  if (id === null) return <>{type.replaceAll('_', ' ')}</>
  if (!can('audit:read')) return <span title={id}>{name ?? id}</span>
  return (
    <A to={`/settings/audit-log?token_id=${id}`} class="clip" title={id}>
      {name ?? id}
    </A>
  )
}
