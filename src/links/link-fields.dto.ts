/**
 * The fields of a link that users can set. Requests, responses, events, imports and exports derive their fields from
 * this class.
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
import { enumSchema } from '../platform/http/openapi/api-docs.js'
import { conflictModes, maxLength, maxTags, redirectStatuses } from './link-fields.js'
import { destinationError, maxDestinationLength } from './urls.js'

/** Accepts the service's own hosts. They depend on the settings, so `LinkRules` rejects them. */
const getUrlError = (value: unknown) => destinationError(value, () => false)

function IsDestination(): PropertyDecorator {
  return Rule(
    'invalid_url',
    (value) => getUrlError(value) ?? '',
    (value) => getUrlError(value) === null,
    { minLength: 1, maxLength: maxDestinationLength, pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' },
  )
}

/** Bounds of each tag in the OpenAPI document. */
export const tagBounds = { minLength: 1, maxLength: maxLength.tag, pattern: plainTextPattern }

export function isTag(value: unknown): boolean {
  return isPlainText(value, 1, maxLength.tag)
}

export function IsTagList(): PropertyDecorator {
  return Rule(
    'invalid_tags',
    `Must be a list of at most ${maxTags} tags of 1 to ${maxLength.tag} characters each.`,
    (value) => Array.isArray(value) && value.length <= maxTags && value.every(isTag),
    { maxItems: maxTags, ...tagBounds },
  )
}

function IsRedirectStatus(): PropertyDecorator {
  return Rule(
    'invalid_redirect_status',
    `Must be one of ${redirectStatuses.join(', ')}.`,
    (value) => redirectStatuses.some((status) => status === value),
    { type: 'integer', enum: redirectStatuses },
  )
}

/** Events, imports and exports also derive the type of a field from its documentation. */
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
  /** Value of a new link that does not set the field. Undefined for a required field. */
  defaultValue: unknown
}

const declared = new Map<string, DeclaredField>()

/** Registers a property as a field that users can set. */
function LinkField(documentation: FieldDocumentation, defaultValue?: unknown): PropertyDecorator {
  return (target, name) => {
    declared.set(String(name), { documentation, defaultValue })
    ApiProperty({ ...documentation })(target, name)
  }
}

export class LinkFields {
  @LinkField({
    type: String,
    description: 'Destination URL: http or https, at most 8,192 characters when percent-encoded.',
    example: 'https://example.com/spring?utm_source=mail',
  })
  @IsDestination()
  url!: string

  @LinkField(
    {
      type: String,
      nullable: true,
      description: 'Display title of the link.',
      example: 'Spring sale',
    },
    null,
  )
  @Nullable()
  @IsText(1, maxLength.title)
  title!: string | null

  @LinkField(
    {
      type: String,
      nullable: true,
      description: 'Internal note. Visitors never see it.',
      example: 'Printed on the spring flyers.',
    },
    null,
  )
  @Nullable()
  @IsLongText(1, maxLength.note)
  note!: string | null

  @LinkField(
    {
      type: String,
      isArray: true,
      description: `Tags of the link, at most ${maxTags}. Duplicates are merged.`,
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
  @IsText(1, maxLength.externalId)
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
      description: "Whether the visitor's query is added to the destination. Default: false.",
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
      description: 'Time the link expires. An expired link responds with 410.',
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

export const conflictMode = enumSchema(
  'ConflictMode',
  'How to handle a link that already exists.',
  conflictModes,
)

/** An example of every field. */
export const fieldExamples = Object.fromEntries(
  [...linkFields].map(([name, { documentation }]) => [name, documentation.example]),
) as {
  [Name in LinkFieldName]: LinkFields[Name]
}
