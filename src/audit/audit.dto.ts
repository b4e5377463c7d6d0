import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger'
import { IsIn } from 'class-validator'

import { encodeId } from '../platform/database/ids.js'
import { IsText, Optional } from '../platform/http/fields.js'
import { CreatedQuery } from '../platform/http/page.js'
import { auditActions, auditedTypes, ownActions } from './audit-entry.entity.js'
import type { AuditAction, AuditDetails, AuditedType, AuditEntry } from './audit-entry.entity.js'

export class ListAuditQuery extends CreatedQuery {
  @ApiPropertyOptional({
    enum: auditActions,
    description: 'Only this kind of action.',
    example: 'token.revoked',
  })
  @Optional()
  @IsIn(auditActions, { message: `Write one of ${auditActions.join(', ')}.` })
  action?: AuditAction

  @ApiPropertyOptional({
    description: 'Only what this token did.',
    example: 'tok_01kaj3t2m8e9cs4p6r1w0q5yzd',
  })
  @Optional()
  @IsText(1, 100)
  token_id?: string

  @ApiPropertyOptional({
    description: 'Only what was done to this object.',
    example: 'tok_01kaj3v9z4f8hva3x7m2c5d6ne',
  })
  @Optional()
  @IsText(1, 100)
  object_id?: string
}

export class AuditActorDto {
  @ApiProperty({ enum: ['token', 'command_line', 'service'], example: 'token' })
  type!: 'token' | 'command_line' | 'service'

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The token that acted.',
    example: 'tok_01kaj3t2m8e9cs4p6r1w0q5yzd',
  })
  id!: string | null
}

export class AuditObjectDto {
  @ApiProperty({ enum: Object.keys(auditedTypes), example: 'token' })
  type!: AuditedType

  @ApiProperty({ type: String, nullable: true, example: 'tok_01kaj3v9z4f8hva3x7m2c5d6ne' })
  id!: string | null
}

export class AuditEntryDto {
  @ApiProperty({ example: 'aud_01kaj3v9z5e0b9t1n8w2k4r6qs' })
  id!: string

  @ApiProperty({ enum: auditActions, example: 'token.created' })
  action!: AuditAction

  @ApiProperty({ type: AuditActorDto })
  actor!: AuditActorDto

  @ApiProperty({ type: AuditObjectDto })
  object!: AuditObjectDto

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Where the request came from.',
    example: '203.0.113.7',
  })
  address!: string | null

  @ApiProperty({ type: String, nullable: true, example: 'k3Jv0Qf2aLx91' })
  request_id!: string | null

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: { name: 'ci', scopes: ['links:read'] },
  })
  details!: AuditDetails

  @ApiProperty({ format: 'date-time', example: '2026-01-31T12:00:00.000Z' })
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
