/** A UDP name server on loopback that resolves some names and ignores queries for others. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

type Response = 'silent' | 'not_found' | 'server_failure' | readonly string[]

export interface NameServer {
  /** Value for `DNS_SERVERS`. */
  address: string
  /** Name of each received query. A and AAAA are separate queries. */
  queries: string[]
  stop(): void
}

const responseCodes = { not_found: 3, server_failure: 2 }

/** `respond` returns the addresses of a name, or another outcome of its queries. */
export async function startNameServer(respond: (name: string) => Response): Promise<NameServer> {
  const socket = createSocket('udp4')
  const queries: string[] = []
  socket.on('message', (query, { address, port }) => {
    const { name, type, question } = readQuestion(query)
    queries.push(name)
    const response = respond(name)
    if (response !== 'silent') socket.send(createResponse(query, question, type, response), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    stop: () => void socket.close(),
  }
}

function readQuestion(query: Buffer): { name: string; type: number; question: Buffer } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), question: query.subarray(12, at + 5) }
}

function createResponse(
  query: Buffer,
  question: Buffer,
  type: number,
  response: Exclude<Response, 'silent'>,
): Buffer {
  const isV6 = type === 28
  const records =
    typeof response === 'string' ? [] : response.filter((address) => address.includes(':') === isV6)
  const code = typeof response === 'string' ? responseCodes[response] : 0
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, question, ...records.map((address) => createRecord(type, address))])
}

/** A record with a TTL of 0 whose name is a pointer to the question. */
function createRecord(type: number, address: string): Buffer {
  const data = type === 28 ? toIpv6Bytes(address) : Buffer.from(address.split('.').map(Number))
  return Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]), data])
}

function toIpv6Bytes(address: string): Buffer {
  const [start = '', end = ''] = address.split('::')
  const [first, last] = [start, end].map((part) => part.split(':').filter(Boolean))
  const zeros = Array<string>(8 - first!.length - last!.length).fill('0')
  const words = [...first!, ...zeros, ...last!].map((word) => parseInt(word, 16))
  return Buffer.from(words.flatMap((word) => [word >> 8, word & 0xff]))
}
