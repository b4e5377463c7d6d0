/** A filter by link, kept in the URL as an ID. Accepts a slug, a short URL or an ID, and shows the slug. */
import { NotFoundError } from '@link-service/client'
import { useState } from 'preact/hooks'

import { service } from '../api/client.js'
import { useResource } from '../app/resource.js'
import { queryOf, setQuery } from '../app/router.js'
import { can } from '../app/session.js'
import { useAction } from '../components/form.js'

interface LinkFilterProps {
  /** The parameter of the URL. */
  name: string
  label: string
  placeholder: string
}

const idPattern = /^[a-z]+_[0-9a-z]{26}$/

export function LinkFilter({ name, label, placeholder }: LinkFilterProps) {
  const id = queryOf(name)
  const isLink = id.startsWith('lnk_') && can('links:read')
  const link = useResource(isLink ? `link ${id}` : null, (signal) => service.links.get(id, { signal }))
  const [missing, setMissing] = useState<string | null>(null)
  const finding = useAction()
  const change = (text: string) => {
    setMissing(null)
    if (text === '' || idPattern.test(text) || !can('links:read')) return setQuery({ [name]: text })
    finding.run(async () => {
      const slug = slugOf(text)
      try {
        setQuery({ [name]: (await service.links.getBySlug(slug)).id })
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error
        setMissing(slug)
      }
    })
  }
  const shown = isLink && link.data ? `/${link.data.slug}` : id
  const problem = missing === null ? finding.error && 'The link could not be loaded.' : `No link /${missing}`
  return (
    <>
      <input
        key={shown}
        data-search=""
        aria-label={label}
        aria-invalid={Boolean(problem)}
        placeholder={placeholder}
        defaultValue={shown}
        onChange={(event) => change(event.currentTarget.value.trim())}
      />
      {problem && (
        <span class="field-error" role="alert">
          {problem}
        </span>
      )}
    </>
  )
}

/** Returns the last part of a short URL, or the slug without a slash before it. */
function slugOf(text: string): string {
  const part =
    text
      .replace(/[?#].*$/, '')
      .split('/')
      .findLast(Boolean) ?? text
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
