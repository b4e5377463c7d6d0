/** `link-service listen`: reads the events of a workspace from the API and forwards them to a local receiver. */
import { setTimeout as pause } from 'node:timers/promises'

import { StartupError } from '../../platform/config/startup-error.js'
import { receivingScopes } from '../../events/catalog.js'
import { getSigningKey } from '../../webhooks/signing.js'
import { PatientClient } from '../remote/patient-client.js'
import { clickFeed, readEnd, eventFeed, LinkLookup, getOldest, readClicks, readEvents } from './feeds.js'
import type { Feed } from './feeds.js'
import { Forwarder } from './forwarder.js'
import type { ForwardedEvent, ForwardOutcome } from './forwarder.js'
import { readPlan } from './listen-plan.js'
import type { ListenOptions, Plan } from './listen-plan.js'
import type { FeedPosition, Position } from './position.js'
import { createPrinter } from './printer.js'
import type { Printer } from './printer.js'
import { listenForStop } from './stop-signals.js'
import type { StopSignals } from './stop-signals.js'

export async function listen(options: ListenOptions): Promise<void> {
  const plan = readPlan(options)
  const printer = createPrinter(plan)
  const signals = listenForStop()
  const api = new PatientClient(options, (line) => printer.notify(line), signals.stop)
  try {
    if (plan.replay) await replayEvents(api, plan.replay, plan, printer, signals)
    else await forwardEvents(api, plan, printer, signals)
  } catch (error) {
    // Stopping aborts a running request or pause, which is not an error.
    if (!signals.stop.aborted) throw error
  }
}

async function forwardEvents(
  api: PatientClient,
  plan: Plan,
  printer: Printer,
  { stop, abandon }: StopSignals,
): Promise<void> {
  await requireScopes(api, plan)
  const feeds = new CombinedFeed(api, plan, await startPosition(api, plan))
  // Rejects an invalid cursor before anything is printed.
  await feeds.refill()
  await printer.started(plan, feeds.position)

  const forwarder = new Forwarder(plan.receiver, getSigningKey(plan.secret))
  const explainWait = () =>
    printer.notify('Waiting for the response to the event in flight. Press Ctrl-C again to abandon it.')
  try {
    while (!stop.aborted) {
      const feed = await feeds.next(stop)
      const event = await feed.first()
      stop.addEventListener('abort', explainWait)
      const outcome = await forwarder.forward(event, feeds.position.sequence + 1, abandon)
      stop.removeEventListener('abort', explainWait)
      feeds.advance(feed)
      await printer.forwarded(event, outcome, feeds.position)
    }
  } finally {
    await printer.stopped(feeds.position)
  }
}

/** Sends past events once. Reads all of them first, so that an unknown ID prevents the replay. */
async function replayEvents(
  api: PatientClient,
  ids: readonly string[],
  plan: Plan,
  printer: Printer,
  { stop, abandon }: StopSignals,
): Promise<void> {
  await requireScopes(api, { events: [], wantsEvents: true, wantsClicks: false })
  const events: ForwardedEvent[] = []
  for (const id of ids) {
    const found = await api.find((client, options) => client.events.get(id, options))
    if (!found) throw new StartupError(`The workspace of this token has no event ${id}. Nothing was sent.`)
    events.push({ id: found.id, type: found.type, timestamp: found.timestamp, data: found.data })
  }
  await printer.replaying(plan)
  const forwarder = new Forwarder(plan.receiver, getSigningKey(plan.secret))
  for (const [index, event] of events.entries()) {
    if (stop.aborted) return
    const outcome = await forwarder.forward(event, index + 1, abandon)
    if (!isAccepted(outcome)) process.exitCode = 1
    await printer.replayed(event, outcome, index + 1)
  }
}

function isAccepted({ status }: ForwardOutcome): boolean {
  return status !== null && status >= 200 && status < 300
}

/** Merges the feeds of events and clicks, and tracks the position in both. */
class CombinedFeed {
  private readonly events: Feed | null
  private readonly clicks: Feed | null
  private readonly feeds: readonly Feed[]
  private sequence: number

  constructor(
    api: PatientClient,
    plan: Plan,
    private readonly start: Position,
  ) {
    const links = new LinkLookup(api)
    this.events = plan.wantsEvents ? eventFeed(api, plan, links, start.events!) : null
    this.clicks = plan.wantsClicks ? clickFeed(api, links, start.clicks!) : null
    this.feeds = [this.events, this.clicks].filter((feed) => feed !== null)
    this.sequence = start.sequence
  }

  get position(): Position {
    return {
      sequence: this.sequence,
      events: this.events?.position ?? this.start.events,
      clicks: this.clicks?.position ?? this.start.clicks,
    }
  }

  async refill(): Promise<void> {
    for (const feed of this.feeds) await feed.refill()
  }

  /** Waits for an event, and returns the feed with the oldest one. */
  async next(stop: AbortSignal): Promise<Feed> {
    for (;;) {
      await this.refill()
      const feed = getOldest(this.feeds)
      if (feed) return feed
      await pause(Math.min(...this.feeds.map(({ dueInMs }) => dueInMs)), undefined, { signal: stop })
    }
  }

  advance(feed: Feed): void {
    feed.advance()
    this.sequence += 1
  }
}

/** Throws an error that names all missing scopes of the token. */
async function requireScopes(
  api: PatientClient,
  { events, wantsClicks, wantsEvents }: Pick<Plan, 'events' | 'wantsClicks' | 'wantsEvents'>,
): Promise<void> {
  const { scopes } = await api.call((client, options) => client.tokens.self(options))
  const granted: readonly string[] = scopes
  const needed = [
    ...(wantsEvents ? ['events:read', ...receivingScopes(events)] : []),
    ...(wantsClicks ? ['clicks:read', 'links:read'] : []),
  ]
  const missing = needed.filter((scope) => !granted.includes(scope))
  if (missing.length > 0)
    throw new StartupError(
      `The token lacks ${missing.join(' and ')}. These events need the scopes ${needed.join(', ')}.`,
    )
}

async function startPosition(
  api: PatientClient,
  { from, wantsClicks, wantsEvents }: Plan,
): Promise<Position> {
  if (typeof from === 'object') {
    const missing = wantsEvents && !from.events ? 'events' : wantsClicks && !from.clicks ? 'clicks' : null
    if (missing === null) return from
    throw new StartupError(
      `The run that printed the cursor in --from did not follow ${missing}. Leave out --from, or use the --events of that run.`,
    )
  }
  const positionIn = (read: Parameters<typeof readEnd>[1]): Promise<FeedPosition> | FeedPosition =>
    from === 'now' ? readEnd(api, read) : { cursor: '', last: null }
  return {
    sequence: 0,
    events: wantsEvents ? await positionIn(readEvents) : null,
    clicks: wantsClicks ? await positionIn(readClicks) : null,
  }
}
