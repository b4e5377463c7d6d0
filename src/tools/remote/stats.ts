/** `link-service stats`: the figures of a workspace or of one link. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { LinkService, QueryOf } from '@link-service/client'

import { command } from '../../platform/command-line/command.js'
import type { Commands } from '../../platform/command-line/command.js'
import { UsageError } from '../../platform/config/startup-error.js'
import { connectionOptions, withClient } from './connection.js'
import { given } from './fields.js'
import { figuresTable } from './figures.js'
import { printDone } from './output.js'

/** What can be asked of a link can be asked of the workspace; the service refuses the rest. */
type Query = QueryOf<'getLinkAnalytics'>

// A screen holds so many; programs get what the API gives.
const rowsShown = 20

export const statsCommands: Commands = {
  stats: command({
    summary: 'Show how many clicks there were, of the workspace or of the link with SLUG',
    operands: ['[SLUG]'],
    options: {
      last: { value: 'TIME', text: '24h, 7d, 30d, 90d, 12mo or all; 30d by default' },
      by: { value: 'WHAT', text: 'time, country, referrer_host, browser and so on; time by default' },
      timezone: { value: 'ZONE', text: 'whose days they are, such as Europe/Berlin; UTC by default' },
      csv: { text: 'print CSV' },
      ...connectionOptions,
    },
    example: 'stats spring --last 7d --by country',
    run: (options, slug?: string) => {
      if (options.json && options.csv) throw new UsageError('stats takes either --json or --csv.')
      const by = options.by ?? 'time'
      const isForPeople = !options.json && !options.csv
      // The service says which words there are, and names every other.
      const query = given({
        interval: options.last ?? '30d',
        group_by: by,
        timezone: options.timezone,
        limit: isForPeople && by !== 'time' ? rowsShown : undefined,
      }) as Query
      return withClient(options, async (client) => {
        const figures = await figuresOf(client, slug)
        if (options.csv) return print(await figures.csv(query))
        const answer = await figures.get(query)
        printDone(figuresTable(answer), answer, options)
      })
    },
  }),
}

async function figuresOf({ analytics, links }: LinkService, slug: string | undefined) {
  if (slug === undefined) return analytics
  const { id } = await links.getBySlug(slug)
  return {
    get: (query: Query) => links.analytics(id, query),
    csv: (query: Query) => links.analyticsCsv(id, query),
  }
}

function print(stream: ReadableStream<Uint8Array>): Promise<void> {
  return pipeline(Readable.from(stream), process.stdout, { end: false })
}
