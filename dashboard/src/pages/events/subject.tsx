/** The link or webhook that an event is about. */
import type { Delivery } from '@link-service/client'

import { isPortal } from '../../app/base.js'
import { A } from '../../components/basics.js'

export type Subject = NonNullable<Delivery['subject']>

/** Returns null for an event that is about neither, such as a test. */
export function subjectOf(data: object): Subject | null {
  const { link, webhook } = data as {
    link?: { id: string; slug: string }
    webhook?: { id: string; url: string }
  }
  if (link) return { type: 'link', id: link.id, name: link.slug }
  return webhook ? { type: 'webhook', id: webhook.id, name: webhook.url } : null
}

export function SubjectLink({ subject }: { subject: Subject }) {
  if (isPortal) return <>{nameOfSubject(subject)}</>
  const section = subject.type === 'link' ? 'links' : 'webhooks'
  return (
    <A to={`/${section}/${subject.id}`} title={subject.name}>
      {nameOfSubject(subject)}
    </A>
  )
}

export function nameOfSubject({ type, name }: Subject): string {
  return type === 'link' ? `/${name}` : name
}
