import { ApiPropertyOptional } from '@nestjs/swagger'

import type { FieldErrorCode } from '../../../field-errors.js'
import { isPlainText, Optional, plainTextPattern, Rule } from './fields.js'
import { IsRepeatable } from './input.pipe.js'

const maxValueLength = 300

interface ValueSchema {
  type: 'string'
  enum?: string[]
  maxLength?: number
  pattern?: string
}

/** Declares a filter that matches any of its values. An empty value matches unknown values. */
export function TextFilter(description: string, accepts?: readonly string[]): PropertyDecorator {
  if (accepts)
    return createFilter(
      description,
      { type: 'string', enum: [...accepts] },
      'unknown_value',
      `Must be one of ${accepts.filter(Boolean).join(', ')}.`,
      (value) => accepts.includes(value),
    )
  return createFilter(
    description,
    { type: 'string', maxLength: maxValueLength, pattern: `^$|${plainTextPattern}` },
    'invalid_text',
    `Must be at most ${maxValueLength} characters, without control characters.`,
    (value) => value === '' || isPlainText(value, 1, maxValueLength),
  )
}

/**
 * Declares a filter by code. A code that can never match is rejected, because an empty result would look as if there
 * were no clicks.
 */
export function CodeFilter(description: string, pattern: RegExp, advice: string): PropertyDecorator {
  return createFilter(
    description,
    { type: 'string', pattern: `^$|${pattern.source}` },
    'unknown_value',
    advice,
    (value) => value === '' || pattern.test(value),
  )
}

function createFilter(
  description: string,
  items: ValueSchema,
  code: FieldErrorCode,
  advice: string,
  accepts: (value: string) => boolean,
): PropertyDecorator {
  const rule = Rule(code, advice, (values) => (values as string[]).every(accepts))
  return (target, key) => {
    ApiPropertyOptional({
      description: `${description} Repeat the parameter to match any of several values.`,
      type: 'array',
      items,
    })(target, key)
    Optional()(target, key)
    IsRepeatable()(target, key)
    rule(target, key)
  }
}
