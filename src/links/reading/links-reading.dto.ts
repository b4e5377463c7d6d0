import { ApiProperty, ApiSchema } from '@nestjs/swagger'

import { auditActions } from '../../audit/audit-entry.entity.js'
import { AuditActorDto } from '../../audit/audit.dto.js'
import type { AuditEntryDto } from '../../audit/audit.dto.js'
import { enumOf } from '../../platform/http/openapi/api-docs.js'

const linkActions = auditActions.filter((action) => action.startsWith('link.'))

@ApiSchema({ name: 'Tag', description: 'A tag, and how many links have it.' })
export class TagDto {
  @ApiProperty({ description: 'The word.', example: 'sale' })
  tag!: string

  @ApiProperty({ type: 'integer', minimum: 1, description: 'How many links have it.', example: 12 })
  links!: number
}

@ApiSchema({ name: 'LinkChange', description: 'Who changed a link, and which fields of it.' })
export class LinkChangeDto {
  @ApiProperty({ description: 'Of the entry of the audit log.', example: 'aud_01kaj3v9z5e0b9t1n8w2k4r6qs' })
  id!: string

  @ApiProperty({
    ...enumOf('LinkAction', 'What can be done to a link.', linkActions),
    description: 'What was done.',
    example: 'link.updated',
  })
  action!: string

  @ApiProperty({ type: AuditActorDto, description: 'Who did it.' })
  actor!: AuditActorDto

  @ApiProperty({
    type: String,
    isArray: true,
    description: 'The fields that were changed; none where the link was created or deleted.',
    example: ['url', 'tags'],
  })
  fields!: readonly string[]

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The id of the request.',
    example: 'k3Jv0Qf2aLx91',
  })
  request_id!: string | null

  @ApiProperty({ format: 'date-time', description: 'When it was done.', example: '2026-01-31T12:00:00.000Z' })
  occurred_at!: string

  /** Leaves out the caller's address, which only readers of the audit log may see. */
  static from({ id, action, actor, details, request_id, occurred_at }: AuditEntryDto): LinkChangeDto {
    const { fields } = details
    return Object.assign(new LinkChangeDto(), {
      id,
      action,
      actor,
      fields: Array.isArray(fields) ? fields : [],
      request_id,
      occurred_at,
    })
  }
}
