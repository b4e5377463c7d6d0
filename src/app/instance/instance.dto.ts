import { ApiProperty, ApiSchema } from '@nestjs/swagger'

import { settingSources } from '../../platform/config/effective-settings.js'
import type { EffectiveSetting } from '../../platform/config/effective-settings.js'
import { enumOf } from '../../platform/http/openapi/api-docs.js'
import { version } from '../../platform/util/version.js'
import type { Check } from '../../tools/doctor/check.js'

@ApiSchema({ name: 'Setting', description: 'A setting that the answering process runs with.' })
export class SettingDto {
  @ApiProperty({ description: 'The name of its environment variable.', example: 'RATE_LIMIT' })
  name!: string

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Its value as it would be written; null where nothing is set, and for every secret.',
    example: '600/1m',
  })
  value!: string | null

  @ApiProperty({ description: 'Whether there is a value, also where it is not shown.', example: true })
  is_set!: boolean

  @ApiProperty({ description: 'Whether it is a secret, whose value is never shown.', example: false })
  secret!: boolean

  @ApiProperty({
    ...enumOf(
      'SettingSource',
      'Where a setting comes from: the environment, the `.env` file, the word behind the command, a file that the first start made in the data folder, or nowhere.',
      settingSources,
    ),
    description: 'Where it comes from.',
    example: 'environment',
  })
  source!: (typeof settingSources)[number]

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'What holds where nothing is set; null for nothing, or where it follows from other settings.',
    example: '600/1m',
  })
  default_value!: string | null

  @ApiProperty({
    description: 'What it is.',
    example: 'How many API calls one token may make in which time, over all replicas; `off` for no limit.',
  })
  description!: string

  static from({ name, value, isSet, isSecret, source, fallback, sentence }: EffectiveSetting): SettingDto {
    return {
      name,
      value,
      is_set: isSet,
      secret: isSecret,
      source,
      default_value: fallback,
      description: sentence,
    }
  }
}

@ApiSchema({ name: 'InstanceFinding', description: 'One thing that `doctor` looked at, and what it found.' })
export class FindingDto {
  @ApiProperty({ description: 'What was looked at.', example: 'disk_space' })
  name!: string

  @ApiProperty({
    ...enumOf('FindingStatus', 'How it stands: well, worth a look, or broken.', ['ok', 'warn', 'fail']),
    description: 'How it stands.',
    example: 'ok',
  })
  status!: Check['status']

  @ApiProperty({ description: 'What was found, and what to do about it.', example: '120.4 GiB are free.' })
  message!: string
}

@ApiSchema({ name: 'Instance', description: 'The service itself: what it runs with, and how it stands.' })
export class InstanceDto {
  @ApiProperty({ description: 'The version of the service.', example: '0.1.0' })
  version!: string

  @ApiProperty({
    format: 'date-time',
    description: 'When `doctor` looked.',
    example: '2026-01-31T12:00:00.000Z',
  })
  examined_at!: string

  @ApiProperty({
    type: SettingDto,
    isArray: true,
    description: 'Every setting, in the order of the reference.',
  })
  settings!: SettingDto[]

  @ApiProperty({
    type: FindingDto,
    isArray: true,
    description: 'What `doctor` found, in the order of its looks.',
  })
  findings!: FindingDto[]

  static of(settings: EffectiveSetting[], findings: Check[], examinedAt: Date): InstanceDto {
    return Object.assign(new InstanceDto(), {
      version,
      examined_at: examinedAt.toISOString(),
      settings: settings.map((each) => SettingDto.from(each)),
      findings: findings.map(({ name, status, message }) => ({ name, status, message })),
    })
  }
}
