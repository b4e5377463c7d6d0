/** Analytics filters. They are part of the URL, so a filtered page can be shared. */
import type { AnalyticsQuery } from '../api/click-figures.js'
import { base } from '../app/base.js'
import { place } from '../app/router.js'
import { dimensions, getDimensionLabel } from './dimensions.js'
import type { Dimension } from './dimensions.js'

export type ClickFilters = Pick<AnalyticsQuery, Dimension>

/** Reads the filters from the URL query. An empty value means unknown. The service rejects invalid values. */
export function filtersFromUrl(): ClickFilters {
  const { query } = place.value
  return Object.fromEntries(
    dimensions.flatMap(([name]) => (query.has(name) ? [[name, query.getAll(name)]] : [])),
  )
}

/** Returns the URL of the same page with this filter, or without the filters of the dimension if `value` is null. */
export function urlWithFilter(name: Dimension, value: string | null): string {
  const query = new URLSearchParams(place.value.query)
  query.delete(name)
  if (value !== null) query.set(name, value)
  return urlWithQuery(query)
}

export function urlWithoutFilters(): string {
  const query = new URLSearchParams(place.value.query)
  for (const [name] of dimensions) query.delete(name)
  return urlWithQuery(query)
}

function urlWithQuery(query: URLSearchParams): string {
  const search = query.toString()
  return base + place.value.path + (search && `?${search}`)
}

export function FilterChips() {
  const filters = filtersFromUrl()
  const active = dimensions.filter(([name]) => filters[name])
  if (active.length === 0) return null
  return (
    <div class="row wrap">
      <ul class="chips" aria-label="Filters">
        {active.map(([name, , singular]) => (
          <li key={name}>
            <a
              class="chip"
              href={urlWithFilter(name, null)}
              title={`Remove the ${singular.toLowerCase()} filter`}
            >
              {singular}: {filters[name]?.map((value) => getDimensionLabel(name, value)).join(' or ')}
              <span aria-hidden="true">×</span>
              <span class="hidden-text">, remove filter</span>
            </a>
          </li>
        ))}
        {active.length > 1 && (
          <li>
            <a class="chip clear" href={urlWithoutFilters()}>
              Clear filters
            </a>
          </li>
        )}
      </ul>
    </div>
  )
}
