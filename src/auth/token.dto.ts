import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import { encodeId } from '../platform/database/ids.js'
import { enumOf } from '../platform/http/openapi/api-docs.js'
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
import { isWorkspaceScope, scopes, workspaceScopes } from './scopes.js'
import type { Scope, WorkspaceScope } from './scopes.js'
import { type TokenStatus, statusOf } from './caller.js'
import type { Token } from './token.entity.js'
import type { CountedToken } from './tokens.repository.js'

export const longestName = 100
/** The shortest and the longest life of a token, in seconds. */
export const lifeLimits = { least: '60s', most: '365d' }
const scopeEnum = enumOf('Scope', 'What a token may do. A `:write` does not include the `:read`.', scopes)
const workspaceScopeEnum = enumOf(
  'WorkspaceScope',
  'What a token may give to one that it makes. `instance:read` is given on the command line only.',
  workspaceScopes,
)

function IsScopeList(): PropertyDecorator {
  return Rule(
    'invalid_scopes',
    (value) =>
      `${unknownWords(value, scopes)}${isForOperators(value) ? 'instance:read is given on the command line only. ' : ''}Write a list of at least one of these scopes: ${workspaceScopes.join(', ')}. Leave it out for all of them that the calling token has.`,
    (value) => Array.isArray(value) && value.length > 0 && value.every(isWorkspaceScope),
    { minItems: 1 },
  )
}

function isForOperators(value: unknown): boolean {
  return Array.isArray(value) && value.includes('instance:read' satisfies Scope)
}

@ApiSchema({ name: 'CreateToken', description: 'A token to make: only `name` is needed.' })
export class CreateToken {
  static readonly examples: BodyExamples<CreateToken> = {
    least: { name: 'ci' },
    everything: { name: 'ci', scopes: ['links:read', 'links:write'], expires_in: '30d' },
  }

  @ApiProperty({ description: 'A label for people.', example: 'ci' })
  @IsText(1, longestName)
  name!: string

  @ApiPropertyOptional({
    description:
      'What the token may do. Absent: all that the calling token may, but for `instance:read`, which is given on the command line only. Repetitions fold.',
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
      'How long it works, from 60s to 365d: a whole number and s, m (minutes), h, d or w. Absent or null: it does not expire.',
    example: '30d',
  })
  @Nullable()
  @IsDuration(lifeLimits.least, lifeLimits.most)
  expires_in?: string | null
}

@ApiSchema({ name: 'RotateToken', description: 'How the old token ends. The body may be left out.' })
export class RotateToken {
  static readonly examples: BodyExamples<RotateToken> = { least: {}, everything: { overlap: '24h' } }

  @ApiPropertyOptional({
    description: 'How long the old token goes on working, from 1s to 30d. Absent: 24h.',
    example: '24h',
  })
  @Optional()
  @IsDuration('1s', '30d')
  overlap?: string
}

@ApiSchema({ name: 'RevokeToken', description: 'A token by its value.' })
export class RevokeByValue {
  static readonly examples: BodyExamples<RevokeByValue> = {
    least: { token: 'lsk_live_…' },
    everything: { token: 'lsk_live_…' },
  }

  @ApiProperty({ description: 'The whole value of the token to revoke.', example: 'lsk_live_…' })
  @IsText(1, 400)
  token!: string
}

export class RevokeQuery {
  @ApiPropertyOptional({
    description: 'Whether tokens that it minted, and theirs, are revoked too. Absent: false.',
  })
  @Optional()
  @IsFlagText()
  descendants?: string
}

const exampleId = 'tok_01kaj3v9z4f8hva3x7m2c5d6ne'

@ApiSchema({ name: 'Token', description: 'A token without its value: what it may do, and until when.' })
export class TokenDto {
  static readonly versionedBy: readonly string[] = ['id', 'status', 'expires_at']

  @ApiProperty({ description: 'Its id.', example: exampleId })
  id!: string

  @ApiProperty({ description: 'A label for people.', example: 'ci' })
  name!: string

  @ApiProperty({
    ...scopeEnum,
    isArray: true,
    description: 'What it may do.',
    example: ['links:read', 'links:write'],
  })
  scopes!: Scope[]

  @ApiProperty({ description: 'How the value begins.', example: 'lsk_live_' })
  prefix!: string

  @ApiProperty({ description: 'How the value ends.', example: 'x7Qa' })
  last4!: string

  @ApiProperty({
    ...enumOf('TokenStatus', 'Whether a token works, and why not.', ['active', 'expired', 'revoked']),
    description: 'Lists hold active tokens only.',
    example: 'active',
  })
  status!: TokenStatus

  @ApiProperty({ format: 'date-time', description: 'When it was made.', example: '2026-01-31T12:00:00.000Z' })
  created_at!: string

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it ends; null for never.',
    example: '2026-03-02T12:00:00.000Z',
  })
  expires_at!: string | null

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'The last accepted use; other replicas may lag some seconds behind.',
    example: null,
  })
  last_used_at!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The token that minted it; null when it came from the command line.',
    example: 'tok_01kaj3t2m8e9cs4p6r1w0q5yzd',
  })
  created_by!: string | null

  @ApiProperty({ type: String, nullable: true, description: 'The token that it replaces.', example: null })
  rotated_from!: string | null

  static from(token: Token, lastUsedAt: Date | null = token.lastUsedAt): TokenDto {
    return Object.assign(new TokenDto(), {
      id: encodeId('tok', token.id),
      name: token.name,
      scopes: token.scopes,
      prefix: token.prefix,
      last4: token.last4,
      status: statusOf(token),
      created_at: token.createdAt.toISOString(),
      expires_at: token.expiresAt?.toISOString() ?? null,
      last_used_at: lastUsedAt?.toISOString() ?? null,
      created_by: token.createdBy && encodeId('tok', token.createdBy),
      rotated_from: token.rotatedFrom && encodeId('tok', token.rotatedFrom),
    })
  }
}

/** A token with fields that cost a query. The calling token is shown from memory, without them. */
@ApiSchema({
  name: 'TokenWithUse',
  description: 'A token as it is listed and read: with what it was used for and what it made.',
})
export class TokenWithUseDto extends TokenDto {
  @ApiProperty({
    ...scopeEnum,
    isArray: true,
    description:
      'Those of its scopes that no accepted call has needed since `scopes_watched_since`: what it could do without. Other replicas may lag some seconds behind.',
    example: ['links:read'],
  })
  unused_scopes!: Scope[]

  @ApiProperty({
    format: 'date-time',
    description: 'When the token was made, or when an older service learned to watch.',
    example: '2026-01-31T12:00:00.000Z',
  })
  scopes_watched_since!: string

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'How many active tokens it has made, without those that these have made.',
    example: 2,
  })
  minted!: number

  static of(token: CountedToken, lastUsedAt: Date | null, unusedScopes: Scope[]): TokenWithUseDto {
    return Object.assign(new TokenWithUseDto(), TokenDto.from(token, lastUsedAt), {
      unused_scopes: unusedScopes,
      scopes_watched_since: token.scopesWatchedSince.toISOString(),
      minted: token.minted,
    })
  }
}

@ApiSchema({
  name: 'CreatedToken',
  description: 'A new token with its value, which is shown in this answer only.',
})
export class NewTokenDto extends TokenDto {
  @ApiProperty({ description: 'The value, shown only in this answer.', example: 'lsk_live_…' })
  token!: string

  static of(token: Token, value: string): NewTokenDto {
    return Object.assign(new NewTokenDto(), TokenDto.from(token), { token: value })
  }
}
