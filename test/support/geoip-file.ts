/**
 * Writes a MaxMind file with a few networks: a binary search tree over address bits, the data section that its leaves
 * refer to, and the metadata. See https://maxmind.github.io/MaxMind-DB/
 */
import ipaddr from 'ipaddr.js'

type Value = string | number | bigint | Value[] | { [key: string]: Value }
/** A node, the offset of a record in the data section, or null without a record. */
type Child = Node | number | null
type Node = [Child, Child]

/** `networks` maps a network to a country or a full record: `{ '203.0.113.0/24': 'DE' }`. Version 4 has only IPv4. */
export function geoipFile(
  networks: Record<string, string | Record<string, Value>>,
  ipVersion: 4 | 6 = 6,
): Buffer {
  const data: Buffer[] = []
  const root: Node = [null, null]
  let dataBytes = 0
  for (const [network, country] of Object.entries(networks)) {
    const record = encode(typeof country === 'string' ? { country: { iso_code: country } } : country)
    insert(root, getNetworkBits(network, ipVersion), dataBytes)
    data.push(record)
    dataBytes += record.length
  }
  const nodes = inOrder(root)
  return Buffer.concat([
    createTree(nodes),
    Buffer.alloc(16),
    ...data,
    Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'),
    encode({
      node_count: nodes.length,
      record_size: 24,
      ip_version: ipVersion,
      database_type: 'Test-Country',
      languages: ['en'],
      binary_format_major_version: 2,
      binary_format_minor_version: 0,
      build_epoch: 1_767_225_600n,
      description: { en: 'Networks of a test' },
    }),
  ])
}

/** Returns the bits of a network. An IPv6 tree stores IPv4 networks after 96 zeros. */
function getNetworkBits(network: string, ipVersion: 4 | 6): number[] {
  const [address, prefix] = ipaddr.parseCIDR(network)
  const bytes = address.toByteArray()
  const padding: number[] = ipVersion === 6 && bytes.length === 4 ? Array<number>(96).fill(0) : []
  const bits = bytes.flatMap((byte) => Array.from({ length: 8 }, (_, i) => (byte >> (7 - i)) & 1))
  return [...padding, ...bits.slice(0, prefix)]
}

function insert(root: Node, bits: number[], place: number): void {
  let node = root
  for (const bit of bits.slice(0, -1)) {
    const next = (node[bit] as Node | null) ?? [null, null]
    node[bit] = next
    node = next
  }
  node[bits.at(-1)!] = place
}

function inOrder(root: Node): Node[] {
  const nodes = [root]
  for (const node of nodes) nodes.push(...node.filter((child) => Array.isArray(child)))
  return nodes
}

function createTree(nodes: Node[]): Buffer {
  const numbers = new Map(nodes.map((node, i) => [node, i]))
  const tree = Buffer.alloc(nodes.length * 6)
  for (const [i, node] of nodes.entries())
    for (const [side, child] of node.entries()) {
      const value =
        child === null
          ? nodes.length
          : typeof child === 'number'
            ? nodes.length + 16 + child
            : numbers.get(child)!
      tree.writeUIntBE(value, i * 6 + side * 3, 3)
    }
  return tree
}

/** Writes a control byte with type and size, then the value. Types above 7 have an extra byte. */
function encode(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([control(2, value.length), Buffer.from(value)])
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([control(6, 4), bytes])
  }
  if (typeof value === 'bigint') {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64BE(value)
    return Buffer.concat([control(9, 8), bytes])
  }
  if (Array.isArray(value)) return Buffer.concat([control(11, value.length), ...value.map(encode)])
  const entries = Object.entries(value)
  return Buffer.concat([
    control(7, entries.length),
    ...entries.flatMap(([key, each]) => [encode(key), encode(each)]),
  ])
}

function control(type: number, size: number): Buffer {
  if (size > 28) throw new Error('Values longer than 28 bytes are not supported')
  return type > 7 ? Buffer.from([size, type - 7]) : Buffer.from([(type << 5) | size])
}
