import { scopeDescriptions } from '@link-service/client'
import type { BodyOf } from '@link-service/client'

export type GrantableScope = NonNullable<BodyOf<'createToken'>['scopes']>[number]

const descriptions: Partial<Record<string, string>> = scopeDescriptions

/** Scopes for a common use, and the restriction that this use needs. */
export interface Preset {
  name: string
  meaning: string
  /** Absent: the scopes that the current token can grant. */
  scopes?: readonly GrantableScope[]
  includes?: (scope: GrantableScope) => boolean
  requires?: 'allowedIps' | 'tags'
}

const presets: readonly Preset[] = [
  {
    name: 'Read-only',
    meaning: 'Reads everything, and changes nothing.',
    includes: (scope) => scope.endsWith(':read'),
  },
  {
    name: 'CI server',
    meaning:
      'Creates and changes links. Works only from the IP address of the server, which you enter below.',
    scopes: ['links:read', 'links:write'],
    requires: 'allowedIps',
  },
  {
    name: 'Campaign',
    meaning:
      'Manages the links with the tag that you enter below, and reads their clicks. New links get the tag.',
    scopes: ['links:read', 'links:write', 'clicks:read'],
    requires: 'tags',
  },
  {
    name: 'Partner report',
    meaning: 'Reads the links with the tag that you enter below, and their clicks.',
    scopes: ['links:read', 'clicks:read'],
    requires: 'tags',
  },
  { name: 'Full access', meaning: 'Everything that your token can do.' },
]

function getPresetScopes(
  { scopes, includes }: Preset,
  grantable: readonly GrantableScope[],
): GrantableScope[] {
  if (scopes) return scopes.every((scope) => grantable.includes(scope)) ? [...scopes] : []
  return grantable.filter(includes ?? (() => true))
}

/** The most powerful scopes are last. */
const resources = ['links', 'clicks', 'webhooks', 'events', 'audit', 'tokens']
const getResourcePosition = (scope: GrantableScope) => resources.indexOf(scope.split(':')[0] ?? '')
const byUse = (one: GrantableScope, other: GrantableScope) =>
  getResourcePosition(one) - getResourcePosition(other)

/** Selects scopes one by one or by a preset, with a description of each. */
export function ScopePicker({
  grantable,
  chosen,
  preset,
  onPick,
}: {
  grantable: readonly GrantableScope[]
  chosen: ReadonlySet<GrantableScope>
  /** Null once the user selects scopes one by one. */
  preset: Preset | null
  onPick: (scopes: ReadonlySet<GrantableScope>, preset: Preset | null) => void
}) {
  const toggle = (scope: GrantableScope) => {
    const next = new Set(chosen)
    if (!next.delete(scope)) next.add(scope)
    onPick(next, null)
  }
  const available = presets
    .map((each) => [each, getPresetScopes(each, grantable)] as const)
    .filter(([, scopes]) => scopes.length > 0)
  return (
    <fieldset class="scopes">
      <legend>Scopes</legend>
      <div class="row wrap presets" role="group" aria-label="Presets">
        {available.map(([each, scopes]) => (
          <button
            key={each.name}
            type="button"
            class="small"
            aria-pressed={each === preset}
            onClick={() => onPick(new Set(scopes), each)}
          >
            {each.name}
          </button>
        ))}
      </div>
      <p class="hint preset-meaning">
        {preset?.meaning ?? (chosen.size === 0 && 'Select a preset, or at least one scope.')}
      </p>
      {grantable.toSorted(byUse).map((scope) => (
        <label key={scope} class="check scope">
          <input type="checkbox" checked={chosen.has(scope)} onChange={() => toggle(scope)} />
          <code>{scope}</code>
          <span class="hint">
            {descriptions[scope]}
            {scope === 'tokens:write' && (
              <span class="scope-warning">Can create more tokens with its own scopes.</span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
