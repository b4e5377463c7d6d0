import { ApiProperty, ApiSchema } from '@nestjs/swagger'

import { settingSources } from '../../platform/config/effective-settings.js'
import type { EffectiveSetting } from '../../platform/config/effective-settings.js'
import { settingGroups } from '../../platform/config/setting-groups.js'
import type { SettingGroup } from '../../platform/config/setting-groups.js'
import { enumSchema, openEnumSchema } from '../../platform/http/openapi/api-docs.js'
import { version } from '../../platform/util/program.js'
import type { LiveProcess } from '../processes/processes.repository.js'
import type { Check } from '../../tools/doctor/check.js'
import { ProcessDto } from './process.dto.js'

@ApiSchema({ name: 'Setting', description: 'An effective setting of the responding process.' })
export class SettingDto {
  @ApiProperty({ description: 'Name of the environment variable.', example: 'RATE_LIMIT' })
  name!: string

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Value, in the format of the environment variable. Null if it is not set, and for secrets.',
    example: '600/1m',
  })
  value!: string | null

  @ApiProperty({
    description: 'Whether the setting has a value, even if the value is not shown.',
    example: true,
  })
  is_set!: boolean

  @ApiProperty({ description: 'Whether the setting is a secret. Its value is never shown.', example: false })
  secret!: boolean

  @ApiProperty({
    ...enumSchema(
      'SettingSource',
      'Source of a setting: the environment, the `.env` file, a file that the setting with the suffix `_FILE` names, a command-line argument, a file in the data folder created at the first start, or the default.',
      settingSources,
    ),
    description: 'Source of the setting.',
    example: 'environment',
  })
  source!: (typeof settingSources)[number]

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Default value. Null if there is none, or if it depends on other settings.',
    example: '600/1m',
  })
  default_value!: string | null

  @ApiProperty({
    description: 'Description of the setting.',
    example:
      'Maximum number of API requests of a token in a time window, across all processes. `off` disables the limit.',
  })
  description!: string

  @ApiProperty({
    ...openEnumSchema('SettingGroup', 'Group of a setting.', settingGroups),
    description: 'Group of the setting.',
    example: 'limits',
  })
  group!: SettingGroup

  static from(setting: EffectiveSetting): SettingDto {
    const { name, value, isSet, isSecret, source, fallback, sentence, group } = setting
    return {
      name,
      value,
      is_set: isSet,
      secret: isSecret,
      source,
      default_value: fallback,
      description: sentence,
      group,
    }
  }
}

@ApiSchema({ name: 'InstanceFinding', description: 'Result of a `doctor` check.' })
export class FindingDto {
  @ApiProperty({ description: 'Name of the check.', example: 'disk_space' })
  name!: string

  @ApiProperty({
    ...enumSchema('FindingStatus', 'Result of a check: passed, warning or failed.', ['ok', 'warn', 'fail']),
    description: 'Result of the check.',
    example: 'ok',
  })
  status!: Check['status']

  @ApiProperty({ description: 'What the check found, and how to fix it.', example: '120.4 GiB are free.' })
  message!: string
}

@ApiSchema({ name: 'Instance', description: 'Settings and health of the service.' })
export class InstanceDto {
  @ApiProperty({ description: 'Version of the service.', example: '0.1.0' })
  version!: string

  @ApiProperty({
    format: 'date-time',
    description: 'Time of the `doctor` checks.',
    example: '2026-01-31T12:00:00.000Z',
  })
  checked_at!: string

  @ApiProperty({
    type: ProcessDto,
    isArray: true,
    description: 'The running processes of all roles, oldest first.',
  })
  processes!: ProcessDto[]

  @ApiProperty({
    type: SettingDto,
    isArray: true,
    description: 'All settings, in the order of the settings reference.',
  })
  settings!: SettingDto[]

  @ApiProperty({
    type: FindingDto,
    isArray: true,
    description: 'Results of the `doctor` checks, in the order they ran.',
  })
  findings!: FindingDto[]

  static from(
    settings: EffectiveSetting[],
    processes: LiveProcess[],
    findings: Check[],
    examinedAt: Date,
  ): InstanceDto {
    return Object.assign(new InstanceDto(), {
      version,
      checked_at: examinedAt.toISOString(),
      processes: processes.map((each) => ProcessDto.from(each)),
      settings: settings.map((each) => SettingDto.from(each)),
      findings: findings.map(({ name, status, message }) => ({ name, status, message })),
    })
  }
}
