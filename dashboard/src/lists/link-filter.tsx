/** A filter by link, kept in the URL as an ID. Accepts a slug, a short URL or an ID, and shows the slug. */
import { NotFoundError } from '@link-service/client'
import { useEffect, useRef, useState } from 'preact/hooks'

import { service } from '../api/client.js'
import { useResource } from '../app/resource.js'
import { getQueryParameter, place, setQuery } from '../app/router.js'
import { can } from '../app/session.js'

interface LinkFilterProps {
  /** The parameter of the URL. */
  name: string
  label: string
  placeholder: string
}

const idPattern = /^[a-z]+_[0-9a-z]{26}$/

export function LinkFilter({ name, label, placeholder }: LinkFilterProps) {
  const id = getQueryParameter(name)
  const isLink = id.startsWith('lnk_') && can('links:read')
  const link = useResource(isLink ? `link ${id}` : null, (signal) => service.links.get(id, { signal }))
  const [problem, setProblem] = useState('')
  const lookup = useRef<AbortController | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const shown = isLink && link.data ? `/${link.data.slug}` : id
  // The field shows the filter of the URL, also after an unknown slug or during a lookup.
  useEffect(() => {
    setProblem('')
    field.current!.value = shown
    return () => lookup.current?.abort()
  }, [place.value])
  const change = async (text: string) => {
    lookup.current?.abort()
    setProblem('')
    if (text === '' || idPattern.test(text) || !can('links:read')) return setQuery({ [name]: text })
    const slug = parseSlug(text)
    const { signal } = (lookup.current = new AbortController())
    try {
      const found = await service.links.getBySlug(slug, { signal })
      if (!signal.aborted) setQuery({ [name]: found.id })
    } catch (error) {
      if (signal.aborted) return
      setProblem(error instanceof NotFoundError ? `No link /${slug}` : 'The link could not be loaded.')
    }
  }
  return (
    <>
      <input
        key={shown}
        ref={field}
        data-search=""
        aria-label={label}
        aria-invalid={problem !== ''}
        placeholder={placeholder}
        defaultValue={shown}
        onChange={(event) => void change(event.currentTarget.value.trim())}
      />
      {problem !== '' && (
        <span class="field-error" role="alert">
          {problem}
        </span>
      )}
    </>
  )
}

/** Returns the last part of a short URL, or the slug without a slash before it. */
function parseSlug(text: string): string {
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
