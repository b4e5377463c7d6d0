import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'

import { RedirectHeads, redirectHead, writeRedirect } from './redirect-head.js'

const location = 'https://target.example/page?x=1#top'
const link = { head: redirectHead(302, location), status: 302, location }

let answer: (res: ServerResponse) => void
let server: Server
let port: number

beforeEach(async () => {
  server = createServer({ keepAliveTimeout: 72_000 }, (_, res) => {
    answer(res)
    res.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  ;({ port } = server.address() as AddressInfo)
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** The answers to requests that come together on one connection, as they are on the wire. */
async function exchange(requests: string[]): Promise<string[]> {
  const socket = connect(port, '127.0.0.1')
  socket.write(requests.join(''))
  let received = ''
  for await (const chunk of socket) received += (chunk as Buffer).toString('latin1')
  return received.split(/(?<=\r\n\r\n)/)
}

const get = (headers = '', method = 'GET', version = '1.1'): string =>
  `${method} / HTTP/${version}\r\nHost: x\r\n${headers}\r\n`
const closing = get('Connection: close\r\n')
const datesOf = (answers: string[]): string[] => answers.map((head) => /\r\nDate: (.*)\r\n/.exec(head)![1]!)
const withoutDate = (answers: string[]): string[] => answers.map((head) => head.replace(/\r\nDate: .*/, ''))

describe('the head of a redirect', () => {
  it.each([
    ['connections that stay open', [get(), get(), get(), closing]],
    ['HEAD', [get(), get('', 'HEAD'), closing]],
    ['HTTP/1.0 that stays open', [get(), get('Connection: keep-alive\r\n', 'GET', '1.0'), closing]],
    ['HTTP/1.0 that does not', [get(), get(), get('', 'GET', '1.0')]],
  ])('is byte for byte what node makes, for %s', async (_, requests) => {
    const heads = new RedirectHeads()
    answer = (res) => heads.write(res, link, 'id', 1_000)
    const written = await exchange(requests)
    answer = (res) => writeRedirect(res, 302, location, 'id')
    const made = await exchange(requests)
    expect(written).toHaveLength(requests.length)
    expect(withoutDate(written)).toEqual(withoutDate(made))
    expect(datesOf(written).every((date) => Math.abs(Date.parse(date) - Date.now()) < 5_000)).toBe(true)
  })

  it('is made by node once a second, and so has the date of its second', async () => {
    const heads = new RedirectHeads()
    const times = [1_000, 1_500, 1_999, 2_000, 2_001]
    const madeByNode: number[] = []
    answer = (res) => {
      const time = times.shift()!
      const make = res.writeHead.bind(res) as (status: number, headers: string[]) => ServerResponse
      res.writeHead = (status: number, headers: unknown) => {
        madeByNode.push(time)
        return make(status, headers as string[])
      }
      heads.write(res, link, 'id', time)
    }
    await exchange([get(), get(), get(), get(), closing])
    // The last one closes its connection, and so ends like no other.
    expect(madeByNode).toEqual([1_000, 2_000, 2_001])
  })

  it.each([
    [301, 'Moved Permanently'],
    [302, 'Found'],
    [307, 'Temporary Redirect'],
    [308, 'Permanent Redirect'],
  ])('has the status %i and the words for it', async (status, words) => {
    const heads = new RedirectHeads()
    answer = (res) =>
      heads.write(res, { head: redirectHead(status, location), status, location }, 'id', 1_000)
    for (const head of await exchange([get(), closing]))
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} ${words}\r\n`))
  })

  it('holds nothing that would end a header', () => {
    for (const bad of ['https://a/\r\nX-Evil: 1', 'https://a/\n', 'https://a/\0', 'https://a/日'])
      expect(() => redirectHead(302, bad)).toThrow()
  })
})
