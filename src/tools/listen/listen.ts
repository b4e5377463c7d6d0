/** `link-service listen`: follows a workspace over the API and forwards its events to a receiver under development. */
import { setTimeout as pause } from 'node:timers/promises'

import { StartupError } from '../../platform/config/startup-error.js'
import { keyOf } from '../../webhooks/signing.js'
import { PatientClient } from '../remote/patient-client.js'
import { clickFeed, endOf, eventFeed, Links, oldestOf, readClicks, readEvents } from './feeds.js'
import type { Feed } from './feeds.js'
import { Forwarder } from './forward.js'
import { readPlan } from './listen-plan.js'
import type { ListenOptions, Plan } from './listen-plan.js'
import type { ReachedPlace, Position } from './position.js'
import { printerFor } from './print.js'
import type { Printer } from './print.js'
import { stopSignals } from './stopping.js'
import type { Stopping } from './stopping.js'

export async function listen(options: ListenOptions): Promise<void> {
  const plan = readPlan(options)
  const printer = printerFor(plan)
  const stopping = stopSignals()
  const api = new PatientClient(options, (line) => printer.say(line), stopping.asked)
  try {
    await follow(api, plan, printer, stopping)
  } catch (error) {
    // A stop aborts the request or pause that the run waits for. That is no failure.
    if (!stopping.asked.aborted) throw error
  }
}

async function follow(api: PatientClient, plan: Plan, printer: Printer, stopping: Stopping): Promise<void> {
  await requireScopes(api, plan)
  const following = new Following(api, plan, await beginning(api, plan))
  // This refuses a place that the service does not know before anything is printed.
  await following.read()
  await printer.started(plan, following.position)

  const forwarder = new Forwarder(plan.receiver, keyOf(plan.secret))
  const sayWhatIsUnderWay = () =>
    printer.say('Waiting for the answer to the event that is under way. Stop once more to leave it.')
  try {
    while (!stopping.asked.aborted) {
      const feed = await following.next(stopping.asked)
      const event = await feed.first()
      stopping.asked.addEventListener('abort', sayWhatIsUnderWay)
      const outcome = await forwarder.forward(event, following.position.sequence + 1, stopping.askedAgain)
      stopping.asked.removeEventListener('abort', sayWhatIsUnderWay)
      following.done(feed)
      await printer.forwarded(event, outcome, following.position)
    }
  } finally {
    await printer.stopped(following.position)
  }
}

/** Both feeds as one, and how far they have been read. */
class Following {
  private readonly events: Feed | null
  private readonly clicks: Feed | null
  private readonly feeds: readonly Feed[]
  private sequence: number

  constructor(
    api: PatientClient,
    plan: Plan,
    private readonly start: Position,
  ) {
    const links = new Links(api)
    this.events = plan.wantsOthers ? eventFeed(api, plan, links, start.events!) : null
    this.clicks = plan.wantsClicks ? clickFeed(api, links, start.clicks!) : null
    this.feeds = [this.events, this.clicks].filter((feed) => feed !== null)
    this.sequence = start.sequence
  }

  get position(): Position {
    return {
      sequence: this.sequence,
      events: this.events?.place ?? this.start.events,
      clicks: this.clicks?.place ?? this.start.clicks,
    }
  }

  async read(): Promise<void> {
    for (const feed of this.feeds) await feed.refill()
  }

  /** Resolves with the feed that has the oldest waiting event, as soon as there is one. */
  async next(stop: AbortSignal): Promise<Feed> {
    for (;;) {
      await this.read()
      const feed = oldestOf(this.feeds)
      if (feed) return feed
      await pause(Math.min(...this.feeds.map(({ dueInMs }) => dueInMs)), undefined, { signal: stop })
    }
  }

  done(feed: Feed): void {
    feed.advance()
    this.sequence += 1
  }
}

/** Refuses a token that lacks scopes before anything is followed, and names all missing ones at once. */
async function requireScopes(api: PatientClient, { wantsClicks, wantsOthers }: Plan): Promise<void> {
  const { scopes } = await api.call((client, options) => client.tokens.self(options))
  const granted: readonly string[] = scopes
  const needed = [
    ...(wantsOthers ? ['events:read'] : []),
    ...(wantsClicks ? ['clicks:read', 'links:read'] : []),
  ]
  const missing = needed.filter((scope) => !granted.includes(scope))
  if (missing.length > 0)
    throw new StartupError(
      `The token lacks ${missing.join(' and ')}. To follow these events listen needs the scopes ${needed.join(', ')}.`,
    )
}

async function beginning(api: PatientClient, { from, wantsClicks, wantsOthers }: Plan): Promise<Position> {
  if (typeof from === 'object') {
    const unknown = wantsOthers && !from.events ? 'events' : wantsClicks && !from.clicks ? 'clicks' : null
    if (unknown === null) return from
    throw new StartupError(
      `The run that printed the text after --from did not follow ${unknown}. Leave --from out, or give the --events of that run.`,
    )
  }
  const place = (read: Parameters<typeof endOf>[1]): Promise<ReachedPlace> | ReachedPlace =>
    from === 'now' ? endOf(api, read) : { cursor: '', last: null }
  return {
    sequence: 0,
    events: wantsOthers ? await place(readEvents) : null,
    clicks: wantsClicks ? await place(readClicks) : null,
  }
}
