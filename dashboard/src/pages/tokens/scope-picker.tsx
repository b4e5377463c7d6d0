import { scopeDescriptions } from '@link-service/client'
import type { BodyOf } from '@link-service/client'

export type GrantableScope = NonNullable<BodyOf<'createToken'>['scopes']>[number]

const descriptions: Partial<Record<string, string>> = scopeDescriptions

/** Sets of scopes for common uses. A preset contains only those scopes that the current token can grant. */
const presets: readonly [name: string, includes: (scope: GrantableScope) => boolean][] = [
  ['Read-only', (scope) => scope.endsWith(':read')],
  ['CI', (scope) => scope === 'links:read' || scope === 'links:write'],
  ['Full access', () => true],
]

/** The most powerful scopes are last. */
const resources = ['links', 'clicks', 'webhooks', 'events', 'audit', 'tokens']
const placeOf = (scope: GrantableScope) => resources.indexOf(scope.split(':')[0] ?? '')
const byUse = (one: GrantableScope, other: GrantableScope) => placeOf(one) - placeOf(other)

/** Selects scopes one by one or by a preset, with a description of each. */
export function ScopePicker({
  grantable,
  chosen,
  onPick,
}: {
  grantable: readonly GrantableScope[]
  chosen: ReadonlySet<GrantableScope>
  onPick: (scopes: ReadonlySet<GrantableScope>) => void
}) {
  const toggle = (scope: GrantableScope) => {
    const next = new Set(chosen)
    if (!next.delete(scope)) next.add(scope)
    onPick(next)
  }
  const available = presets
    .map(([name, includes]) => [name, grantable.filter(includes)] as const)
    .filter(([, scopes]) => scopes.length > 0)
  return (
    <fieldset class="scopes">
      <legend>Scopes</legend>
      <div class="row wrap presets" role="group" aria-label="Presets">
        <span class="hint">Select:</span>
        {available.map(([name, scopes]) => (
          <button
            key={name}
            type="button"
            class="small"
            aria-pressed={scopes.length === chosen.size && scopes.every((scope) => chosen.has(scope))}
            onClick={() => onPick(new Set(scopes))}
          >
            {name}
          </button>
        ))}
      </div>
      {grantable.toSorted(byUse).map((scope) => (
        <label key={scope} class="check scope">
          <input type="checkbox" checked={chosen.has(scope)} onChange={() => toggle(scope)} />
          <code>{scope}</code>
          <span class="hint">
            {descriptions[scope]}
            {scope === 'tokens:write' && (
              <span class="scope-warning">Can create tokens with the same scopes.</span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
