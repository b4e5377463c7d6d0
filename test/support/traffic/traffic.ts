/** Creates, changes and visits links at constant rates, and remembers every response. */
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

import { firefox } from '../factories/links.js'
import { waitFor } from '../wait-for.js'

export interface TrafficOptions {
  /** Where the requests are sent. */
  origin: string
  token: string
  createsPerSecond: number
  visitsPerSecond: number
  /** Repeats a failed change until it succeeds, so that its outcome is known. */
  retriesChanges: boolean
}

export interface TrafficLink {
  id: string
  slug: string
  title: string | null
}

interface Response {
  status: number
  location: string | undefined
  body: string
}

const requestTimeoutMs = 10_000
/** Further visits are skipped while this many are in flight, for example while the load balancer hangs. */
const maxVisitsInFlight = 500
const retryPauseMs = 200
/** One of this many links gets a title after its creation. */
const titledShare = 4
const maxConnections = 64

export class Traffic {
  /** The links whose creation was acknowledged. */
  readonly links: TrafficLink[] = []
  /** Every visit by its query, which its destination ends with, and whether the redirect was received. */
  readonly visits = new Map<string, boolean>()
  /** Responses other than the expected ones, and errors of connections. */
  readonly failures: string[] = []
  private answeredVisits = 0
  private created = 0
  private visitsInFlight = 0
  private readonly changes = new Set<Promise<void>>()
  private timer: NodeJS.Timeout | null = null
  private isClosed = false
  private readonly agent = new Agent({ keepAlive: true, maxSockets: maxConnections })

  constructor(private readonly options: TrafficOptions) {}

  start(): void {
    const startedAt = performance.now()
    const before = { created: this.created, visits: this.visits.size }
    let skipped = 0
    const due = (perSecond: number) => ((performance.now() - startedAt) * perSecond) / 1000
    this.timer = setInterval(() => {
      while (this.created - before.created < due(this.options.createsPerSecond)) this.track(this.createLink())
      if (this.links.length === 0) return
      while (this.visits.size - before.visits + skipped < due(this.options.visitsPerSecond))
        if (this.visitsInFlight < maxVisitsInFlight) void this.visit()
        else skipped += 1
    }, 10)
  }

  /** Resolves when every request has a response, and every retried change has succeeded. */
  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer)
    this.timer = null
    await waitFor(
      'the responses of all requests',
      () => this.visitsInFlight + this.changes.size === 0,
      120_000,
    )
  }

  /** Ends the retries too, so that a failed test can end. */
  close(): void {
    this.isClosed = true
    if (this.timer) clearInterval(this.timer)
    this.agent.destroy()
  }

  /** Waits for responses to further requests. */
  async awaitMore(visits: number, links: number, timeoutMs = 60_000): Promise<void> {
    const [before, linksBefore] = [this.answeredVisits, this.links.length]
    await waitFor(
      `${visits} more redirects and ${links} more links`,
      () => this.answeredVisits >= before + visits && this.links.length >= linksBefore + links,
      timeoutMs,
    )
  }

  get redirects(): number {
    return this.answeredVisits
  }

  private track(change: Promise<void>): void {
    this.changes.add(change)
    void change.finally(() => this.changes.delete(change))
  }

  private async createLink(): Promise<void> {
    const number = ++this.created
    const created = await this.change('POST', '/api/v1/links', `link-${number}`, 201, {
      url: `https://target.example/${number}`,
      forward_query: true,
    })
    if (!created) return
    const link: TrafficLink = { id: created['id']!, slug: created['slug']!, title: null }
    this.links.push(link)
    if (number % titledShare !== 0) return
    // Without a key: the same change again records no event.
    const title = `Link ${number}`
    if (await this.change('PATCH', `/api/v1/links/${link.id}`, null, 200, { title })) link.title = title
  }

  private async change(
    method: string,
    path: string,
    key: string | null,
    expected: number,
    body: object,
  ): Promise<Record<string, string> | null> {
    const headers = {
      authorization: `Bearer ${this.options.token}`,
      'content-type': 'application/json',
      ...(key === null ? {} : { 'idempotency-key': key }),
    }
    do {
      const response = await this.send(method, path, headers, JSON.stringify(body))
      if (response?.status === expected) return JSON.parse(response.body) as Record<string, string>
      if (response) this.failures.push(`${method} ${path}: ${response.status} ${response.body.slice(0, 200)}`)
      await pause(retryPauseMs)
    } while (this.options.retriesChanges && !this.isClosed)
    return null
  }

  private async visit(): Promise<void> {
    const link = this.links[Math.floor(Math.random() * this.links.length)]!
    const query = `?visit=${this.visits.size + 1}`
    const path = `/${link.slug}${query}`
    this.visits.set(query, false)
    this.visitsInFlight += 1
    try {
      const response = await this.send('GET', path, { 'user-agent': firefox })
      if (response?.status === 302 && response.location?.endsWith(query)) {
        this.visits.set(query, true)
        this.answeredVisits += 1
      } else if (response)
        this.failures.push(`GET ${path}: ${response.status} ${response.body.slice(0, 200)}`)
    } finally {
      this.visitsInFlight -= 1
    }
  }

  /** Resolves with null, and records the failure, if the connection breaks. */
  private send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body = '',
  ): Promise<Response | null> {
    return new Promise((resolve) => {
      const fail = ({ message }: Error) => {
        this.failures.push(`${method} ${path}: ${message}`)
        resolve(null)
      }
      const options = { method, headers, agent: this.agent, timeout: requestTimeoutMs }
      const sent = request(this.options.origin + path, options, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('error', fail)
        response.once('end', () =>
          resolve({
            status: response.statusCode!,
            location: response.headers.location,
            body: Buffer.concat(chunks).toString(),
          }),
        )
      })
      sent.once('error', fail)
      sent.once('timeout', () => sent.destroy(new Error('no response in time')))
      sent.end(body)
    })
  }
}
