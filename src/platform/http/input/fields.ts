/**
 * Validation rules of input fields. Each has an error code and a message with the accepted values. A rule also adds its
 * bounds to the OpenAPI document, so that each field declares only once what it accepts.
 */
import { applyDecorators } from '@nestjs/common'
import { ApiProperty } from '@nestjs/swagger'
import type { ApiPropertyOptions } from '@nestjs/swagger'
import { ValidateBy, ValidateIf } from 'class-validator'

import { durationPattern, parseDuration } from '../../config/duration.js'
import type { FieldErrorCode } from '../../../field-errors.js'

/**
 * Declares a rule. `accepts` receives a value of any type. `advice` is the error message and may depend on the value.
 */
export function Rule(
  code: FieldErrorCode,
  advice: string | Advice,
  accepts: (value: unknown) => boolean,
  bounds: ApiPropertyOptions = {},
): PropertyDecorator {
  const adviceFor: Advice = typeof advice === 'string' ? () => advice : advice
  return applyDecorators(
    ApiProperty(bounds),
    // Not passed as `message`: class-validator expands `$value` there, and the advice may quote text from the request.
    ValidateBy(
      { name: code, validator: { validate: accepts, defaultMessage: () => code } },
      { context: { adviceFor } },
    ),
  )
}

export type Advice = (value: unknown) => string

export function Optional(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined)
}

export function Nullable(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined && value !== null)
}

// Control characters would break logs and terminals, and PostgreSQL cannot store NUL.
const unprintable = /\p{Cc}/u

export function isPlainText(value: unknown, min: number, max: number): boolean {
  if (typeof value !== 'string' || value.length > max * 2 || !value.isWellFormed() || unprintable.test(value))
    return false
  const length = Array.from(value).length
  return length >= min && length <= max && (min === 0 || value.trim() !== '')
}

/** The rule of `isPlainText` for JSON Schema, in the syntax that all regular expression dialects share. */
export const plainTextPattern =
  '^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$'

export function IsText(min: number, max: number): PropertyDecorator {
  return Rule(
    'invalid_text',
    `Must be ${min} to ${max} characters, not blank, without control characters.`,
    (value) => isPlainText(value, min, max),
    { minLength: min, maxLength: max, pattern: plainTextPattern },
  )
}

const unprintableOnLines = /(?![\n\r\t])\p{Cc}/u
const longTextPattern = '^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]*$'

/** Like `IsText`, but the text may have several lines. */
export function IsLongText(min: number, max: number): PropertyDecorator {
  return Rule(
    'invalid_text',
    `Must be ${min} to ${max} characters, not blank, without control characters except line breaks and tabs.`,
    (value) =>
      typeof value === 'string' &&
      !unprintableOnLines.test(value) &&
      isPlainText(value.replace(/[\n\r\t]/g, ' '), min, max),
    { minLength: min, maxLength: max, pattern: longTextPattern },
  )
}

/** Returns a message prefix that names the first unknown words of a list, or '' if there are none. */
export function unknownWords(value: unknown, known: readonly string[]): string {
  if (!Array.isArray(value)) return ''
  const words = value.filter((word): word is string => typeof word === 'string' && !known.includes(word))
  if (words.length === 0) return ''
  const named = words
    .slice(0, 3)
    .map((word) => JSON.stringify(Array.from(word.slice(0, 80)).slice(0, 40).join('')))
  const others = words.length > named.length ? ` and ${words.length - named.length} more` : ''
  return `Unknown: ${named.join(', ')}${others}. `
}

export function IsOneOf(code: FieldErrorCode, words: readonly string[]): PropertyDecorator {
  return Rule(
    code,
    (value) => `${unknownWords([value], words)}Must be one of ${words.join(', ')}.`,
    (value) => words.some((word) => word === value),
  )
}

/** The bounds are durations, such as `60s`. */
export function IsDuration(min: string, max: string): PropertyDecorator {
  const [least, most] = [parseDuration(min)!, parseDuration(max)!]
  return Rule(
    'invalid_duration',
    `Must be a duration from "${min}" to "${max}": a whole number and a unit (s, m, h, d or w), such as "30d" for 30 days or "12h" for 12 hours.`,
    (value) => {
      const seconds = typeof value === 'string' ? parseDuration(value) : null
      return seconds !== null && seconds >= least && seconds <= most
    },
    { pattern: durationPattern },
  )
}

export function IsWholeNumberText(min: number, max: number): PropertyDecorator {
  return Rule(
    'invalid_number',
    `Must be a whole number from ${min} to ${max}.`,
    (value) =>
      typeof value === 'string' && /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max,
    { type: 'integer', minimum: min, maximum: max },
  )
}

export function IsIntegerBetween(min: number, max: number): PropertyDecorator {
  return Rule(
    'invalid_number',
    `Must be a whole number from ${min} to ${max.toLocaleString('en')}, without quotes.`,
    (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
    { type: 'integer', minimum: min, maximum: max },
  )
}

export function IsFlag(): PropertyDecorator {
  return Rule('invalid_flag', 'Must be true or false, without quotes.', (value) => typeof value === 'boolean')
}

export function IsFlagText(): PropertyDecorator {
  return Rule('invalid_flag', 'Must be true or false.', (value) => value === 'true' || value === 'false', {
    type: Boolean,
  })
}

/** A query flag that narrows a list. It can only be `true` or omitted. */
export function IsTrueText(): PropertyDecorator {
  return Rule('invalid_flag', 'Must be true or omitted.', (value) => value === 'true', { type: Boolean })
}

/** A cursor after which a feed continues. Empty for the start of the feed, `latest` for its end. */
export function IsFeedCursor(): PropertyDecorator {
  return Rule(
    'invalid_cursor',
    'Must be the next_cursor of an earlier response, latest, or empty.',
    (value) => typeof value === 'string' && value.length <= 1000,
    { maxLength: 1000 },
  )
}

const rfc3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/
const maxTimestampLength = 35
// Outside these bounds the UTC year does not have four digits, so a time in a response would not be valid input.
const earliest = Date.parse('0000-01-01T00:00:00Z')
const end = Date.parse('9999-12-31T23:59:59.999Z') + 1

export function IsTimestampText(): PropertyDecorator {
  return Rule(
    'invalid_timestamp',
    'Must be a valid RFC 3339 time in the years 0000 to 9999 (UTC), such as 2026-01-31T12:00:00Z.',
    isTimestamp,
    { format: 'date-time' },
  )
}

export function isTimestamp(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > maxTimestampLength) return false
  const [text, localTime] = rfc3339.exec(value.toUpperCase()) ?? []
  if (text === undefined || localTime === undefined) return false
  const time = Date.parse(text)
  return time >= earliest && time < end && isValidDate(localTime)
}

/** `Date.parse` reads February 30 as March 2 and 24:00 as the next day. Formatting changes only invalid dates. */
function isValidDate(localTime: string): boolean {
  const time = Date.parse(`${localTime}Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(localTime)
}
