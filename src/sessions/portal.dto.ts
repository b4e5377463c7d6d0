import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import { portalActions } from '../auth/portal-access.js'
import type { PortalAction } from '../auth/portal-access.js'
import { encodeId } from '../platform/database/ids.js'
import { IsDuration, IsText, Optional, Rule, unknownWords } from '../platform/http/input/fields.js'
import { enumSchema } from '../platform/http/openapi/api-docs.js'
import type { BodyExamples } from '../platform/http/openapi/api-docs.js'
import type { PortalSession } from './session.entity.js'

const lifetimeLimits = { min: '60s', max: '24h' }
export const defaultPortalLife = '1h'

const actionEnum = enumSchema('PortalAction', 'What the visitor of a webhook portal may do.', portalActions)

function IsActionList(): PropertyDecorator {
  return Rule(
    'invalid_actions',
    (value) =>
      `${unknownWords(value, portalActions)}Must be a list of at most ${portalActions.length} of ${portalActions.join(', ')}.`,
    (value) =>
      Array.isArray(value) &&
      value.length <= portalActions.length &&
      value.every((action) => (portalActions as readonly unknown[]).includes(action)),
    { maxItems: portalActions.length },
  )
}

@ApiSchema({
  name: 'CreatePortalLink',
  description: 'Options for a portal link. The request body is optional.',
})
export class CreatePortalLink {
  static readonly examples: BodyExamples<CreatePortalLink> = {
    minimal: {},
    full: { expires_in: '1h', allow: ['test', 'replay', 'rotate'] },
  }

  @ApiPropertyOptional({
    description: `How long the link and its session are valid, from \`60s\` to \`24h\`. Default: \`${defaultPortalLife}\`.`,
    example: '1h',
  })
  @Optional()
  @IsDuration(lifetimeLimits.min, lifetimeLimits.max)
  expires_in?: string

  @ApiPropertyOptional({
    description:
      'What the visitor may do besides reading: `test` sends test events, `replay` redelivers and replays, `rotate` rotates the secret. Default: none.',
    ...actionEnum,
    isArray: true,
    example: ['test', 'replay'],
  })
  @Optional()
  @IsActionList()
  allow?: PortalAction[]
}

@ApiSchema({ name: 'PortalLink', description: 'A link to the portal of one webhook.' })
export class PortalLinkDto {
  @ApiProperty({
    description: 'URL to give to the visitor. It works once, in one browser, and is shown only here.',
    example: 'http://localhost:3000/dashboard/portal/webhooks/wh_01kaj3w4q2e6r8t0y1v3b5n7mz#code=…',
  })
  url!: string

  @ApiProperty({
    format: 'date-time',
    description: 'Time the link and its session end.',
    example: '2026-01-31T13:00:00.000Z',
  })
  expires_at!: string
}

@ApiSchema({ name: 'PortalSignIn', description: 'The code of a portal link.' })
export class PortalSignIn {
  @ApiProperty({ description: 'The part after `#code=` in the URL of the portal link.' })
  @IsText(1, 400)
  code!: string
}

/** What the pages of the portal show of their session. */
export class PortalSessionDto {
  webhook_id!: string
  allow!: PortalAction[]
  expires_at!: string

  static from({ webhookId, actions, endsAt }: PortalSession): PortalSessionDto {
    return { webhook_id: encodeId('wh', webhookId), allow: actions, expires_at: endsAt.toISOString() }
  }
}
