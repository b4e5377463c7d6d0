/** Sends requests at a constant rate over persistent connections, and counts unexpected statuses. */
import { Agent, request } from 'node:http'

export interface LoadRequest {
  url: string
  headers?: Record<string, string>
  status: number
}

export class SteadyLoad {
  readonly failures: string[] = []
  sent = 0
  succeeded = 0
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64 })
  private readonly timer: NodeJS.Timeout
  private readonly startedAt = performance.now()

  /** Sends the requests in turn. */
  constructor(
    private readonly perSecond: number,
    private readonly requests: readonly LoadRequest[],
  ) {
    this.timer = setInterval(() => this.sendDue(), 10)
  }

  /** Resolves when every request has succeeded or failed. */
  async stop(): Promise<void> {
    clearInterval(this.timer)
    while (this.succeeded + this.failures.length < this.sent)
      await new Promise((resolve) => setTimeout(resolve, 20))
    this.agent.destroy()
  }

  private sendDue(): void {
    const due = ((performance.now() - this.startedAt) * this.perSecond) / 1000
    while (this.sent < due) this.send(this.requests[this.sent++ % this.requests.length]!)
  }

  private send({ url, headers, status }: LoadRequest): void {
    const fail = (reason: string) => this.failures.push(`${url}: ${reason}`)
    const sent = request(url, { agent: this.agent, headers, timeout: 30_000 }, (response) => {
      response.resume()
      response.once('end', () => {
        if (response.statusCode === status) this.succeeded += 1
        else
          fail(
            `status ${response.statusCode} ${String(response.headers['x-request-id'] ?? 'from the proxy')}`,
          )
      })
    })
    sent.once('error', ({ message }) => fail(message))
    sent.once('timeout', () => sent.destroy(new Error('no response within 30 s')))
    sent.end()
  }
}
