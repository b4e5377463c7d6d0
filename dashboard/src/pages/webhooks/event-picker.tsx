import type { BodyOf, ItemOf } from '@link-service/client'
import { useId } from 'preact/hooks'

import { service } from '../../api/client.js'
import { useResource } from '../../app/resource.js'
import { can } from '../../app/session.js'
import { Sentence } from '../../components/sentence.js'
import { Loaded } from '../../components/states.js'

type EventType = ItemOf<'listEventTypes'>
export type Subscribed = BodyOf<'createWebhook'>['events']

/** Sent only when a test is requested, so a subscription has no effect. */
const testType = 'webhook.test'

export function useEventTypes() {
  return useResource(can('events:read') ? 'event types' : null, (signal) =>
    service.events.types({ limit: 100 }, { signal }).toArray(),
  )
}

/** Selects event types, or all events except those of tokens, including types added later. */
export function EventPicker({
  events,
  onChange,
}: {
  events: Subscribed
  onChange: (events: Subscribed) => void
}) {
  const types = useEventTypes()
  const group = useId()
  const isAll = events.includes('*')
  const toggle = (name: Subscribed[number]) => {
    const others = events.filter((each) => each !== name && each !== '*')
    onChange(events.includes(name) ? others : [...others, name])
  }
  if (!can('events:read'))
    return (
      <fieldset>
        <legend>Events</legend>
        <p>{isAll ? 'All events' : <code>{events.join(', ')}</code>}</p>
        <p class="hint">
          Changing events requires the scope <code>events:read</code>.
        </p>
      </fieldset>
    )
  return (
    <fieldset>
      <legend>Events</legend>
      <label class="check">
        <input type="radio" name={group} checked={isAll} onChange={() => onChange(['*'])} />
        <span>
          All events <span class="hint block">Includes future types, but not token events.</span>
        </span>
      </label>
      <label class="check">
        <input type="radio" name={group} checked={!isAll} onChange={() => onChange([])} />
        Selected events
      </label>
      {!isAll && (
        <Loaded from={types}>
          {(all) => (
            <ul class="event-types">
              {all
                .filter(({ name }) => name !== testType || events.includes(name))
                .map((type) => (
                  <li key={type.name}>
                    <label class="check">
                      <input
                        type="checkbox"
                        checked={events.includes(type.name)}
                        onChange={() => toggle(type.name)}
                      />
                      <span>
                        <code>{type.name}</code>
                        <span class="muted event-meaning">
                          <Sentence text={type.meaning} />
                        </span>
                      </span>
                    </label>
                    <Example type={type} />
                  </li>
                ))}
            </ul>
          )}
        </Loaded>
      )}
    </fieldset>
  )
}

function Example({ type: { name, example } }: { type: EventType }) {
  return (
    <details class="event-example">
      <summary>
        Example <span class="hidden-text">of {name}</span>
      </summary>
      <pre tabIndex={0}>{JSON.stringify(example, null, 2)}</pre>
    </details>
  )
}
