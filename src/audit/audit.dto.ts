import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import { encodeId } from '../platform/database/ids.js'
import { enumOf } from '../platform/http/openapi/api-docs.js'
import { IsOneOf, IsText, Optional } from '../platform/http/input/fields.js'
import { CreatedQuery } from '../platform/http/input/page.js'
import { auditActions, auditedTypes, ownActions } from './audit-entry.entity.js'
import type { AuditAction, AuditDetails, AuditedType, AuditEntry } from './audit-entry.entity.js'

const actionEnum = enumOf('AuditAction', 'What was done.', auditActions)

export class ListAuditQuery extends CreatedQuery {
  @ApiPropertyOptional({ ...actionEnum, description: 'Only this kind of action.' })
  @Optional()
  @IsOneOf('invalid_action', auditActions)
  action?: AuditAction

  @ApiPropertyOptional({ description: 'Only what this token did.' })
  @Optional()
  @IsText(1, 100)
  token_id?: string

  @ApiPropertyOptional({ description: 'Only what was done to this object.' })
  @Optional()
  @IsText(1, 100)
  object_id?: string
}

@ApiSchema({ name: 'AuditActor', description: 'Who did it.' })
export class AuditActorDto {
  @ApiProperty({
    ...enumOf('AuditActorType', 'Who can act: `service` is the service itself.', [
      'token',
      'command_line',
      'service',
    ]),
    description: 'What kind of actor it was.',
    example: 'token',
  })
  type!: 'token' | 'command_line' | 'service'

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The token that acted; null for the others.',
    example: 'tok_01kaj3t2m8e9cs4p6r1w0q5yzd',
  })
  id!: string | null
}

@ApiSchema({ name: 'AuditObject', description: 'What it was done to.' })
export class AuditObjectDto {
  @ApiProperty({
    ...enumOf('AuditObjectType', 'What the audit log speaks of.', Object.keys(auditedTypes)),
    description: 'What kind of object it was.',
    example: 'token',
  })
  type!: AuditedType

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Its id; null where there was none yet.',
    example: 'tok_01kaj3v9z4f8hva3x7m2c5d6ne',
  })
  id!: string | null
}

@ApiSchema({ name: 'AuditEntry', description: 'Who did what to which object, when and from where.' })
export class AuditEntryDto {
  @ApiProperty({ description: 'Its id.', example: 'aud_01kaj3v9z5e0b9t1n8w2k4r6qs' })
  id!: string

  @ApiProperty({ ...actionEnum, description: 'What was done.', example: 'token.created' })
  action!: AuditAction

  @ApiProperty({ type: AuditActorDto, description: 'Who did it.' })
  actor!: AuditActorDto

  @ApiProperty({ type: AuditObjectDto, description: 'What it was done to.' })
  object!: AuditObjectDto

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Where the request came from.',
    example: '203.0.113.7',
  })
  address!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The id of the request; null where there was none.',
    example: 'k3Jv0Qf2aLx91',
  })
  request_id!: string | null

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'What else there is to say, by the action. Never a secret.',
    example: { name: 'ci', scopes: ['links:read'] },
  })
  details!: AuditDetails

  @ApiProperty({ format: 'date-time', description: 'When it was done.', example: '2026-01-31T12:00:00.000Z' })
  occurred_at!: string

  static from(entry: AuditEntry): AuditEntryDto {
    return Object.assign(new AuditEntryDto(), {
      id: encodeId('aud', entry.id),
      action: entry.action,
      actor: {
        type: actorOf(entry),
        id: entry.actorTokenId && encodeId('tok', entry.actorTokenId),
      },
      object: {
        type: entry.objectType,
        id: entry.objectId && encodeId(auditedTypes[entry.objectType], entry.objectId),
      },
      address: entry.address,
      request_id: entry.requestId,
      details: entry.details,
      occurred_at: entry.occurredAt.toISOString(),
    })
  }
}

function actorOf({ actorTokenId, action }: AuditEntry): AuditActorDto['type'] {
  if (actorTokenId) return 'token'
  return ownActions.has(action) ? 'service' : 'command_line'
}
