/** Every list of the API with its orders and filters. Each request uses different search terms and times. */
import { firstLinkAt } from './fill.js'

/** The name and the i-th query of each filter. */
const linkFilters = (links) => {
  const dayOf = (n) => new Date(firstLinkAt + n * 60_000).toISOString()
  return [
    ['all', () => ''],
    ['q in every link', () => 'q=example'],
    ['q in a quarter of them', () => 'q=shop.example'],
    ['q in the oldest quarter', () => 'q=jubilee'],
    ['q in 200 of them', (i) => `q=/w${1000 + ((i * 37) % 4000)}/`],
    ['q in one', (i) => `q=slug${100_000 + ((i * 7919) % (links - 100_000))}`],
    ['q in none', (i) => `q=nowhere${i}`],
    ['q of common letters, in none', () => 'q=examplewww'],
    ['q of two letters, everywhere', () => 'q=ex'],
    ['q of two letters, in none', () => 'q=qz'],
    ['tag of every link', () => 'tag=all'],
    ['tag of the oldest quarter', () => 'tag=old'],
    ['tag of 1,000', (i) => `tag=tag${(i * 37) % 1000}`],
    ['tag of none', (i) => `tag=none${i}`],
    ['external_id', (i) => `external_id=ext${((i * 7919) % (links / 2)) * 2}`],
    ['created_after', (i) => `created_after=${dayOf(links / 2 + i)}`],
    ['created_before', (i) => `created_before=${dayOf(links / 2 + i)}`],
    ['an hour', (i) => `created_after=${dayOf(links / 3 + i)}&created_before=${dayOf(links / 3 + i + 60)}`],
    ['enabled=true', () => 'enabled=true'],
    ['enabled=false', () => 'enabled=false'],
    ['q common, tag common', () => 'q=example&tag=all'],
    ['q common, tag rare', (i) => `q=example&tag=tag${(i * 37) % 1000}`],
    ['q rare, tag common', (i) => `q=/w${1000 + ((i * 37) % 4000)}/&tag=all`],
    ['q common, disabled', () => 'q=example&enabled=false'],
    ['tag common, disabled', () => 'tag=all&enabled=false'],
    ['q common, an hour', (i) => `q=example&created_after=${dayOf(i)}&created_before=${dayOf(i + 60)}`],
    ['tag common, an hour', (i) => `tag=all&created_after=${dayOf(i)}&created_before=${dayOf(i + 60)}`],
    ['tag old, newer half', () => `tag=old&created_after=${dayOf(links / 2)}`],
  ]
}

/** Returns the lists to measure. `from` and `to` are the times between which all rows except links were created. */
export function lists({ count, linkId, webhook, from, to }) {
  const time = (share) => new Date(from + (to - from) * share).toISOString()
  const created = [
    ['created_after', (i) => `created_after=${time(0.5 + i / 1000)}`],
    ['created_before', (i) => `created_before=${time(0.5 + i / 1000)}`],
    [
      'a short while',
      (i) => `created_after=${time(0.3 + i / 1000)}&created_before=${time(0.301 + i / 1000)}`,
    ],
  ]
  const all = ['all', () => '']
  const orders = ['-created_at', 'created_at', '-clicks']
  const of = (name, path, filters) =>
    filters.map(([filter, query]) => ({
      name: `${name}, ${filter}`,
      path: (i) => `${path}?${query(i)}`,
      limitMs: filter === 'all' && !name.endsWith('clicks') ? 50 : 500,
    }))
  return [
    ...orders.flatMap((order) => of(`links, ${order}`, `/links`, inOrder(linkFilters(count), order))),
    ...of('events', '/events', [
      all,
      ['type', () => 'type=link.created'],
      ['rare type', () => 'type=link.deleted'],
      ['type of none', () => 'type=webhook.failing'],
      ['link_id', () => `link_id=${linkId}`],
      ['link_id and type', () => `link_id=${linkId}&type=link.updated`],
      ...created,
      ['after', () => 'after='],
      ['after, rare type', () => 'after=&type=link.deleted'],
      ['after, link_id', () => `after=&link_id=${linkId}`],
    ]),
    ...of('clicks', '/clicks', [
      ['after', () => 'after='],
      ['after, link_id', () => `after=&link_id=${linkId}`],
    ]),
    ...of('clicks of a link', `/links/${linkId}/clicks`, [all]),
    ...of('deliveries', `/webhooks/${webhook}/deliveries`, [
      all,
      ...['succeeded', 'failed', 'canceled', 'pending', 'held'].map((status) => [
        status,
        () => `status=${status}`,
      ]),
      ['event', () => 'event=link.created'],
      ['event of none', () => 'event=click'],
      ['failed, event', () => 'status=failed&event=link.deleted'],
      ...created,
    ]),
    ...of('audit log', '/audit-log', [all]),
    ...of('tokens', '/auth/tokens', [all]),
    ...of('webhooks', '/webhooks', [all]),
  ]
}

function inOrder(filters, order) {
  return filters.map(([name, query]) => [name, (i) => [`sort=${order}`, query(i)].filter(Boolean).join('&')])
}
