import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import { encodeId } from '../platform/database/ids.js'
import { count, enumSchema, openEnumSchema } from '../platform/http/openapi/api-docs.js'
import type { BodyExamples } from '../platform/http/openapi/api-docs.js'
import {
  IsDuration,
  IsFlagText,
  IsText,
  Nullable,
  Optional,
  Rule,
  unknownWords,
} from '../platform/http/input/fields.js'
import { isWorkspaceScope, scopeDescriptions, scopes, workspaceScopes } from './scopes.js'
import type { Scope, WorkspaceScope } from './scopes.js'
import { findRestrictionErrors, RestrictionsDto, WantedRestrictionsDto } from './restrictions.dto.js'
import type { RunningSettings } from '../settings.js'
import type { InputError } from '../platform/http/problems/problem.js'
import { isJsonObject } from '../platform/http/input/strict-json.js'
import { type CountedToken, type Token, type TokenStatus, getTokenStatus } from './token.entity.js'
import { QueryInput } from '../platform/http/input/input.pipe.js'

export const maxTokenNameLength = 100
/** The shortest and the longest lifetime of a token. */
export const lifetimeLimits = { min: '60s', max: '365d' }
const scopeEnum = openEnumSchema(
  'Scope',
  'Permission of a token. A `:write` scope does not include `:read`.',
  scopes,
  scopeDescriptions,
)
const workspaceScopeEnum = openEnumSchema(
  'WorkspaceScope',
  'Scope that a token can grant to a new token. `instance:read` can be granted only on the command line.',
  workspaceScopes,
  scopeDescriptions,
)

function IsScopeList(): PropertyDecorator {
  return Rule(
    'invalid_scopes',
    (value) =>
      `${unknownWords(value, scopes)}${includesOperatorScope(value) ? 'instance:read can be granted only on the command line. ' : ''}Must be a list of at least one of these scopes: ${workspaceScopes.join(', ')}. Omit the field to grant all scopes of the calling token.`,
    (value) => Array.isArray(value) && value.length > 0 && value.every(isWorkspaceScope),
    { minItems: 1 },
  )
}

function includesOperatorScope(value: unknown): boolean {
  return Array.isArray(value) && value.includes('instance:read' satisfies Scope)
}

@ApiSchema({ name: 'CreateToken', description: 'A token to create. Only `name` is required.' })
export class CreateToken {
  static readonly examples: BodyExamples<CreateToken> = {
    minimal: { name: 'ci' },
    full: {
      name: 'ci',
      scopes: ['links:read', 'links:write'],
      expires_in: '30d',
      restrictions: {
        allowed_ips: ['203.0.113.0/24'],
        not_before: '2026-03-01T00:00:00Z',
        rate_limit: '60/1m',
        tags: ['partner'],
      },
    },
  }

  static inputErrors({ restrictions }: { restrictions?: unknown }, settings: RunningSettings): InputError[] {
    return findRestrictionErrors(restrictions, settings)
  }

  @ApiProperty({ description: 'Name of the token, such as the program that uses it.', example: 'ci' })
  @IsText(1, maxTokenNameLength)
  name!: string

  @ApiPropertyOptional({
    description:
      'Scopes of the token. Duplicates are merged. Default: the scopes of the calling token, except `instance:read`, which can be granted only on the command line.',
    ...workspaceScopeEnum,
    isArray: true,
    example: ['links:read', 'links:write'],
  })
  @Optional()
  @IsScopeList()
  scopes?: WorkspaceScope[]

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description:
      'Lifetime, from `60s` to `365d`: a whole number and s, m (minutes), h, d or w. Default: no expiry.',
    example: '30d',
  })
  @Nullable()
  @IsDuration(lifetimeLimits.min, lifetimeLimits.max)
  expires_in?: string | null

  @ApiPropertyOptional({
    type: WantedRestrictionsDto,
    nullable: true,
    description: 'Restrictions of the token. They cannot be changed later.',
  })
  @Nullable()
  @Rule('not_an_object', 'Must be an object such as {"tags": ["partner"]}.', isJsonObject)
  restrictions?: WantedRestrictionsDto | null
}

@ApiSchema({ name: 'RotateToken', description: 'Options for a rotation. The request body is optional.' })
export class RotateToken {
  static readonly examples: BodyExamples<RotateToken> = { minimal: {}, full: { overlap: '24h' } }

  @ApiPropertyOptional({
    description: 'How long the old token remains valid, from `1s` to `30d`. Default: `24h`.',
    example: '24h',
  })
  @Optional()
  @IsDuration('1s', '30d')
  overlap?: string
}

@ApiSchema({ name: 'RevokeToken', description: 'A token to revoke, identified by its value.' })
export class RevokeByValue {
  static readonly examples: BodyExamples<RevokeByValue> = {
    minimal: { token: 'lsk_live_…' },
    full: { token: 'lsk_live_…' },
  }

