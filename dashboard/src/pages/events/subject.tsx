/** The link, webhook or token that an event is about. */
import type { Delivery } from '@link-service/client'

import { isPortal } from '../../app/base.js'
import { A } from '../../components/basics.js'

interface TokenSubject {
  type: 'token'
  id: string
  name: string
}
export type Subject = NonNullable<Delivery['subject']> | TokenSubject

/** Returns null for an event that is about none of them, such as a test. */
export function getEventSubject(data: object): Subject | null {
  const { link, webhook, token } = data as {
    link?: { id: string; slug: string }
    webhook?: { id: string; url: string }
    token?: { id: string; name: string }
  }
  if (link) return { type: 'link', id: link.id, name: link.slug }
  if (webhook) return { type: 'webhook', id: webhook.id, name: webhook.url }
  return token ? { type: 'token', id: token.id, name: token.name } : null
}

const paths: Readonly<Record<string, string>> = {
  link: '/links/',
  webhook: '/webhooks/',
  token: '/settings/tokens?token=',
}

export function SubjectLink({ subject }: { subject: Subject }) {
  const path = paths[subject.type]
  if (isPortal || path === undefined) return <>{getSubjectName(subject)}</>
  return (
    <A to={`${path}${subject.id}`} title={subject.name}>
      {getSubjectName(subject)}
    </A>
  )
}

export function getSubjectName({ type, name }: Subject): string {
  return type === 'link' ? `/${name}` : name
}
