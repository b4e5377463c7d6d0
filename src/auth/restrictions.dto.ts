import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import { IsTagList } from '../links/link-fields.dto.js'
import { IsTimestampText, Nullable, Rule } from '../platform/http/input/fields.js'
import { validateFields } from '../platform/http/input/input.pipe.js'
import { isJsonObject } from '../platform/http/input/strict-json.js'
import type { InputError } from '../platform/http/problems/problem.js'
import type { RunningSettings } from '../settings.js'
import { normalizeNetwork } from './networks.js'
import { isFasterOnAverage, maxNetworks, parseOwnRate } from './restrictions.js'
import type { Restrictions } from './restrictions.js'

function IsNetworkList(): PropertyDecorator {
  return Rule(
    'invalid_networks',
    `Must be a list of 1 to ${maxNetworks} IP networks or addresses, such as 203.0.113.0/24, 198.51.100.7 or 2001:db8::/32.`,
    (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.length <= maxNetworks &&
      value.every((text) => typeof text === 'string' && normalizeNetwork(text) !== null),
    { minItems: 1, maxItems: maxNetworks },
  )
}

function IsOwnRate(): PropertyDecorator {
  return Rule(
    'invalid_rate',
    'Must be a number of requests and a duration of at most 1h, such as 60/1m.',
    (value) => typeof value === 'string' && value.length <= 20 && parseOwnRate(value) !== null,
    { pattern: '^[1-9][0-9]{0,8}(/.+)?$' },
  )
}

const restrictionDocs = {
  allowedIps: {
    type: String,
    isArray: true,
    nullable: true,
    example: ['203.0.113.0/24'],
  },
  notBefore: { type: String, format: 'date-time', nullable: true, example: '2026-03-01T00:00:00.000Z' },
  rateLimit: { type: String, nullable: true, example: '60/1m' },
  tags: { type: String, isArray: true, nullable: true, example: ['partner'] },
} as const

@ApiSchema({
  name: 'CreateTokenRestrictions',
  description: 'Restrictions of a new token. Each absent field is copied from the calling token.',
})
export class WantedRestrictionsDto {
  @ApiPropertyOptional({
    ...restrictionDocs.allowedIps,
    description: `IP networks (CIDR) or addresses that the token can be used from, at most ${maxNetworks}.`,
  })
  @Nullable()
  @IsNetworkList()
  allowed_ips?: string[] | null

  @ApiPropertyOptional({
    ...restrictionDocs.notBefore,
    description: 'Time from which the token is valid.',
  })
  @Nullable()
  @IsTimestampText()
  not_before?: string | null

  @ApiPropertyOptional({
    ...restrictionDocs.rateLimit,
    description:
      'Maximum number of requests in a time window of at most `1h`, instead of `RATE_LIMIT`. Cannot exceed `WORKSPACE_RATE_LIMIT`.',
  })
  @Nullable()
  @IsOwnRate()
  rate_limit?: string | null

  @ApiPropertyOptional({
    ...restrictionDocs.tags,
    minItems: 1,
    description:
      'The token can only access links with one of these tags. With a single tag, links that it creates get the tag.',
  })
  @Nullable()
  @IsTagList()
  tags?: string[] | null
}

/** Returns the errors of the field `restrictions`, with pointers into the body. */
export function findRestrictionErrors(
  value: unknown,
  { workspaceRateLimit }: Pick<RunningSettings, 'workspaceRateLimit'>,
): InputError[] {
  if (!isJsonObject(value)) return []
  const { input, errors } = validateFields(WantedRestrictionsDto, value)
  const createRestrictionError = (name: string, code: InputError['code'], detail: string): InputError => ({
    pointer: `/${name}`,
    code,
    detail,
  })
  const hasErrorAt = (name: string) =>
    errors.some((error) => 'pointer' in error && error.pointer === `/${name}`)
  if (input.tags?.length === 0)
    errors.push(
      createRestrictionError(
        'tags',
        'invalid_tags',
        'Must contain at least one tag. Omit the field for no restriction.',
      ),
    )
  const rate = input.rate_limit != null && !hasErrorAt('rate_limit') ? parseOwnRate(input.rate_limit) : null
  if (rate && workspaceRateLimit && isFasterOnAverage(rate, workspaceRateLimit))
    errors.push(
      createRestrictionError(
        'rate_limit',
        'invalid_rate',
        `Must not exceed the limit of the workspace, ${workspaceRateLimit.limit} requests in ${workspaceRateLimit.windowSeconds} seconds (WORKSPACE_RATE_LIMIT).`,
      ),
    )
  return errors.map((error) =>
    'pointer' in error ? { ...error, pointer: `/restrictions${error.pointer}` } : error,
  )
}

@ApiSchema({
  name: 'TokenRestrictions',
  description: 'Restrictions of a token. A null field does not restrict.',
})
export class RestrictionsDto implements Restrictions {
  @ApiProperty({
    ...restrictionDocs.allowedIps,
    description: 'IP networks that the token can be used from.',
  })
  allowed_ips!: string[] | null

  @ApiProperty({ ...restrictionDocs.notBefore, description: 'Time from which the token is valid.' })
  not_before!: string | null

  @ApiProperty({ ...restrictionDocs.rateLimit, description: 'Rate limit of the token.' })
  rate_limit!: string | null

  @ApiProperty({
    ...restrictionDocs.tags,
    description: 'The token can only access links with one of these tags.',
  })
  tags!: string[] | null
}
