import { ApiProperty, ApiSchema } from '@nestjs/swagger'

import { auditActions } from '../../audit/audit-entry.entity.js'
import { AuditActorDto } from '../../audit/audit.dto.js'
import type { AuditEntryDto } from '../../audit/audit.dto.js'
import { count, openEnumSchema } from '../../platform/http/openapi/api-docs.js'

const linkActions = auditActions.filter((action) => action.startsWith('link.'))

@ApiSchema({ name: 'Tag', description: 'A tag, and the number of links with it.' })
export class TagDto {
  @ApiProperty({ description: 'Name of the tag.', example: 'sale' })
  tag!: string

  @ApiProperty({ ...count, minimum: 1, description: 'Number of links with this tag.', example: 12 })
  links!: number
}

@ApiSchema({ name: 'LinkChange', description: 'A change to a link.' })
export class LinkChangeDto {
  @ApiProperty({ description: 'ID of the audit log entry.', example: 'aud_01kaj3v9z5e0b9t1n8w2k4r6qs' })
  id!: string

  @ApiProperty({
    ...openEnumSchema('LinkAction', 'Action on a link.', linkActions),
    description: 'Action that was performed.',
    example: 'link.updated',
  })
  action!: string

  @ApiProperty({ type: AuditActorDto, description: 'Who performed the action.' })
  actor!: AuditActorDto

  @ApiProperty({
    type: String,
    isArray: true,
    description: 'Names of the changed fields. Empty if the link was created or deleted.',
    example: ['url', 'tags'],
  })
  fields!: readonly string[]

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'ID of the request.',
    example: 'k3Jv0Qf2aLx91',
  })
  request_id!: string | null

  @ApiProperty({
    format: 'date-time',
    description: 'Time of the change.',
    example: '2026-01-31T12:00:00.000Z',
  })
  occurred_at!: string

  /** Leaves out the IP address of the caller, which requires `audit:read`. */
  static from(
    { id, action, actor, details, request_id, occurred_at }: AuditEntryDto,
    showsNames: boolean,
  ): LinkChangeDto {
    const { fields } = details
    return Object.assign(new LinkChangeDto(), {
      id,
      action,
      actor: showsNames ? actor : { type: actor.type, id: actor.id, name: null },
      fields: Array.isArray(fields) ? fields : [],
      request_id,
      occurred_at,
    })
  }
}
