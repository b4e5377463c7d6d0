/**
 * The fields of a link that users set, each declared once: creating, changing, responses, events, imports and exports
 * take it from here.
 */
import { ApiProperty } from '@nestjs/swagger'

import {
  IsFlag,
  IsLongText,
  IsText,
  IsTimestampText,
  isPlainText,
  Nullable,
  plainTextPattern,
  Rule,
} from '../platform/http/input/fields.js'
import { longest, mostTags, statuses } from './link-fields.js'
import { faultOfTarget, longestTarget } from './addresses.js'

/** Which hosts are the service's own depends on the settings, so `LinkRules` checks that. */
const faultOf = (value: unknown) => faultOfTarget(value, () => false)

function IsTarget(): PropertyDecorator {
  return Rule(
    'invalid_url',
    (value) => faultOf(value) ?? '',
    (value) => faultOf(value) === null,
    { minLength: 1, maxLength: longestTarget, pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' },
  )
}

export function IsTagList(): PropertyDecorator {
  return Rule(
    'invalid_tags',
    `Must be a list of at most ${mostTags} tags of 1 to ${longest.tag} characters each.`,
    (value) =>
      Array.isArray(value) &&
      value.length <= mostTags &&
      value.every((tag) => isPlainText(tag, 1, longest.tag)),
    { maxItems: mostTags, minLength: 1, maxLength: longest.tag, pattern: plainTextPattern },
  )
}

function IsRedirectStatus(): PropertyDecorator {
  return Rule(
    'invalid_redirect_status',
    `Must be one of ${statuses.join(', ')}.`,
    (value) => statuses.some((status) => status === value),
    { type: 'integer', enum: statuses },
  )
}

/** The documentation of a field. Events, imports and exports take its type from here. */
export interface FieldDocumentation {
  type: StringConstructor | BooleanConstructor | 'integer'
  isArray?: true
  nullable?: true
  format?: string
  description: string
  example: unknown
}

interface DeclaredField {
  documentation: FieldDocumentation
  /** The value of a link that is created without the field. Undefined for a required field. */
  initially: unknown
}

const declared = new Map<string, DeclaredField>()

/** A field of links that users set. */
function LinkField(documentation: FieldDocumentation, initially?: unknown): PropertyDecorator {
  return (target, name) => {
    declared.set(String(name), { documentation, initially })
    ApiProperty({ ...documentation })(target, name)
  }
}

export class LinkFields {
  @LinkField({
    type: String,
    description: 'The destination: http or https, at most 8,192 characters when percent-encoded.',
    example: 'https://example.com/spring?utm_source=mail',
  })
  @IsTarget()
  url!: string

  @LinkField(
    {
      type: String,
      nullable: true,
      description: 'A label for people.',
      example: 'Spring sale',
    },
    null,
  )
  @Nullable()
  @IsText(1, longest.title)
  title!: string | null

  @LinkField(
    {
      type: String,
      nullable: true,
      description: 'A note for people in the workspace. Visitors never see it.',
      example: 'Printed on the spring flyers.',
    },
    null,
  )
  @Nullable()
  @IsLongText(1, longest.note)
  note!: string | null

  @LinkField(
    {
      type: String,
      isArray: true,
      description: `Words to find the link by, at most ${mostTags}. Repeated tags are stored once.`,
      example: ['sale', 'mail'],
    },
    [],
  )
  @Nullable()
  @IsTagList()
  tags!: string[]

  @LinkField(
    {
      type: String,
      nullable: true,
      description: 'Your own ID for the link, unique in the workspace.',
      example: 'campaign-17',
    },
    null,
  )
  @Nullable()
  @IsText(1, longest.externalId)
  external_id!: string | null

  @LinkField(
    {
      type: 'integer',
      description: 'HTTP status of the redirect. Default: 302.',
      example: 302,
    },
    302,
  )
  @IsRedirectStatus()
  redirect_status!: number

  @LinkField(
    {
      type: Boolean,
      description: "Whether the visitor's query is added to the destination's. Default: false.",
      example: false,
    },
    false,
  )
  @IsFlag()
  forward_query!: boolean

  @LinkField(
    {
      type: Boolean,
      description: 'A disabled link responds with 410. Default: true.',
      example: true,
    },
    true,
  )
  @IsFlag()
  enabled!: boolean

  @LinkField(
    {
      type: String,
      nullable: true,
      format: 'date-time',
      description: 'When the link expires. It then responds with 410.',
      example: '2026-12-31T23:00:00.000Z',
    },
    null,
  )
  @Nullable()
  @IsTimestampText()
  expires_at!: string | null
}

export type LinkFieldName = keyof LinkFields
export const linkFields = declared as ReadonlyMap<LinkFieldName, DeclaredField>
export const linkFieldNames = [...linkFields.keys()]

/** An example of every field. */
export const fieldExamples = Object.fromEntries(
  [...linkFields].map(([name, { documentation }]) => [name, documentation.example]),
) as {
  [Name in LinkFieldName]: LinkFields[Name]
}
