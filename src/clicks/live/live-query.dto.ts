import { ApiPropertyOptional } from '@nestjs/swagger'

import { IsText, Optional } from '../../platform/http/input/fields.js'
import { ClickFilters } from '../click-filters.dto.js'
import type { ClickRow } from '../click.entity.js'

export class LiveClicksQuery extends ClickFilters {
  @ApiPropertyOptional({ description: 'Returns only clicks of this link.' })
  @Optional()
  @IsText(1, 100)
  link_id?: string
}

const columns = {
  country: 'country',
  region: 'region',
  city: 'city',
  referrer_host: 'referrerHost',
  browser: 'browser',
  os: 'os',
  device: 'device',
  language: 'language',
  utm_source: 'utmSource',
  utm_medium: 'utmMedium',
  utm_campaign: 'utmCampaign',
  utm_term: 'utmTerm',
  utm_content: 'utmContent',
  source: 'source',
} as const satisfies Record<keyof ClickFilters, keyof ClickRow>

/** Whether a click matches the filters. An empty value matches unknown values. */
export function clickTest(query: ClickFilters, linkId: string | null): (click: ClickRow) => boolean {
  const wanted = Object.entries(columns).flatMap(([name, column]) => {
    const values = query[name as keyof ClickFilters]
    return values ? [{ column, values: new Set(values) }] : []
  })
  return (click) =>
    (linkId === null || click.linkId === linkId) &&
    wanted.every(({ column, values }) => values.has(click[column] ?? (column === 'source' ? 'link' : '')))
}