  @ApiProperty({ description: 'Full value of the token to revoke.', example: 'lsk_live_…' })
  @IsText(1, 400)
  token!: string
}

export class RevokeQuery extends QueryInput {
  @ApiPropertyOptional({
    description: 'Whether to also revoke the tokens it created, directly or indirectly. Default: false.',
  })
  @Optional()
  @IsFlagText()
  descendants?: string
}

const exampleId = 'tok_01kaj3v9z4f8hva3x7m2c5d6ne'

@ApiSchema({ name: 'Token', description: 'An API token, without its value.' })
export class TokenDto {
  static readonly versionedBy: readonly string[] = ['id', 'status', 'expires_at']

  @ApiProperty({ description: 'ID of the token.', example: exampleId })
  id!: string

  @ApiProperty({ description: 'Name of the token.', example: 'ci' })
  name!: string

  @ApiProperty({
    ...scopeEnum,
    isArray: true,
    description: 'Scopes of the token.',
    example: ['links:read', 'links:write'],
  })
  scopes!: Scope[]

  @ApiProperty({
    type: RestrictionsDto,
    nullable: true,
    description: 'Restrictions of the token. Null if it has none.',
    example: null,
  })
  restrictions!: RestrictionsDto | null

  @ApiProperty({ description: 'First characters of the value.', example: 'lsk_live_' })
  prefix!: string

  @ApiProperty({ description: 'Last four characters of the value.', example: 'x7Qa' })
  last4!: string

  @ApiProperty({
    ...enumSchema('TokenStatus', 'Status of a token. Only active tokens are accepted.', [
      'active',
      'expired',
      'revoked',
    ]),
    description: 'Status of the token. Lists contain only active tokens.',
    example: 'active',
  })
  status!: TokenStatus

  @ApiProperty({
    format: 'date-time',
    description: 'Time the token was created.',
    example: '2026-01-31T12:00:00.000Z',
  })
  created_at!: string

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time the token expires. Null if it does not expire.',
    example: '2026-03-02T12:00:00.000Z',
  })
  expires_at!: string | null

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'Time of the last accepted request. Requests to other processes may take a few seconds to appear.',
    example: null,
  })
  last_used_at!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'ID of the token that created it. Null if it was created from the command line.',
    example: 'tok_01kaj3t2m8e9cs4p6r1w0q5yzd',
  })
  created_by!: string | null

  @ApiProperty({ type: String, nullable: true, description: 'ID of the token it replaces.', example: null })
  rotated_from!: string | null

  static fromToken(token: Token, lastUsedAt: Date | null = token.lastUsedAt): TokenDto {
    return Object.assign(new TokenDto(), {
      id: encodeId('tok', token.id),
      name: token.name,
      scopes: token.scopes,
      restrictions: token.restrictions,
      prefix: token.prefix,
      last4: token.last4,
      status: getTokenStatus(token),
      created_at: token.createdAt.toISOString(),
      expires_at: token.expiresAt?.toISOString() ?? null,
      last_used_at: lastUsedAt?.toISOString() ?? null,
      created_by: token.createdBy && encodeId('tok', token.createdBy),
      rotated_from: token.rotatedFrom && encodeId('tok', token.rotatedFrom),
    })
  }
}

/** A token with fields that need a query. The calling token is returned from the cache, without these fields. */
@ApiSchema({
  name: 'TokenWithUsage',
  description: 'An API token with its usage.',
})
export class TokenWithUseDto extends TokenDto {
  @ApiProperty({
    ...scopeEnum,
    isArray: true,
    description:
      'Scopes that no accepted request has used since `scopes_watched_since`. Requests to other processes may take a few seconds to appear.',
    example: ['links:read'],
  })
  unused_scopes!: Scope[]

  @ApiProperty({
    format: 'date-time',
    description: 'Start of the period that `unused_scopes` covers: the creation time of the token.',
    example: '2026-01-31T12:00:00.000Z',
  })
  scopes_watched_since!: string

  @ApiProperty({
    ...count,
    description: 'Number of active tokens created directly by this token.',
    example: 2,
  })
  minted!: number

  static withUse(token: CountedToken, lastUsedAt: Date | null, unusedScopes: Scope[]): TokenWithUseDto {
    return Object.assign(new TokenWithUseDto(), TokenDto.fromToken(token, lastUsedAt), {
      unused_scopes: unusedScopes,
      scopes_watched_since: token.createdAt.toISOString(),
      minted: token.minted,
    })
  }
}

@ApiSchema({
  name: 'CreatedToken',
  description: 'A new token with its value, which is shown only once.',
})
export class NewTokenDto extends TokenDto {
  @ApiProperty({
    description: 'Value of the token. It is shown only in this response.',
    example: 'lsk_live_…',
  })
  token!: string

  static withValue(token: Token, value: string): NewTokenDto {
    return Object.assign(new NewTokenDto(), TokenDto.fromToken(token), { token: value })
  }
}
