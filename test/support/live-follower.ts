/** Follows live clicks over a separate connection. */
import { once } from 'node:events'
import { request } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'

import { waitFor } from './wait-for.js'

interface Received {
  id: string
  click: any
}

export class LiveFollower {
  readonly received: Received[] = []
  /** The ID from which a reader can resume before the first click. */
  startId: string | undefined
  isEnded = false
  status: number | undefined
  type: string | undefined
  private text = ''

  private constructor(private readonly request: ClientRequest) {}

  static async start(url: string, headers: Record<string, string>): Promise<LiveFollower> {
    const sent = request(url, { headers, agent: false })
    sent.on('error', () => undefined)
    sent.end()
    const follower = new LiveFollower(sent)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    follower.status = response.statusCode
    follower.type = response.headers['content-type']
    response.setEncoding('utf8')
    response.on('data', (text: string) => follower.parseText(text))
    response.on('error', () => undefined)
    response.on('close', () => (follower.isEnded = true))
    return follower
  }

  get ids(): string[] {
    return this.received.map(({ click }) => click.id as string)
  }

  async disconnect(): Promise<void> {
    this.request.destroy()
    await waitFor('the stream to end', () => this.isEnded)
  }

  private parseText(text: string): void {
    const parts = (this.text + text).split('\n\n')
    this.text = parts.pop()!
    for (const part of parts) {
      const [, id] = /^id: (.+)$/m.exec(part) ?? []
      const [, data] = /^data: (.+)$/m.exec(part) ?? []
      if (id === undefined) continue
      if (data === undefined) this.startId = id
      else this.received.push({ id, click: JSON.parse(data) })
    }
  }
}
