/** `link-service stats`: the figures of a workspace or of one link, over the API. */
import { StartupError, UsageError } from '../../platform/config/startup-error.js'
import { readApi } from '../listen/plan.js'
import { ask } from './ask.js'
import type { Api } from './ask.js'
import { tableOf } from './table.js'
import type { Figures } from './table.js'

export interface StatsOptions {
  token?: string | undefined
  api?: string | undefined
  last?: string | undefined
  by?: string | undefined
  timezone?: string | undefined
  json?: boolean | undefined
  csv?: boolean | undefined
}

const rowsShown = '20'

export async function stats(
  slug: string | undefined,
  options: StatsOptions,
  tokenOfEnvironment: string | undefined,
): Promise<void> {
  if (options.json && options.csv) throw new UsageError('stats takes either --json or --csv.')
  const api = readApi('stats', options, tokenOfEnvironment)
  const path = `${slug === undefined ? '/v1' : `/v1/links/${await linkOf(api, slug)}`}/analytics?${queryOf(options)}`
  if (options.csv) return print(await ask(api, path, 'text/csv'))
  const answer = JSON.parse(await ask(api, path)) as Figures
  print(options.json ? `${JSON.stringify(answer, null, 2)}\n` : `${tableOf(answer)}\n`)
}

function queryOf({ last = '30d', by = 'time', timezone, json, csv }: StatsOptions): string {
  const query = new URLSearchParams({ interval: last, group_by: by })
  if (timezone !== undefined) query.set('timezone', timezone)
  // A screen holds so many; programs get what the API gives.
  if (!json && !csv && by !== 'time') query.set('limit', rowsShown)
  return query.toString()
}

async function linkOf(api: Api, slug: string): Promise<string> {
  const { data } = JSON.parse(await ask(api, `/v1/links?limit=100&q=${encodeURIComponent(slug)}`)) as {
    data: { id: string; slug: string }[]
  }
  const link = data.find((each) => each.slug === slug)
  if (!link) throw new StartupError(`There is no link ${slug} in the workspace of this token.`)
  return link.id
}

function print(text: string): void {
  process.stdout.write(text)
}
