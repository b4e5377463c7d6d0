/** A map of the world with the clicks of each country. The table below it has the same numbers. */
import { useEffect, useState } from 'preact/hooks'

import { formatNumber } from '../app/format.js'
import { setQuery } from '../app/router.js'
import { countryName } from './dimensions.js'
import type * as worldPaths from './world-paths.js'

type World = typeof worldPaths

interface Props {
  /** Clicks by country code. */
  counts: ReadonlyMap<string, number>
  /** The name of the counts. */
  unit: string
}

/** Loads the shapes together with the counts. `WorldMap` handles a failure. */
export function preloadWorld(): void {
  import('./world-paths.js').catch(() => undefined)
}

export function WorldMap({ counts, unit }: Props) {
  const [world, setWorld] = useState<World | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const [country, setCountry] = useState<string | null>(null)
  useEffect(() => {
    import('./world-paths.js').then(setWorld, () => setFailed(true))
  }, [])
  if (hasFailed) return null
  if (!world) return <div class="world bone" />
  const most = Math.max(1, ...counts.values())
  const { width, height } = world.worldSize
  return (
    <div class="world" aria-hidden="true" onMouseLeave={() => setCountry(null)}>
      <svg viewBox={`0 0 ${width} ${height}`}>
        {Object.entries(world.worldPaths).map(([code, path]) => {
          const count = counts.get(code) ?? 0
          return (
            <path
              key={code}
              d={path}
              data-country={code}
              class={count > 0 ? 'clicked' : ''}
              style={{ '--share': String(Math.sqrt(count / most)) }}
              onMouseEnter={() => setCountry(code)}
              onClick={() => count > 0 && setQuery({ country: code })}
            />
          )
        })}
      </svg>
      {country !== null && country !== '' && (
        <div class="world-label">
          {countryName(country)} <b>{formatNumber(counts.get(country) ?? 0)}</b> {unit.toLowerCase()}
        </div>
      )}
    </div>
  )
}
