import type { BodyOf } from '@link-service/client'

import { service } from '../../api/client.js'
import { useResource } from '../../app/resource.js'
import { Loaded } from '../../components/states.js'

export type Subscribed = BodyOf<'createWebhook'>['events']

export function useEventTypes() {
  return useResource('event types', (signal) => service.events.types({ limit: 100 }, { signal }).toArray())
}

/** Selects event types, or all events including types added later. */
export function EventPicker({
  events,
  onChange,
}: {
  events: Subscribed
  onChange: (events: Subscribed) => void
}) {
  const types = useEventTypes()
  const isAll = events.includes('*')
  const toggle = (name: Subscribed[number]) => {
    const others = events.filter((each) => each !== name && each !== '*')
    onChange(events.includes(name) ? others : [...others, name])
  }
  return (
    <fieldset>
      <legend>Events</legend>
      <label class="check">
        <input type="checkbox" checked={isAll} onChange={() => onChange(isAll ? [] : ['*'])} />
        All events, including types added later
      </label>
      {!isAll && (
        <Loaded from={types}>
          {(all) => (
            <>
              {all.map(({ name, meaning }) => (
                <label key={name} class="check">
                  <input type="checkbox" checked={events.includes(name)} onChange={() => toggle(name)} />
                  <span>
                    <code>{name}</code> <span class="muted">{meaning}</span>
                  </span>
                </label>
              ))}
            </>
          )}
        </Loaded>
      )}
    </fieldset>
  )
}
