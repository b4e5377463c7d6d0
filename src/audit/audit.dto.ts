import { ApiProperty, ApiPropertyOptional, ApiSchema, OmitType } from '@nestjs/swagger'

import { encodeId } from '../platform/database/ids.js'
import { openEnumSchema } from '../platform/http/openapi/api-docs.js'
import { IsOneOf, IsText, Optional } from '../platform/http/input/fields.js'
import { CreatedQuery } from '../platform/http/input/page.js'
import { auditActions, auditedTypes, automaticActions } from './audit-entry.entity.js'
import type { AuditAction, AuditDetails, AuditedType, AuditEntry } from './audit-entry.entity.js'
import type { AuditNames } from './audit-names.js'

const actionEnum = openEnumSchema('AuditAction', 'Action recorded in the audit log.', auditActions)

export class ListAuditQuery extends CreatedQuery {
  @ApiPropertyOptional({ ...actionEnum, description: 'Returns only entries with this action.' })
  @Optional()
  @IsOneOf('invalid_action', auditActions)
  action?: AuditAction

  @ApiPropertyOptional({ description: 'Returns only actions of this token.' })
  @Optional()
  @IsText(1, 100)
  token_id?: string

  @ApiPropertyOptional({ description: 'Returns only actions on this object.' })
  @Optional()
  @IsText(1, 100)
  object_id?: string
}

/** The same filters as the list. */
export class ExportAuditQuery extends OmitType(ListAuditQuery, ['limit', 'cursor'] as const) {
  /** Repeated here, because `OmitType` does not inherit static members. */
  static readonly isQuery = true
}

@ApiSchema({ name: 'AuditActor', description: 'Actor that performed an action.' })
export class AuditActorDto {
  @ApiProperty({
    ...openEnumSchema('AuditActorType', 'Type of actor. `service` is the service itself.', [
      'token',
      'command_line',
      'service',
    ]),
    description: 'Type of actor.',
    example: 'token',
  })
  type!: 'token' | 'command_line' | 'service'

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'ID of the token. Null for other types of actors.',
    example: 'tok_01kaj3t2m8e9cs4p6r1w0q5yzd',
  })
  id!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Name of the token. Null for other types of actors, and in the history of a link without `audit:read` or `tokens:read`.',
    example: 'ci',
  })
  name!: string | null
}

@ApiSchema({ name: 'AuditObject', description: 'Object of an action.' })
export class AuditObjectDto {
  @ApiProperty({
    ...openEnumSchema('AuditObjectType', 'Type of object.', Object.keys(auditedTypes)),
    description: 'Type of object.',
    example: 'token',
  })
  type!: AuditedType

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'ID of the object. Null if it did not have one yet.',
    example: 'tok_01kaj3v9z4f8hva3x7m2c5d6ne',
  })
  id!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Current name of the object: the name of a token, the slug of a link, or the description of a webhook (without one, the host of its URL). Null for sessions.',
    example: 'newsletter',
  })
  name!: string | null
}

@ApiSchema({ name: 'AuditEntry', description: 'An entry of the audit log.' })
export class AuditEntryDto {
  @ApiProperty({ description: 'ID of the entry.', example: 'aud_01kaj3v9z5e0b9t1n8w2k4r6qs' })
  id!: string

  @ApiProperty({ ...actionEnum, description: 'Action that was performed.', example: 'token.created' })
  action!: AuditAction

  @ApiProperty({ type: AuditActorDto, description: 'Actor that performed the action.' })
  actor!: AuditActorDto

  @ApiProperty({ type: AuditObjectDto, description: 'Object of the action.' })
  object!: AuditObjectDto

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'IP address of the caller. Null if the action did not come from a request.',
    example: '203.0.113.7',
  })
  address!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'ID of the request. Null if the action did not come from a request.',
    example: 'k3Jv0Qf2aLx91',
  })
  request_id!: string | null

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Details that depend on the action. Never contains secrets.',
    example: { name: 'ci', scopes: ['links:read'] },
  })
  details!: AuditDetails

  @ApiProperty({
    format: 'date-time',
    description: 'Time of the action.',
    example: '2026-01-31T12:00:00.000Z',
  })
  occurred_at!: string

  static from(entry: AuditEntry, names: AuditNames): AuditEntryDto {
    return Object.assign(new AuditEntryDto(), {
      id: encodeId('aud', entry.id),
      action: entry.action,
      actor: {
        type: getActorType(entry),
        id: entry.actorTokenId && encodeId('tok', entry.actorTokenId),
        name: nameIn(names, entry.actorTokenId),
      },
      object: {
        type: entry.objectType,
        id: entry.objectId && encodeId(auditedTypes[entry.objectType], entry.objectId),
        name: nameIn(names, entry.objectId),
      },
      address: entry.address,
      request_id: entry.requestId,
      details: entry.details,
      occurred_at: entry.occurredAt.toISOString(),
    })
  }
}

function nameIn(names: AuditNames, id: string | null): string | null {
  return (id !== null && names.get(id)) || null
}

function getActorType({ actorTokenId, action }: AuditEntry): AuditActorDto['type'] {
  if (actorTokenId) return 'token'
  return automaticActions.has(action) ? 'service' : 'command_line'
}
