import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import { defaultNoticeTypes, isMailAddress, noticeTypes } from '../platform/config/notice-setting.js'
import type { NoticeAddress, NoticeType } from '../platform/config/notice-setting.js'
import { encodeId, getIdTime } from '../platform/database/ids.js'
import { IsOneOf, IsText, Optional, Rule, unknownWords } from '../platform/http/input/fields.js'
import { openEnumSchema } from '../platform/http/openapi/api-docs.js'
import type { BodyExamples } from '../platform/http/openapi/api-docs.js'
import type { InputError } from '../platform/http/problems/problem.js'
import type { RunningSettings } from '../settings.js'
import { findWebhookUrlFault } from '../webhooks/webhook-url.js'
import type { NoticeTarget } from './notice.entity.js'

const targetTypes = ['slack', 'discord', 'email'] as const
const maxAddressLength = 2048

const typeEnum = openEnumSchema('NoticeTargetType', 'Type of a notice target.', targetTypes)
const eventEnum = openEnumSchema('NoticeEvent', 'Event that a notice can report.', noticeTypes)
const exampleAddress = 'https://chat.example/services/T000/B000/xxxx'

function IsNoticeEventList(): PropertyDecorator {
  const known: readonly unknown[] = noticeTypes
  return Rule(
    'invalid_events',
    (value) =>
      `${unknownWords(value, noticeTypes)}Must be a list of at least one of these event types: ${noticeTypes.join(', ')}.`,
    (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.length <= noticeTypes.length &&
      value.every((name) => known.includes(name)),
    { minItems: 1, maxItems: noticeTypes.length },
  )
}

@ApiSchema({ name: 'CreateNoticeTarget', description: 'A notice target to create.' })
export class CreateNoticeTarget {
  static readonly examples: BodyExamples<CreateNoticeTarget> = {
    minimal: { type: 'slack', address: exampleAddress },
    full: { type: 'slack', address: exampleAddress, events: ['webhook.failing', 'webhook.disabled'] },
  }

  static inputErrors(
    { type, address }: { type?: unknown; address?: unknown },
    settings: RunningSettings,
  ): InputError[] {
    if (typeof address !== 'string') return []
    if (type !== 'email') {
      const fault = findWebhookUrlFault(address, settings)
      return fault ? [{ pointer: '/address', ...fault }] : []
    }
    if (!settings.notices?.mail)
      return [
        {
          pointer: '/type',
          code: 'no_mail_server',
          detail:
            'The service cannot send email. Ask the operator to set a mail server in NOTICES, or use slack or discord.',
        },
      ]
    if (isMailAddress(address)) return []
    return [
      {
        pointer: '/address',
        code: 'invalid_mail_address',
        detail: 'Must be one email address, such as ops@example.com.',
      },
    ]
  }

  @ApiProperty({
    ...typeEnum,
    description: 'Type of the target. `email` requires a mail server, which the operator sets in `NOTICES`.',
    example: 'slack',
  })
  @IsOneOf('invalid_target', targetTypes)
  type!: NoticeAddress['type']

  @ApiProperty({
    description:
      'URL of a Slack or Discord webhook, or an email address. Stored encrypted, and returned only masked.',
    example: exampleAddress,
  })
  @IsText(3, maxAddressLength)
  address!: string

  @ApiPropertyOptional({
    ...eventEnum,
    isArray: true,
    description: `Events to send. Duplicates are merged. Default: ${defaultNoticeTypes.map((type) => `\`${type}\``).join(', ')}.`,
    example: ['webhook.failing', 'webhook.disabled'],
  })
  @Optional()
  @IsNoticeEventList()
  events?: NoticeType[]
}

@ApiSchema({ name: 'UpdateNoticeTarget', description: 'Changes to a notice target.' })
export class UpdateNoticeTarget {
  static readonly examples: BodyExamples<UpdateNoticeTarget> = {
    minimal: { events: ['webhook.disabled'] },
    full: { events: ['webhook.failing', 'webhook.disabled'] },
  }

  @ApiPropertyOptional({
    ...eventEnum,
    isArray: true,
    description: 'Events to send, instead of the current ones. Duplicates are merged.',
    example: ['webhook.failing', 'webhook.disabled'],
  })
  @Optional()
  @IsNoticeEventList()
  events?: NoticeType[]
}

/** The state of a target across its groups. */
export interface TargetState {
  lastSentAt: Date | null
  failingSince: Date | null
  lastError: string | null
}

@ApiSchema({
  name: 'NoticeTarget',
  description: 'A channel or email address that receives the notices of a workspace.',
})
export class NoticeTargetDto {
  static readonly versionedBy: readonly string[] = ['id', 'events']

  @ApiProperty({ description: 'ID of the target.', example: 'ntt_01kaj3v9z4f8hva3x7m2c5d6ne' })
  id!: string

  @ApiProperty({ ...typeEnum, description: 'Type of the target.', example: 'slack' })
  type!: NoticeAddress['type']

  @ApiProperty({ description: 'Masked address.', example: 'chat.example/…xxxx' })
  address!: string

  @ApiProperty({
    ...eventEnum,
    isArray: true,
    description: 'Events that are sent.',
    example: ['webhook.failing', 'webhook.disabled'],
  })
  events!: NoticeType[]

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time of the last accepted message. Null if there is none.',
    example: '2026-01-31T12:00:00.000Z',
  })
  last_sent_at!: string | null

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'Time of the first failed attempt to send the messages that are still unsent. Null if the target is not failing.',
    example: null,
  })
  failing_since!: string | null

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why messages are not accepted. Null if the target is not failing.',
    example: null,
  })
  last_error!: string | null

  @ApiProperty({
    format: 'date-time',
    description: 'Time the target was created.',
    example: '2026-01-31T12:00:00.000Z',
  })
  created_at!: string

  static from(target: NoticeTarget, state: TargetState | undefined): NoticeTargetDto {
    return Object.assign(new NoticeTargetDto(), {
      id: encodeId('ntt', target.id),
      type: target.type,
      address: target.addressHint,
      events: target.events,
      last_sent_at: state?.lastSentAt?.toISOString() ?? null,
      failing_since: state?.failingSince?.toISOString() ?? null,
      last_error: state?.lastError ?? null,
      created_at: getIdTime(target.id).toISOString(),
    })
  }
}

@ApiSchema({ name: 'NoticeTestResult', description: 'Result of a test for one target.' })
export class NoticeTestResultDto {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'ID of the target. Null for a target that the operator has set in `NOTICES`.',
    example: 'ntt_01kaj3v9z4f8hva3x7m2c5d6ne',
  })
  id!: string | null

  @ApiProperty({ ...typeEnum, description: 'Type of the target.', example: 'slack' })
  type!: NoticeAddress['type']

  @ApiProperty({ description: 'Masked address.', example: 'chat.example/…xxxx' })
  address!: string

  @ApiProperty({ description: 'Whether the target accepted the message.', example: true })
  delivered!: boolean

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why the message was not accepted. Null if it was accepted.',
    example: null,
  })
  error!: string | null
}

@ApiSchema({ name: 'NoticeTest', description: 'Results of a test.' })
export class NoticeTestDto {
  @ApiProperty({ type: NoticeTestResultDto, isArray: true, description: 'One result for each target.' })
  results!: NoticeTestResultDto[]
}
